"""Names of snapshots."""

import hashlib

from pptarena.envs.machines.base import Files

__all__ = ["deck_digest"]


def deck_digest(deck: bytes, name: str, files: Files) -> str:
    """Return twelve hex digits that change with a deck, its file name, and the files next to it."""
    whole = hashlib.sha256(name.encode() + b"\0" + deck)
    for beside, content in sorted(files.items()):
        whole.update(f"{beside}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return whole.hexdigest()[:12]

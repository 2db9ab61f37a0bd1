"""Names of snapshots."""

import hashlib

from pptarena.envs.machines.base import Files

__all__ = ["deck_digest"]


def deck_digest(deck: bytes, name: str, files: Files) -> str:
    """Return twelve hex digits that change with a deck, its file name, and the files next to it."""
    digest = hashlib.sha256(name.encode() + b"\0" + deck)
    for file_name, content in sorted(files.items()):
        digest.update(f"{file_name}\0{hashlib.sha256(content).hexdigest()}\0".encode())
    return digest.hexdigest()[:12]

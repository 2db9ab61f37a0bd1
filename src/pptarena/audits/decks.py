"""The decks used by audits."""

from collections.abc import Iterator
from pathlib import Path

import pptarena.tasks
from pptarena.audits.odd_decks import odd_decks
from pptarena.decks.package.files import read_bytes

__all__ = ["audit_decks"]


def audit_decks(folder: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield name and file of each deck: packaged decks, generated odd decks, decks of a folder.

    Args:
        folder: Folder searched recursively for more .pptx files; None for none.
    """
    for path in sorted((Path(pptarena.tasks.__file__).parent / "decks").rglob("*.pptx")):
        yield path.stem, read_bytes(path)
    yield from odd_decks()
    for path in sorted(folder.rglob("*.pptx")) if folder is not None else ():
        yield path.stem, read_bytes(path)

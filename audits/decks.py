"""The decks that audits go over."""

from collections.abc import Iterator
from pathlib import Path

import pptarena.tasks
from pptarena.audits.odd_decks import odd_decks
from pptarena.decks.package.files import read_bytes

__all__ = ["audit_decks"]


def audit_decks(folder: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield name and file of each deck: the packaged ones, odd ones made here, those of a folder.

    Args:
        folder: With further .pptx files, also in folders within; None for no more.
    """
    for path in sorted((Path(pptarena.tasks.__file__).parent / "decks").rglob("*.pptx")):
        yield path.stem, read_bytes(path)
    yield from odd_decks()
    for path in sorted(folder.rglob("*.pptx")) if folder is not None else ():
        yield path.stem, read_bytes(path)

"""Presentations as .pptx files that are not compressed: packing took a quarter of an attack's time.

Nobody keeps attacked decks, so their size does not matter.
"""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

from pptx.opc.serialized import PackageWriter

from pptarena.decks.part_names import separate_part_names
from pptarena.tasks.goals import editing

__all__ = ["edited", "saved"]


def saved(presentation: Any) -> bytes:
    """Return the .pptx file of a presentation, uncompressed."""
    separate_part_names(presentation)
    package = presentation.part.package
    stream = BytesIO()
    _Writer(stream, package._rels, tuple(package.iter_parts()))._write()
    return stream.getvalue()


def edited(deck: bytes, *edits: Callable[[Any], None]) -> bytes:
    """Return a deck after edits of its presentation, uncompressed."""
    return editing.edited(deck, *edits, save=saved)


class _Writer(PackageWriter):
    """Writes what python-pptx writes into an archive that is not compressed."""

    def _write(self) -> None:
        with zipfile.ZipFile(self._pkg_file, "w", zipfile.ZIP_STORED) as archive:
            members: Any = _Members(archive)  # all that the writers want of it
            self._write_content_types_stream(members)
            self._write_pkg_rels(members)
            self._write_parts(members)


class _Members:
    """The archive as the writer of packages wants it."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def write(self, pack_uri: Any, blob: bytes) -> None:
        self._archive.writestr(pack_uri.membername, blob)

"""Save presentations as uncompressed .pptx files.

Compression would take a quarter of an attack's time. Attacked decks are not stored, so their size
does not matter.
"""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

from pptx.opc.serialized import PackageWriter

from pptarena.decks.part_names import make_part_names_unique
from pptarena.tasks.goals import editing

__all__ = ["edit_uncompressed", "save_uncompressed"]


def save_uncompressed(presentation: Any) -> bytes:
    """Return the uncompressed .pptx file of a presentation."""
    make_part_names_unique(presentation)
    package = presentation.part.package
    stream = BytesIO()
    _Writer(stream, package._rels, tuple(package.iter_parts()))._write()
    return stream.getvalue()


def edit_uncompressed(deck: bytes, *edits: Callable[[Any], None]) -> bytes:
    """Return an uncompressed deck after some edits."""
    return editing.edit_deck(deck, *edits, save=save_uncompressed)


class _Writer(PackageWriter):
    """Writes the package to an uncompressed archive."""

    def _write(self) -> None:
        with zipfile.ZipFile(self._pkg_file, "w", zipfile.ZIP_STORED) as archive:
            members: Any = _Members(archive)  # implements all that the writers use
            self._write_content_types_stream(members)
            self._write_pkg_rels(members)
            self._write_parts(members)


class _Members:
    """Adapts the archive to the interface of python-pptx's package writer."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def write(self, pack_uri: Any, blob: bytes) -> None:
        self._archive.writestr(pack_uri.membername, blob)

"""Rewrite files: decks and their embedded workbooks, workbooks, tables, text files."""

import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO

from lxml.etree import _Element

from pptarena.tasks.edition.order import PRESENTATION, reorder_slides
from pptarena.tasks.edition.parts import rewrite_part
from pptarena.tasks.edition.style import painter, repaint
from pptarena.tasks.edition.substitution import Replacement, Rewriter, Substitution
from pptarena.tasks.edition.variant import Variant

__all__ = ["file_texts", "rewrite_deck", "rewrite_file"]

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_MARKUP = (".xml", ".rels")
_PACKAGES = (".pptx", ".xlsx", ".ods")
_TEXT_FILES = (".csv", ".txt")
_PICTURE = ".png"


def rewrite_deck(data: bytes, variant: Variant) -> bytes:
    """Return a deck with the names, figures and styles of a variant.

    Raises:
        DeckError: If a part is not valid XML.
    """
    rewriter, paint = variant.substitution, painter(variant)

    def rewrite(name: str, content: bytes) -> bytes:
        if name == PRESENTATION:
            content = reorder_slides(content, variant.moves)
        if name.endswith(_PICTURE):
            return repaint(content, variant)
        return _rewrite_part(name, content, rewriter, paint)

    return _map_parts(data, rewrite)


def rewrite_file(name: str, data: bytes, rewriter: Substitution) -> bytes:
    """Return an attachment with its names and figures replaced.

    Pictures, videos and sounds are returned unchanged: their contents cannot be replaced.

    Raises:
        DeckError: If a part is not valid XML.
        UnicodeDecodeError: If a text file is not UTF-8.
    """
    if name.endswith(_PACKAGES):
        return _rewrite_package(data, rewriter)
    return rewriter.text(data.decode()).encode() if name.endswith(_TEXT_FILES) else data


def file_texts(name: str, data: bytes) -> list[str]:
    """Return all texts of a deck or attachment, with the runs of a paragraph joined."""
    if name.endswith(_TEXT_FILES):
        return [data.decode()]
    if not name.endswith(_PACKAGES):
        return []
    collector = _TextCollector()
    _rewrite_package(data, collector)
    return collector.texts


class _TextCollector:
    """Records all texts and replaces nothing."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def find(self, text: str) -> Iterator[Replacement]:
        self.texts.append(text)
        return iter(())

    def text(self, text: str) -> str:
        self.texts.append(text)
        return text

    def number(self, text: str) -> str:
        self.texts.append(text)
        return text


def _rewrite_package(data: bytes, rewriter: Rewriter) -> bytes:
    return _map_parts(data, lambda name, content: _rewrite_part(name, content, rewriter))


def _rewrite_part(
    name: str,
    content: bytes,
    rewriter: Rewriter,
    paint: Callable[[_Element], bool] = lambda element: False,
) -> bytes:
    if name.endswith(_MARKUP) and name != "[Content_Types].xml":
        return rewrite_part(content, name, rewriter, paint)
    return _rewrite_package(content, rewriter) if name.endswith(_PACKAGES) else content


def _map_parts(data: bytes, rewrite: Callable[[str, bytes], bytes]) -> bytes:
    """Return a zip file with each entry rewritten; the output is deterministic."""
    stream = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            entry_info = zipfile.ZipInfo(entry.filename, _ZIP_DATE)
            entry_info.compress_type = entry.compress_type
            new.writestr(entry_info, rewrite(entry.filename, old.read(entry)))
    return stream.getvalue()

"""Rewrite files: decks and their embedded workbooks, workbooks, tables, text files."""

import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO

from lxml.etree import _Element

from pptarena.tasks.edition.draw import Variant
from pptarena.tasks.edition.order import PRESENTATION, reordered
from pptarena.tasks.edition.parts import rewritten_part
from pptarena.tasks.edition.style import painter, repainted
from pptarena.tasks.edition.substitution import Replacement, Rewriter, Substitution

__all__ = ["file_texts", "rewritten_deck", "rewritten_file"]

_DATE = (1980, 1, 1, 0, 0, 0)
_MARKUP = (".xml", ".rels")
_PACKED = (".pptx", ".xlsx", ".ods")
_PLAIN = (".csv", ".txt")
_PICTURE = ".png"


def rewritten_deck(data: bytes, variant: Variant) -> bytes:
    """Return a deck with the names, figures and styles of a variant.

    Raises:
        DeckError: If a part is not valid XML.
    """
    by, paint = variant.substitution, painter(variant)

    def rewritten(name: str, content: bytes) -> bytes:
        if name == PRESENTATION:
            content = reordered(content, variant.moves)
        if name.endswith(_PICTURE):
            return repainted(content, variant)
        return _part(name, content, by, paint)

    return _each_part(data, rewritten)


def rewritten_file(name: str, data: bytes, by: Substitution) -> bytes:
    """Return an attachment with its names and figures replaced.

    Pictures, videos and sounds are returned unchanged: their contents cannot be replaced.

    Raises:
        DeckError: If a part is not valid XML.
        UnicodeDecodeError: If a text file is not UTF-8.
    """
    if name.endswith(_PACKED):
        return _packed(data, by)
    return by.text(data.decode()).encode() if name.endswith(_PLAIN) else data


def file_texts(name: str, data: bytes) -> list[str]:
    """Return all texts of a deck or attachment, with the runs of a paragraph joined."""
    if name.endswith(_PLAIN):
        return [data.decode()]
    if not name.endswith(_PACKED):
        return []
    reader = _Reader()
    _packed(data, reader)
    return reader.found


class _Reader:
    """Records all texts and replaces nothing."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def find(self, text: str) -> Iterator[Replacement]:
        self.found.append(text)
        return iter(())

    def text(self, text: str) -> str:
        self.found.append(text)
        return text

    def number(self, text: str) -> str:
        self.found.append(text)
        return text


def _packed(data: bytes, by: Rewriter) -> bytes:
    return _each_part(data, lambda name, content: _part(name, content, by))


def _part(
    name: str,
    content: bytes,
    by: Rewriter,
    paint: Callable[[_Element], bool] = lambda element: False,
) -> bytes:
    if name.endswith(_MARKUP) and name != "[Content_Types].xml":
        return rewritten_part(content, name, by, paint)
    return _packed(content, by) if name.endswith(_PACKED) else content


def _each_part(data: bytes, rewritten: Callable[[str, bytes], bytes]) -> bytes:
    """Return a zip file with each entry rewritten; the output is deterministic."""
    stream = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            made = zipfile.ZipInfo(entry.filename, _DATE)
            made.compress_type = entry.compress_type
            new.writestr(made, rewritten(entry.filename, old.read(entry)))
    return stream.getvalue()

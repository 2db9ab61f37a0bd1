"""Rewriting files: decks with the workbooks in them, workbooks, tables, texts."""

import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO

from lxml.etree import _Element

from pptarena.audits.edition.draw import Variant
from pptarena.audits.edition.look import painter
from pptarena.audits.edition.parts import rewritten_part
from pptarena.audits.edition.substitution import Replacement, Rewriter, Substitution

__all__ = ["file_texts", "rewritten_deck", "rewritten_file"]

_DATE = (1980, 1, 1, 0, 0, 0)
_MARKUP = (".xml", ".rels")
_PACKED = (".pptx", ".xlsx", ".ods")
_PLAIN = (".csv", ".txt")


def rewritten_deck(data: bytes, variant: Variant) -> bytes:
    """Return a deck as a variant has it: names, figures and look.

    Raises:
        DeckError: If a part of it is no XML.
    """
    return _rewritten(data, variant.substitution, painter(variant))


def rewritten_file(name: str, data: bytes, by: Substitution) -> bytes:
    """Return a file beside a deck with its words and figures replaced.

    Pictures, films and sounds stay: what is drawn or spoken in them cannot be replaced.

    Raises:
        DeckError: If a part of it is no XML.
        UnicodeDecodeError: If a text is not in UTF-8.
    """
    if name.endswith(_PACKED):
        return _rewritten(data, by)
    return by.text(data.decode()).encode() if name.endswith(_PLAIN) else data


def file_texts(name: str, data: bytes) -> list[str]:
    """Return all texts of a deck or of a file beside it, as they stand there, runs joined."""
    if name.endswith(_PLAIN):
        return [data.decode()]
    if not name.endswith(_PACKED):
        return []
    reader = _Reader()
    _rewritten(data, reader)
    return reader.found


class _Reader:
    """Replaces nothing, and keeps what it is shown."""

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


def _rewritten(
    data: bytes, by: Rewriter, paint: Callable[[_Element], bool] = lambda element: False
) -> bytes:
    stream = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(_MARKUP) and entry.filename != "[Content_Types].xml":
                content = rewritten_part(content, entry.filename, by, paint)
            elif entry.filename.endswith(_PACKED):
                content = _rewritten(content, by)
            made = zipfile.ZipInfo(entry.filename, _DATE)
            made.compress_type = entry.compress_type
            new.writestr(made, content)
    return stream.getvalue()

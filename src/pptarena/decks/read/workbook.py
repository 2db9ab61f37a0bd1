"""Read the cell values of an embedded workbook (.xlsx), in bounded time and memory."""

import re
from collections.abc import Iterator, Mapping, Sequence

from lxml.etree import _Element

from pptarena.decks.package.names import R, local_name, true_attribute
from pptarena.decks.package.package import Package
from pptarena.decks.read.numbers import real_number

__all__ = ["MAX_WORKBOOK_BYTES", "Cells", "SheetReader", "column_number"]

MAX_WORKBOOK_BYTES = 2**20
_MAX_XML_BYTES = 2**18
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

Cells = Mapping[tuple[int, int], str | float | None]
"""Values by row and column, from 1; None for values that cannot be compared, such as errors."""


def column_number(letters: str) -> int:
    """Return the number of a column, from 1 for ``A``."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _position(name: str) -> tuple[int, int] | None:
    """Return row and column, from 1, of a cell such as ``B2``; None for other names."""
    found = _PLACE.fullmatch(name)
    return None if found is None else (int(found[2]), column_number(found[1]))


class SheetReader:
    """Reads the sheets of a workbook (ECMA-376-1, 18.2 and 18.3).

    Args:
        data: The .xlsx file.

    Raises:
        DeckError: If the data is not such a file.
    """

    def __init__(self, data: bytes) -> None:
        self._package = Package(data)
        self._main = self._package.related("", "officeDocument") or ""
        self._sheets: dict[str, Cells | None] = {}

    def cells(self, sheet: str) -> Cells | None:
        """Return the values of a sheet.

        None if the sheet does not exist, is too large, or has hidden parts: a chart omits hidden
        rows and columns, so its points cannot be compared one by one.

        Raises:
            DeckError: If the sheet cannot be read.
        """
        if sheet not in self._sheets:
            self._sheets[sheet] = self._read(sheet)
        return self._sheets[sheet]

    def _read(self, sheet: str) -> Cells | None:
        root = _sheet(self._package, self._main, sheet)
        if root is None:
            return None
        found: dict[tuple[int, int], str | float | None] = {}
        texts: list[str] | None = None
        for element in root.iter():
            name = local_name(element)
            if name in ("row", "col") and true_attribute(element, "hidden"):
                return None
            if name != "c":
                continue
            position = _position(element.get("r") or "")
            if position is None:
                return None
            if element.get("t") == "s" and texts is None:
                texts = _shared_texts(self._package, self._main)
            value = _value(element, texts or [])
            if value != "":
                found[position] = value
        return found


def _sheet(package: Package, main: str, name: str) -> _Element | None:
    rels = package.rels(main)
    for each in _named(_xml(package, main), "sheet"):
        rel = rels.get(each.get(f"{R}id") or "")
        if each.get("name") == name and rel is not None and not rel.external:
            return _xml(package, rel.target)
    return None


def _shared_texts(package: Package, main: str) -> list[str]:
    part = package.related(main, "sharedStrings")
    root = None if part is None else _xml(package, part)
    return [_text(each) for each in _named(root, "si")]


def _value(cell: _Element, texts: Sequence[str]) -> str | float | None:
    kind = cell.get("t") or "n"
    if kind == "inlineStr":
        return _text(cell)
    text = next(((each.text or "") for each in cell if local_name(each) == "v"), "")
    if not text or kind == "str":
        return text
    if kind == "n":
        return real_number(text)
    if kind != "s" or not (text.isascii() and text.isdigit() and len(text) < 8):
        return None
    return texts[int(text)] if int(text) < len(texts) else None


def _xml(package: Package, part: str) -> _Element | None:
    if part not in package or package.size(part) > _MAX_XML_BYTES:
        return None
    return package.xml(part)


def _named(root: _Element | None, name: str) -> Iterator[_Element]:
    return (each for each in (() if root is None else root.iter()) if local_name(each) == name)


def _text(element: _Element) -> str:
    """Return the text of a cell or shared string, without phonetic annotations."""
    texts = (
        each.text or ""
        for each in _named(element, "t")
        if local_name(each.getparent()) != "rPh"  # type: ignore[arg-type]
    )
    return "".join(texts)

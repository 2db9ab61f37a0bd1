"""Reading the cells of an embedded workbook (.xlsx): values alone, bounded in time and memory."""

import re
from collections.abc import Iterator, Mapping, Sequence

from lxml.etree import _Element

from pptarena.decks.package.names import R, local_name, true_attribute
from pptarena.decks.package.package import Package
from pptarena.decks.read.numbers import real_number

__all__ = ["MAX_WORKBOOK_BYTES", "Cells", "column_number", "read_cells"]

MAX_WORKBOOK_BYTES = 8 * 2**20
_MAX_XML_BYTES = 4 * 2**20
# What opening a workbook takes, and a byte of its XML, in the time that a tag or attribute takes.
_OPEN_COST = 200
_BYTES_PER_COST = 16
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

Cells = Mapping[tuple[int, int], str | float | None]
"""Values by row and column, from 1; None for a value that cannot be compared, such as an error."""


def column_number(letters: str) -> int:
    """Return the number of a column, from 1 for ``A``."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _place(name: str) -> tuple[int, int] | None:
    """Return row and column, from 1, of a cell such as ``B2``; None if it names no cell."""
    found = _PLACE.fullmatch(name)
    return None if found is None else (int(found[2]), column_number(found[1]))


def read_cells(data: bytes, sheet: str, deck: Package) -> Cells | None:
    """Return the values of one sheet of a workbook (ECMA-376-1, 18.2 and 18.3).

    Args:
        data: The .xlsx file.
        sheet: Name of the sheet.
        deck: The deck that it is embedded in, which counts what reading it costs.

    Returns:
        None if there is no such sheet, or parts of it are hidden: a chart leaves out hidden rows
        and columns, so that its points cannot be compared one by one.

    Raises:
        DeckError: If it is no such file, or if the deck holds more than any honest one.
    """
    deck.spend(_OPEN_COST + len(data) // _BYTES_PER_COST)
    package = Package(data)
    main = package.related("", "officeDocument") or ""
    root = _sheet(package, main, sheet, deck)
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
        place = _place(element.get("r") or "")
        if place is None:
            return None
        if element.get("t") == "s" and texts is None:
            texts = _shared_texts(package, main, deck)
        value = _value(element, texts or [])
        if value != "":
            found[place] = value
    return found


def _sheet(package: Package, main: str, name: str, deck: Package) -> _Element | None:
    rels = package.rels(main)
    for each in _named(_xml(package, main, deck), "sheet"):
        rel = rels.get(each.get(f"{R}id") or "")
        if each.get("name") == name and rel is not None and not rel.external:
            return _xml(package, rel.target, deck)
    return None


def _shared_texts(package: Package, main: str, deck: Package) -> list[str]:
    part = package.related(main, "sharedStrings")
    root = None if part is None else _xml(package, part, deck)
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


def _xml(package: Package, part: str, deck: Package) -> _Element | None:
    if part not in package or package.size(part) > _MAX_XML_BYTES:
        return None
    deck.spend(package.size(part) // _BYTES_PER_COST)
    return package.xml(part)


def _named(root: _Element | None, name: str) -> Iterator[_Element]:
    return (each for each in (() if root is None else root.iter()) if local_name(each) == name)


def _text(element: _Element) -> str:
    """Return the text of a cell or shared string, without how it is pronounced."""
    texts = (
        each.text or ""
        for each in _named(element, "t")
        if local_name(each.getparent()) != "rPh"  # type: ignore[arg-type]
    )
    return "".join(texts)

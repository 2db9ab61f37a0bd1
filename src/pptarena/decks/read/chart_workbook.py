"""Compare a chart with its embedded workbook (.xlsx), in bounded time and memory.

Applications show the numbers cached in the chart (``c:numCache``, ``c:strCache``) and open the
workbook when a user edits the data. Only unambiguous values are compared: one row or column of
cells of one sheet, none of them hidden, numbers with numbers and text with text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from lxml.etree import _Element

from pptarena.decks.facts.chart import CellMismatch, Workbook
from pptarena.decks.package.markup import parse_markup, with_stable_ids
from pptarena.decks.package.names import C, R, find_path, local_name, true_attribute
from pptarena.decks.package.package import Package
from pptarena.decks.read.numbers import COUNT, int_attribute, real_number
from pptarena.errors import DeckError

__all__ = ["MAX_WORKBOOK_BYTES", "Cells", "SheetReader", "column_number", "read_workbook"]

MAX_WORKBOOK_BYTES = 2**20
_MAX_XML_BYTES = 2**18
_CELL_NAME = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

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
    match = _CELL_NAME.fullmatch(name)
    return None if match is None else (int(match[2]), column_number(match[1]))


class SheetReader:
    """Reads the sheets of a workbook (ECMA-376-1, 18.2 and 18.3).

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
        values: dict[tuple[int, int], str | float | None] = {}
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
                values[position] = value
        return values


def _sheet(package: Package, main: str, name: str) -> _Element | None:
    rels = package.rels(main)
    for each in _elements(_xml(package, main), "sheet"):
        rel = rels.get(each.get(f"{R}id") or "")
        if each.get("name") == name and rel is not None and not rel.external:
            return _xml(package, rel.target)
    return None


def _shared_texts(package: Package, main: str) -> list[str]:
    part = package.related(main, "sharedStrings")
    root = None if part is None else _xml(package, part)
    return [_text(each) for each in _elements(root, "si")]


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


def _elements(root: _Element | None, name: str) -> Iterator[_Element]:
    return (each for each in (() if root is None else root.iter()) if local_name(each) == name)


def _text(element: _Element) -> str:
    """Return the text of a cell or shared string, without phonetic annotations."""
    texts = (
        each.text or ""
        for each in _elements(element, "t")
        if local_name(each.getparent()) != "rPh"  # type: ignore[arg-type]
    )
    return "".join(texts)


_MAX_CELLS = 50_000  # limit for one range and for all ranges of a chart
# Cost of comparing the largest workbook, in units of one tag or attribute.
_COMPARE_COST = 2_000
_MAX_MISMATCHES = 100
_RELATIVE_TOLERANCE = 1e-9
_RANGE = re.compile(
    r"(?:'((?:[^']|'')+)'|([^'!:\[\]]+))!"
    r"\$?([A-Z]{1,3})\$?([0-9]{1,7})(?::\$?([A-Z]{1,3})\$?([0-9]{1,7}))?"
)
_SOURCES = ("tx", "cat", "val", "xVal", "yVal", "bubbleSize")


def read_workbook(root: _Element, part: str, package: Package) -> Workbook | None:
    """Return the embedded workbook of a chart; None if it is missing or too large.

    The comparison is charged to the budget of the package.
    """
    target = _workbook_part(root, part, package)
    if target is None:
        return None
    package.spend(_COMPARE_COST)
    # Bytes instead of trees, because a tree belongs to the thread that parsed it.
    chart, workbook = package.read(part), package.read(target)
    token = package.token(part) + package.token(target)
    return Workbook(token, partial(_mismatches, chart, workbook))


def _mismatches(chart: bytes, workbook: bytes) -> tuple[CellMismatch, ...] | None:
    try:
        root = parse_markup(with_stable_ids(chart), "chart")
        sheets = SheetReader(workbook)
        references = tuple(_references(root))
        if sum(cells.size for _, cells in references) > _MAX_CELLS:
            return None
        mismatches: dict[CellMismatch, None] = {}
        for reference, cells in references:
            values = sheets.cells(cells.sheet)
            if values is not None and len(mismatches) < _MAX_MISMATCHES:
                mismatches |= dict.fromkeys(_find_mismatches(reference, cells, values))
    except DeckError:
        return None
    return tuple(mismatches)[:_MAX_MISMATCHES]


def _workbook_part(root: _Element, part: str, package: Package) -> str | None:
    data = root.find(f"{C}externalData")
    target = None if data is None else package.target(part, data.get(f"{R}id"))
    if target is None or not target.lower().endswith((".xlsx", ".xlsm")):
        return None
    return target if package.size(target) <= MAX_WORKBOOK_BYTES else None


class _Range(NamedTuple):
    """A row or column of cells; all numbers count from 1."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int

    @property
    def size(self) -> int:
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    @property
    def positions(self) -> Iterator[tuple[int, int]]:
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                yield row, column


def _references(root: _Element) -> Iterator[tuple[_Element, _Range]]:
    """Yield the cell references of a chart's series, each with its range."""
    for series in root.iter(f"{C}ser"):
        for name, kind in product(_SOURCES, ("numRef", "strRef")):
            reference = find_path(series, f"{C}{name}", f"{C}{kind}")
            cells = None if reference is None else _range(reference.findtext(f"{C}f") or "")
            if reference is not None and cells is not None:
                yield reference, cells


def _range(formula: str) -> _Range | None:
    """Return the cells of a formula; None unless they form one row or column."""
    match = _RANGE.fullmatch(formula.strip())
    if match is None:
        return None
    sheet = match[2] or match[1].replace("''", "'")
    left, top = column_number(match[3]), int(match[4])
    right, bottom = (column_number(match[5]), int(match[6])) if match[5] else (left, top)
    height, width = bottom - top + 1, right - left + 1
    if min(height, width) != 1 or max(height, width) > _MAX_CELLS:
        return None
    return _Range(sheet, top, left, bottom, right)


def _find_mismatches(reference: _Element, cells: _Range, values: Cells) -> Iterator[CellMismatch]:
    points: dict[int | None, str] = {
        int_attribute(point, "idx", COUNT): (point.findtext(f"{C}v") or "").strip()
        for point in reference.iter(f"{C}pt")
    }
    is_numeric = reference.tag == f"{C}numRef"
    for index, position in enumerate(cells.positions):
        shown, cell = points.get(index, ""), values.get(position, "")
        if cell is not None and not _matches_cell(shown, cell, is_numeric):
            name = f"{cells.sheet}!{_column_name(position[1])}{position[0]}"
            yield CellMismatch(name, shown, f"{cell:g}" if isinstance(cell, float) else cell)


def _matches_cell(shown: str, cell: str | float, is_numeric: bool) -> bool:
    """Return whether a point matches a cell; text may be the formatted version of a number."""
    number = real_number(shown)
    if isinstance(cell, float):
        if number is None:
            return bool(shown) and not is_numeric
        return abs(number - cell) <= _RELATIVE_TOLERANCE * max(1.0, abs(cell))
    if is_numeric and cell:
        return True  # text among numbers is plotted as zero or not at all
    return shown == cell.strip()


def _column_name(column: int) -> str:
    letters = ""
    while column:
        column, last = divmod(column - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters

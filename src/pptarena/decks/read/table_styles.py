"""Find table styles, in the file or built into PowerPoint."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.facts.content import Table
from pptarena.decks.facts.paint import Line, Paint
from pptarena.decks.package.names import A_NS, A, children, find_path, local_name, true_attribute
from pptarena.decks.package.package import Package
from pptarena.decks.read.color import first_color, resolve_color
from pptarena.decks.read.context import Context
from pptarena.decks.read.paint import PaintReader, find_fill
from pptarena.decks.read.text_values import RunValues, reference_values

__all__ = ["CellRange", "CellStyles", "TableStyles"]

_MAX_STYLES = 1_000

# "Medium Style 2" of PowerPoint, which files refer to by id without defining it.
_MEDIUM_2: Final = MappingProxyType(
    {
        "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}": "dk1",
        "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}": "accent1",
        "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}": "accent2",
        "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}": "accent3",
        "{00A15C55-8517-42AA-B614-E9B94910E393}": "accent4",
        "{7DF18680-E054-41AD-8BC1-D1AEF772440D}": "accent5",
        "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}": "accent6",
    }
)
_GRIDS: Final = MappingProxyType(
    {
        "{2D5ABB26-0587-4C30-8999-92F81FD0307C}": ("No Style, No Grid", False),
        "{5940675A-B579-460E-94D1-54222C63F5DA}": ("No Style, Table Grid", True),
    }
)
_SIDES = ("left", "right", "top", "bottom")


class TableStyles:
    """The table styles of a deck."""

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self.part = part
        # Per instance only, because threads must not share trees (`isolate_xml_names`).
        self._built_in: dict[str, _Element | None] = {}

    def find(self, style_id: str) -> _Element | None:
        """Return the style with an id, from the deck or built in; None if unknown."""
        for style in children(self._package.xml_or_none(self.part))[:_MAX_STYLES]:
            if (style.get("styleId") or "").upper() == style_id.upper():
                return style
        key = style_id.upper()
        if key not in self._built_in:
            self._built_in[key] = _built_in(key)
        return self._built_in[key]


def _built_in(style_id: str) -> _Element | None:
    if style_id in _MEDIUM_2:
        return etree.fromstring(_medium_2(_MEDIUM_2[style_id]))
    if style_id in _GRIDS:
        return etree.fromstring(_grid(*_GRIDS[style_id]))
    return None


def _edge_xml(name: str, color: str, width: int) -> str:
    fill = f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>'
    return f'<a:{name}><a:ln w="{width}">{fill}</a:ln></a:{name}>'


def _fill_xml(color: str, tint: int | None = None) -> str:
    modifier = "" if tint is None else f'<a:tint val="{tint}"/>'
    value = f'<a:schemeClr val="{color}">{modifier}</a:schemeClr>'
    return f"<a:fill><a:solidFill>{value}</a:solidFill></a:fill>"


def _medium_2(color: str) -> str:
    name = "Medium Style 2" + (f" - Accent {color[-1]}" if color != "dk1" else "")
    thin = "".join(_edge_xml(side, "lt1", 12_700) for side in (*_SIDES, "insideH", "insideV"))
    strong = '<a:tcTxStyle b="on"><a:fontRef idx="minor"/><a:schemeClr val="lt1"/></a:tcTxStyle>'
    plain = '<a:tcTxStyle><a:fontRef idx="minor"/><a:schemeClr val="dk1"/></a:tcTxStyle>'
    band = f"<a:tcStyle><a:tcBdr/>{_fill_xml(color, 40_000)}</a:tcStyle>"

    def heading(part: str, edge: str) -> str:
        border = _edge_xml(edge, "lt1", 38_100) if edge else ""
        style = f"<a:tcStyle><a:tcBdr>{border}</a:tcBdr>{_fill_xml(color)}</a:tcStyle>"
        return f"<a:{part}>{strong}{style}</a:{part}>"

    table_style = f"<a:tcStyle><a:tcBdr>{thin}</a:tcBdr>{_fill_xml(color, 20_000)}</a:tcStyle>"
    return (
        f'<a:tblStyle xmlns:a="{A_NS}" styleName="{name}">'
        f"<a:wholeTbl>{plain}{table_style}</a:wholeTbl>"
        f"<a:band1H>{band}</a:band1H><a:band1V>{band}</a:band1V>"
        + heading("lastCol", "")
        + heading("firstCol", "")
        + heading("lastRow", "top")
        + heading("firstRow", "bottom")
        + "</a:tblStyle>"
    )


def _grid(name: str, lines: bool) -> str:
    sides = (*_SIDES, "insideH", "insideV") if lines else ()
    edges = "".join(_edge_xml(side, "tx1", 12_700) for side in sides)
    text = '<a:tcTxStyle><a:fontRef idx="minor"/><a:schemeClr val="tx1"/></a:tcTxStyle>'
    style = f"<a:tcStyle><a:tcBdr>{edges}</a:tcBdr><a:fill><a:noFill/></a:fill></a:tcStyle>"
    return (
        f'<a:tblStyle xmlns:a="{A_NS}" styleName="{name}">'
        f"<a:wholeTbl>{text}{style}</a:wholeTbl></a:tblStyle>"
    )


@dataclass(frozen=True, slots=True)
class CellRange:
    """Range of a cell: first and last row and column that it covers, from 0."""

    top: int
    left: int
    bottom: int
    right: int


class CellStyles:
    """Cell formatting from the style of one table, of which only size and options are used."""

    def __init__(
        self, style: _Element, table: Table, context: Context, paints: PaintReader
    ) -> None:
        self._parts: Mapping[str, _Element] = {local_name(part): part for part in style}
        self._table = table
        self._context = context
        self._painter = paints
        self._fills: dict[str, Paint | None] = {}
        self._run_values: dict[str, RunValues] = {}
        self._lines: dict[tuple[str, str], Line | None] = {}

    def fill(self, cell: CellRange) -> Paint | None:
        """Return the fill of a cell; None if the style sets none."""
        fill = None
        for name, _ in self._names(cell):
            if name not in self._fills:
                self._fills[name] = self._fill(self._parts[name])
            part_fill = self._fills[name]
            fill = fill if part_fill is None else part_fill
        return fill

    def run_values(self, cell: CellRange) -> RunValues:
        """Return the run values of a cell that override inherited ones."""
        values: RunValues = {}
        for name, _ in self._names(cell):
            if name not in self._run_values:
                self._run_values[name] = self._text(self._parts[name])
            values = {**values, **self._run_values[name]}
        return values

    def borders(self, cell: CellRange) -> tuple[Line | None, Line | None, Line | None, Line | None]:
        """Return left, right, top and bottom border of a cell; None where the style sets none."""
        lines: dict[str, Line | None] = dict.fromkeys(_SIDES)
        for name, region in self._names(cell):
            edges = find_path(self._parts[name], f"{A}tcStyle", f"{A}tcBdr")
            if edges is None:
                continue
            for side in _SIDES:
                line = self._edge(name, edges, _edge_name(side, cell, region))
                lines[side] = lines[side] if line is None else line
        left, right, top, bottom = (lines[side] for side in _SIDES)
        return left, right, top, bottom

    def _names(self, cell: CellRange) -> Iterator[tuple[str, CellRange]]:
        """Yield the style parts that apply with their ranges, in order of increasing priority."""
        for name, region in _regions(cell, self._table):
            if name in self._parts:
                yield name, region

    def _fill(self, part: _Element) -> Paint | None:
        style = part.find(f"{A}tcStyle")
        element = find_path(style, f"{A}fill")
        fill = find_fill(element)
        if fill is not None:
            return self._painter.paint(fill)
        reference = find_path(style, f"{A}fillRef")
        return None if reference is None else self._painter.theme_fill(reference)

    def _text(self, part: _Element) -> RunValues:
        style = part.find(f"{A}tcTxStyle")
        if style is None:
            return {}
        reference = style.find(f"{A}fontRef")
        values = reference_values(reference, self._context.colors, self._context.theme)
        for name in ("b", "i"):
            on = true_attribute(style, name)
            if on is not None:
                values["bold" if name == "b" else "italic"] = on
        color, opacity = resolve_color(first_color(style), self._context.colors)
        if color is not None:
            values["color"], values["opacity_pct"] = color, opacity
        return values

    def _edge(self, part: str, edges: _Element, name: str) -> Line | None:
        if (part, name) not in self._lines:
            element = edges.find(f"{A}{name}")
            edge = None
            if element is not None:
                line, reference = element.find(f"{A}ln"), element.find(f"{A}lnRef")
                edge = self._painter.combined_line([] if line is None else [line], reference)
            self._lines[part, name] = edge
        return self._lines[part, name]


def _regions(cell: CellRange, table: Table) -> Iterator[tuple[str, CellRange]]:
    last_row, last_column = len(table.row_heights) - 1, len(table.column_widths) - 1
    # A merged cell is formatted like its first cell.
    in_first_row = table.header_row and cell.top == 0
    in_last_row = table.total_row and cell.top == last_row
    in_first_column = table.first_column and cell.left == 0
    in_last_column = table.last_column and cell.left == last_column
    yield "wholeTbl", CellRange(0, 0, last_row, last_column)
    if table.banded_columns and not in_first_column and not in_last_column:
        odd = (cell.left - table.first_column) % 2
        yield ("band2V" if odd else "band1V"), CellRange(0, cell.left, last_row, cell.right)
    if table.banded_rows and not in_first_row and not in_last_row:
        odd = (cell.top - table.header_row) % 2
        yield ("band2H" if odd else "band1H"), CellRange(cell.top, 0, cell.bottom, last_column)
    if in_last_column:
        yield "lastCol", CellRange(0, cell.left, last_row, last_column)
    if in_first_column:
        yield "firstCol", CellRange(0, 0, last_row, cell.right)
    if in_last_row:
        yield "lastRow", CellRange(cell.top, 0, last_row, last_column)
    if in_first_row:
        yield "firstRow", CellRange(0, 0, cell.bottom, last_column)
    for row, vertical in ((in_last_row, "s"), (in_first_row, "n")):
        for column, horizontal in ((in_last_column, "e"), (in_first_column, "w")):
            if row and column:
                yield f"{vertical}{horizontal}Cell", cell


def _edge_name(side: str, cell: CellRange, region: CellRange) -> str:
    """Return the name of a cell's edge in the style, which distinguishes outer and inner edges."""
    outer = {
        "left": cell.left <= region.left,
        "right": cell.right >= region.right,
        "top": cell.top <= region.top,
        "bottom": cell.bottom >= region.bottom,
    }
    if outer[side]:
        return side
    return "insideV" if side in ("left", "right") else "insideH"

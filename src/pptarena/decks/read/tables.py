"""Read tables."""

from collections.abc import Sequence
from typing import Any

from lxml.etree import _Element

from pptarena.decks.facts.content import Borders, Cell, Table
from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Line, Paint
from pptarena.decks.facts.text import CELL_INSETS_EMU
from pptarena.decks.package.names import A, find_path, local_name, true_attribute
from pptarena.decks.read.numbers import LENGTH, Span, int_attribute
from pptarena.decks.read.paint import PaintReader, find_fill
from pptarena.decks.read.source import PartSource
from pptarena.decks.read.table_styles import CellRange, CellStyles
from pptarena.decks.read.text import ANCHORS
from pptarena.decks.read.text_values import RunValues

__all__ = ["read_table"]

_EDGES = ("lnL", "lnR", "lnT", "lnB")
_INSETS = ("marL", "marT", "marR", "marB")
_SPANS = Span(1, 1_000)
_FLAGS = {
    "header_row": "firstRow", "total_row": "lastRow", "first_column": "firstCol",
    "last_column": "lastCol", "banded_rows": "bandRow", "banded_columns": "bandCol",
    "right_to_left": "rtl",
}  # fmt: skip
_Edges = tuple[Line | None, Line | None, Line | None, Line | None]
_NO_EDGES: _Edges = (None, None, None, None)


def read_table(element: _Element, source: PartSource) -> Table:
    """Return the facts of an ``a:tbl``."""
    rows = [row for row in element if local_name(row) == "tr"]
    cells = [list(row.iterchildren(f"{A}tc")) for row in rows]
    columns = element.findall(f"{A}tblGrid/{A}gridCol")
    properties = element.find(f"{A}tblPr")
    flags: dict[str, Any] = {field: _is_on(properties, name) for field, name in _FLAGS.items()}
    style = find_path(properties, f"{A}tableStyle")
    style_id = "" if properties is None else properties.findtext(f"{A}tableStyleId") or ""
    style_id = style_id.strip()
    if style is None and style_id:
        style = source.deck.table_styles.find(style_id)
    empty = Table((), (0,) * len(columns), (0,) * len(rows), **flags)
    cell_styles = None if style is None else CellStyles(style, empty, source.context, source.paints)
    table_fill = _own_fill(properties, source.paints)
    edges = [[_own_edges(cell, source.paints) for cell in row] for row in cells]
    return Table(
        rows=tuple(
            tuple(
                _cell(cell, (r, c), edges, cell_styles, table_fill, source)
                for c, cell in enumerate(row)
            )
            for r, row in enumerate(cells)
        ),
        column_widths=tuple(int_attribute(column, "w", LENGTH) or 0 for column in columns),
        row_heights=tuple(int_attribute(row, "h", LENGTH) or 0 for row in rows),
        style=(style is not None and style.get("styleName")) or style_id,
        **flags,
    )


def _cell(
    element: _Element,
    position: tuple[int, int],
    edges: Sequence[Sequence[_Edges]],
    cell_styles: CellStyles | None,
    table_fill: Paint | None,
    source: PartSource,
) -> Cell:
    if true_attribute(element, "hMerge") or true_attribute(element, "vMerge"):
        return Cell((), spans=(0, 0))
    spans = _span(element, "gridSpan"), _span(element, "rowSpan")
    cell_range = CellRange(*position, position[0] + spans[1] - 1, position[1] + spans[0] - 1)
    properties = element.find(f"{A}tcPr")
    style_values: RunValues = {} if cell_styles is None else cell_styles.run_values(cell_range)
    fill = _own_fill(properties, source.paints)
    if fill is None and cell_styles is not None:
        fill = cell_styles.fill(cell_range)
    anchor = "t" if properties is None else properties.get("anchor") or "t"
    return Cell(
        paragraphs=source.texts.read(element.find(f"{A}txBody"), overrides=style_values),
        fill=fill or table_fill or NO_PAINT,
        spans=spans,
        anchor=ANCHORS.get(anchor, "top"),
        borders=_borders(cell_range, edges, cell_styles),
        insets_emu=_insets(properties),
        vertical="horz" if properties is None else properties.get("vert") or "horz",
        centered=_is_on(properties, "anchorCtr"),
    )


def _own_fill(properties: _Element | None, paints: PaintReader) -> Paint | None:
    fill = find_fill(properties)
    return None if fill is None else paints.paint(fill)


def _own_edges(element: _Element, paints: PaintReader) -> _Edges:
    properties = element.find(f"{A}tcPr")
    if properties is None or not len(properties):
        return _NO_EDGES
    lines = (properties.find(f"{A}{name}") for name in _EDGES)
    # A line without an explicit fill sets no border.
    left, right, top, bottom = (
        paints.combined_line([line]) if line is not None and find_fill(line) is not None else None
        for line in lines
    )
    return left, right, top, bottom


def _borders(
    cell_range: CellRange, edges: Sequence[Sequence[_Edges]], cell_styles: CellStyles | None
) -> Borders:
    """Return a cell's borders: its own, else those of its neighbors, else those of the style."""
    style_borders = _NO_EDGES if cell_styles is None else cell_styles.borders(cell_range)
    own = edges[cell_range.top][cell_range.left]
    neighbors = (
        (cell_range.top, cell_range.left - 1, 1),
        (cell_range.top, cell_range.right + 1, 0),
        (cell_range.top - 1, cell_range.left, 3),
        (cell_range.bottom + 1, cell_range.left, 2),
    )
    borders = []
    for side, (row, column, facing) in enumerate(neighbors):
        line = own[side]
        if line is None and 0 <= row < len(edges) and 0 <= column < len(edges[row]):
            line = edges[row][column][facing]
        if line is None:
            line = style_borders[side]
        borders.append(NO_LINE if line is None else line)
    return borders[0], borders[1], borders[2], borders[3]


def _insets(properties: _Element | None) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom inset of a cell."""
    # Insets in ``a:bodyPr`` are ignored within tables.
    insets = (int_attribute(properties, name) for name in _INSETS)
    left, top, right, bottom = (
        default if each is None else each
        for each, default in zip(insets, CELL_INSETS_EMU, strict=True)
    )
    return left, top, right, bottom


def _span(element: _Element, name: str) -> int:
    return int_attribute(element, name, _SPANS) or 1


def _is_on(properties: _Element | None, name: str) -> bool:
    return properties is not None and bool(true_attribute(properties, name))

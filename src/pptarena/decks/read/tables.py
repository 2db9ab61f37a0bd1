"""Read tables."""

from collections.abc import Sequence

from lxml.etree import _Element

from pptarena.decks.facts.content import Borders, Cell, Table
from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Line, Paint
from pptarena.decks.facts.text import CELL_INSETS_EMU
from pptarena.decks.package.names import A, find_path, local_name, true_attribute
from pptarena.decks.read.context import Context
from pptarena.decks.read.numbers import LENGTH, Span, int_attribute
from pptarena.decks.read.paint import Painter, find_fill
from pptarena.decks.read.table_styles import StyledCells, TableLook, TablePlace, TableStyles
from pptarena.decks.read.text import ANCHORS, TextReader
from pptarena.decks.read.text_values import RunValues

__all__ = ["TableReader"]

_EDGES = ("lnL", "lnR", "lnT", "lnB")
_INSETS = ("marL", "marT", "marR", "marB")
_SPANS = Span(1, 1_000)
_OwnEdges = tuple[Line | None, Line | None, Line | None, Line | None]
_NO_EDGES: _OwnEdges = (None, None, None, None)


class TableReader:
    """Reads the tables of one slide.

    Args:
        context: Values that the slide inherits.
        painter: Reader of fills and lines.
        texts: Reader of text.
        styles: Table styles of the deck.
    """

    def __init__(
        self, context: Context, painter: Painter, texts: TextReader, styles: TableStyles
    ) -> None:
        self._context = context
        self._painter = painter
        self._texts = texts
        self._styles = styles

    def read(self, element: _Element) -> Table:
        """Return the facts of an ``a:tbl``."""
        rows = [row for row in element if local_name(row) == "tr"]
        cells = [list(row.iterchildren(f"{A}tc")) for row in rows]
        columns = element.findall(f"{A}tblGrid/{A}gridCol")
        properties = element.find(f"{A}tblPr")
        look = _look(properties, len(rows), len(columns))
        style = self._style(properties)
        styled = None if style is None else StyledCells(style, look, self._context, self._painter)
        behind = self._own_fill(properties)
        edges = [[self._own_edges(cell) for cell in row] for row in cells]
        return Table(
            rows=tuple(
                tuple(self._cell(cell, (r, c), edges, styled, behind) for c, cell in enumerate(row))
                for r, row in enumerate(cells)
            ),
            column_widths=tuple(int_attribute(column, "w", LENGTH) or 0 for column in columns),
            row_heights=tuple(int_attribute(row, "h", LENGTH) or 0 for row in rows),
            style=_style_name(properties, style),
            header_row=look.first_row,
            total_row=look.last_row,
            banded_rows=look.banded_rows,
            first_column=look.first_column,
            last_column=look.last_column,
            banded_columns=look.banded_columns,
            right_to_left=_is_on(properties, "rtl"),
        )

    def _cell(
        self,
        element: _Element,
        at: tuple[int, int],
        edges: Sequence[Sequence[_OwnEdges]],
        styled: StyledCells | None,
        behind: Paint | None,
    ) -> Cell:
        if true_attribute(element, "hMerge") or true_attribute(element, "vMerge"):
            return Cell((), spans=(0, 0))
        spans = _span(element, "gridSpan"), _span(element, "rowSpan")
        place = TablePlace(*at, at[0] + spans[1] - 1, at[1] + spans[0] - 1)
        properties = element.find(f"{A}tcPr")
        letters: RunValues = {} if styled is None else styled.letters(place)
        fill = self._own_fill(properties)
        if fill is None and styled is not None:
            fill = styled.fill(place)
        anchor = "t" if properties is None else properties.get("anchor") or "t"
        return Cell(
            paragraphs=self._texts.read(element.find(f"{A}txBody"), over=letters),
            fill=fill or behind or NO_PAINT,
            spans=spans,
            anchor=ANCHORS.get(anchor, "top"),
            borders=_borders(place, edges, styled),
            insets_emu=_insets(properties),
            vertical="horz" if properties is None else properties.get("vert") or "horz",
            centered=_is_on(properties, "anchorCtr"),
        )

    def _own_fill(self, properties: _Element | None) -> Paint | None:
        fill = find_fill(properties)
        return None if fill is None else self._painter.paint(fill)

    def _own_edges(self, element: _Element) -> _OwnEdges:
        properties = element.find(f"{A}tcPr")
        if properties is None or not len(properties):
            return _NO_EDGES
        lines = (properties.find(f"{A}{name}") for name in _EDGES)
        # A line without an explicit fill sets no border.
        left, right, top, bottom = (
            self._painter.line_of([line])
            if line is not None and find_fill(line) is not None
            else None
            for line in lines
        )
        return left, right, top, bottom

    def _style(self, properties: _Element | None) -> _Element | None:
        inline = find_path(properties, f"{A}tableStyle")
        if inline is not None:
            return inline
        style_id = _style_id(properties)
        return self._styles.find(style_id) if style_id else None


def _borders(
    place: TablePlace, edges: Sequence[Sequence[_OwnEdges]], styled: StyledCells | None
) -> Borders:
    """Return a cell's borders: its own, else those of its neighbors, else those of the style."""
    given = _NO_EDGES if styled is None else styled.borders(place)
    own = edges[place.top][place.left]
    neighbours = (
        (place.top, place.left - 1, 1),
        (place.top, place.right + 1, 0),
        (place.top - 1, place.left, 3),
        (place.bottom + 1, place.left, 2),
    )
    found = []
    for side, (row, column, facing) in enumerate(neighbours):
        line = own[side]
        if line is None and 0 <= row < len(edges) and 0 <= column < len(edges[row]):
            line = edges[row][column][facing]
        if line is None:
            line = given[side]
        found.append(NO_LINE if line is None else line)
    return found[0], found[1], found[2], found[3]


def _insets(properties: _Element | None) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom inset of a cell."""
    # Insets in ``a:bodyPr`` are ignored within tables.
    own = (int_attribute(properties, name) for name in _INSETS)
    left, top, right, bottom = (
        usual if each is None else each for each, usual in zip(own, CELL_INSETS_EMU, strict=True)
    )
    return left, top, right, bottom


def _span(element: _Element, name: str) -> int:
    return int_attribute(element, name, _SPANS) or 1


def _look(properties: _Element | None, rows: int, columns: int) -> TableLook:
    return TableLook(
        first_row=_is_on(properties, "firstRow"),
        last_row=_is_on(properties, "lastRow"),
        first_column=_is_on(properties, "firstCol"),
        last_column=_is_on(properties, "lastCol"),
        banded_rows=_is_on(properties, "bandRow"),
        banded_columns=_is_on(properties, "bandCol"),
        rows=rows,
        columns=columns,
    )


def _is_on(properties: _Element | None, name: str) -> bool:
    return properties is not None and bool(true_attribute(properties, name))


def _style_id(properties: _Element | None) -> str:
    found = find_path(properties, f"{A}tableStyleId")
    return "" if found is None else (found.text or "").strip()


def _style_name(properties: _Element | None, style: _Element | None) -> str:
    return (style is not None and style.get("styleName")) or _style_id(properties)

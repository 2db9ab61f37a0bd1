"""Reading tables."""

from lxml.etree import _Element

from pptarena.rewards.deck.content_model import Cell, Paint, Table
from pptarena.rewards.deck.names import A, int_attribute, local_name
from pptarena.rewards.deck.paint import Painter
from pptarena.rewards.deck.text import TextReader

__all__ = ["read_table"]


def read_table(element: _Element, painter: Painter, texts: TextReader) -> Table:
    """Return the facts of an ``a:tbl``."""
    rows = [row for row in element if local_name(row) == "tr"]
    columns = element.findall(f"{A}tblGrid/{A}gridCol")
    return Table(
        rows=tuple(
            tuple(_cell(cell, painter, texts) for cell in row.iterchildren(f"{A}tc"))
            for row in rows
        ),
        column_widths=tuple(int_attribute(column, "w") or 0 for column in columns),
        row_heights=tuple(int_attribute(row, "h") or 0 for row in rows),
    )


def _cell(element: _Element, painter: Painter, texts: TextReader) -> Cell:
    covered = element.get("hMerge") in ("1", "true") or element.get("vMerge") in ("1", "true")
    if covered:
        return Cell((), spans=(0, 0))
    properties = element.find(f"{A}tcPr")
    fill = Paint() if properties is None else painter.fill((properties,), None)
    spans = (int_attribute(element, "gridSpan") or 1, int_attribute(element, "rowSpan") or 1)
    return Cell(texts.read(element.find(f"{A}txBody")), fill, spans)

"""The texts of a shape including its table cells: positions and replacement."""

from collections.abc import Iterator
from dataclasses import replace

from pptarena.decks import Box, Paint, Paragraph, Shape, TextFrame
from pptarena.decks.visibility.text_place import TextArea, cell_boxes, text_areas

__all__ = ["PlacedText", "silent", "texts_of", "with_texts"]

PlacedText = tuple[tuple[Paragraph, ...], Box, Paint, tuple[TextArea, ...]]
"""Paragraphs, their box, its fill, and the area of each paragraph."""


def texts_of(shape: Shape) -> Iterator[PlacedText]:
    """Yield each text of a shape with its box, its fill and the areas of its paragraphs."""
    if shape.paragraphs:
        shrinks = shape.autofit == "text"
        areas = text_areas(shape.paragraphs, shape.box, shape.frame, shrinks)
        yield shape.paragraphs, shape.box, shape.fill, areas
    if shape.table is not None:
        for row, column, box in cell_boxes(shape):
            cell = shape.table.rows[row][column]
            frame = TextFrame(cell.insets_emu, cell.anchor)
            yield cell.paragraphs, box, cell.fill, text_areas(cell.paragraphs, box, frame)


def with_texts(shape: Shape, texts: list[tuple[Paragraph, ...]]) -> Shape:
    """Return a shape with its texts replaced, in the order of `texts_of`."""
    rest = iter(texts)
    own = next(rest) if shape.paragraphs else ()
    if shape.table is None:
        return replace(shape, paragraphs=own)
    rows = [list(row) for row in shape.table.rows]
    for row, column, _ in cell_boxes(shape):
        rows[row][column] = replace(rows[row][column], paragraphs=next(rest))
    table = replace(shape.table, rows=tuple(tuple(row) for row in rows))
    return replace(shape, paragraphs=own, table=table)


def silent(shape: Shape) -> Shape:
    """Return a shape without any text."""
    bare = with_texts(shape, [() for _ in texts_of(shape)])
    chart = None if shape.chart is None else replace(shape.chart, title="")
    art = None if shape.smart_art is None else replace(shape.smart_art, nodes=())
    return replace(bare, chart=chart, smart_art=art)

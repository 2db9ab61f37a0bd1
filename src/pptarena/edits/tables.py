"""Edits of tables."""

from copy import deepcopy
from typing import Annotated

from pptx.oxml.ns import qn
from pptx.util import Cm as Centimeters
from pydantic import Field

from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import write_text
from pptarena.edits.values import Cm, Position, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = ["add_row", "add_table", "delete_row", "set_cell"]


def set_cell(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    row: Position,
    column: Position,
    text: Text,
) -> None:
    """Set the text of a cell of a table; it keeps its format.

    Args:
        slide: The slide.
        shape: The table.
        row: Its row, from 1.
        column: Its column, from 1.
        text: The new text.
    """
    table = deck.table(slide, shape).table
    rows, columns = len(table.rows), len(table.columns)
    if row > rows or column > columns:
        raise EditError(f"expected a cell within {rows} x {columns}, got {row}, {column}")
    write_text(table.cell(row - 1, column - 1), text)


def add_table(
    deck: OpenDeck,
    slide: SlideRef,
    cells: Annotated[
        list[Annotated[list[Text], Field(min_length=1, max_length=20)]],
        Field(min_length=1, max_length=50),
    ],
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> int:
    """Add a table.

    Args:
        slide: The slide.
        cells: The texts, one list a row, all of one length.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    if len({len(row) for row in cells}) != 1 or min(width_cm, height_cm) <= 0:
        raise EditError("expected rows of one length, and a width and a height above 0")
    deck.require_room(shapes=1)
    place = [Centimeters(each) for each in (left_cm, top_cm, width_cm, height_cm)]
    found = deck.slide(slide).shapes.add_table(len(cells), len(cells[0]), *place)
    for i, row in enumerate(cells):
        for j, text in enumerate(row):
            found.table.cell(i, j).text = text
    return int(found.shape_id)


def add_row(
    deck: OpenDeck, slide: SlideRef, shape: ShapeRef, cells: list[Text], position: Position
) -> None:
    """Add a row to a table; it looks like the one above it, or below if it is the first.

    Args:
        slide: The slide.
        shape: The table.
        cells: Its texts, one a column.
        position: Where it will stand, from 1.
    """
    frame = deck.table(slide, shape)
    table = frame.table
    rows, columns = list(table._tbl.tr_lst), len(table.columns)
    if len(cells) != columns or position > len(rows) + 1:
        raise EditError(
            f"expected {columns} cells and a position from 1 to {len(rows) + 1}, "
            f"got {len(cells)} and {position}"
        )
    model = rows[max(0, position - 2)]
    if any(cell.get(name) for cell in model for name in ("rowSpan", "vMerge")):
        raise EditError("the row beside it has cells over several rows")
    made = deepcopy(model)
    for each in made.findall(qn("a:extLst")):  # it has the row's own id
        made.remove(each)
    model.addprevious(made) if position == 1 else model.addnext(made)
    frame.height = sum(row.height for row in table.rows)
    for column, text in enumerate(cells):
        write_text(table.cell(position - 1, column), text)


def delete_row(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, position: Position) -> None:
    """Delete a row of a table.

    Args:
        slide: The slide.
        shape: The table.
        position: Its place, from 1.
    """
    frame = deck.table(slide, shape)
    table = frame.table
    rows = list(table._tbl.tr_lst)
    if position > len(rows) or len(rows) == 1:
        raise EditError(f"expected a row of several, from 1 to {len(rows)}, got {position}")
    row = rows[position - 1]
    if any(cell.get(name) for cell in row for name in ("rowSpan", "vMerge")):
        raise EditError("the row has cells over several rows")
    row.getparent().remove(row)
    frame.height = sum(row.height for row in table.rows)

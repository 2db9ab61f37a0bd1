"""Edits of tables."""

from copy import deepcopy
from typing import Annotated, Any, Literal

from pptx.oxml.ns import qn
from pptx.util import Cm as Centimeters
from pydantic import Field

from pptarena.edits.markup import paint_color
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.slide_list import append_copy
from pptarena.edits.text_frames import ALIGNMENTS, write_text
from pptarena.edits.values import Cm, Paint, Position, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_row",
    "add_table",
    "add_table_like",
    "delete_column",
    "delete_row",
    "set_cell",
    "set_cell_format",
    "sort_rows",
]

_Cells = Annotated[
    list[Annotated[list[Text], Field(min_length=1, max_length=20)]],
    Field(min_length=1, max_length=50),
]


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


def set_cell_format(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    row: Position | None = None,
    column: Position | None = None,
    fill: Paint | None = None,
    bold: bool | None = None,
    align: Literal["left", "center", "right", "justify"] | None = None,
) -> int:
    """Set the formatting of cells of a table; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The table.
        row: Row of the cells, from 1; all rows by default.
        column: Column of the cells, from 1; all columns by default.
        fill: Color of the cells, as #RRGGBB or a color of the theme such as accent2.
        bold: Whether their text is bold.
        align: Horizontal alignment of their text.
    """
    table = deck.table(slide, shape).table
    rows, columns = len(table.rows), len(table.columns)
    if (row or 1) > rows or (column or 1) > columns:
        raise EditError(f"expected cells within {rows} x {columns}, got {row}, {column}")
    selected = [
        table.cell(i, j)
        for i in (range(rows) if row is None else [row - 1])
        for j in (range(columns) if column is None else [column - 1])
    ]
    for cell in selected:
        if fill is not None:
            cell.fill.solid()
            paint_color(cell.fill.fore_color, fill)
        for paragraph in cell.text_frame.paragraphs:
            if align is not None:
                paragraph.alignment = ALIGNMENTS[align]
            for run in paragraph.runs if bold is not None else ():
                run.font.bold = bold
    return len(selected)


def add_table(
    deck: OpenDeck,
    slide: SlideRef,
    cells: _Cells,
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
    bounds = [Centimeters(length_cm) for length_cm in (left_cm, top_cm, width_cm, height_cm)]
    frame = deck.slide(slide).shapes.add_table(len(cells), len(cells[0]), *bounds)
    for i, row in enumerate(cells):
        for j, text in enumerate(row):
            frame.table.cell(i, j).text = text
    return int(frame.shape_id)


def add_row(
    deck: OpenDeck, slide: SlideRef, shape: ShapeRef, cells: list[Text], position: Position
) -> None:
    """Add a row to a table; it is formatted like the row above, or below if it is the first.

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
    neighbor = rows[max(0, position - 2)]
    if any(cell.get(name) for cell in neighbor for name in ("rowSpan", "vMerge")):
        raise EditError("the neighboring row has cells that span several rows")
    new_row = deepcopy(neighbor)
    for extension in new_row.findall(qn("a:extLst")):  # it has the row's own id
        new_row.remove(extension)
    neighbor.addprevious(new_row) if position == 1 else neighbor.addnext(new_row)
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


def delete_column(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, position: Position) -> None:
    """Delete a column of a table; the table becomes narrower.

    Args:
        slide: The slide.
        shape: The table.
        position: Position of the column, from 1.
    """
    frame = deck.table(slide, shape)
    table = frame.table._tbl
    columns = list(table.tblGrid)
    if position > len(columns) or len(columns) == 1:
        raise EditError(f"expected a column of several, from 1 to {len(columns)}, got {position}")
    cells = [row.tc_lst[position - 1] for row in table.tr_lst]
    if any(cell.get(name) for cell in cells for name in ("gridSpan", "hMerge")):
        raise EditError("the column has cells over several columns")
    frame.width -= columns[position - 1].w
    for element in (columns[position - 1], *cells):
        element.getparent().remove(element)


def sort_rows(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    column: Position,
    descending: bool = False,
    first: Position = 2,
    last: Position | None = None,
) -> None:
    """Sort the texts of rows by a column, as numbers if all are; cells keep their format.

    Args:
        slide: The slide.
        shape: The table.
        column: Position of the column, from 1.
        descending: Whether the largest value comes first.
        first: Position of the first row to sort; below the head by default.
        last: Position of the last row to sort; the last row by default.
    """
    table = deck.table(slide, shape).table
    rows = [list(row.cells) for row in table.rows][first - 1 : last]
    if not rows or column > len(rows[0]):
        raise EditError(f"expected rows and a column of the table, got {first} and {column}")
    texts = [[cell.text for cell in row] for row in rows]
    if all(_number(row[column - 1]) is not None for row in texts):
        texts.sort(key=lambda row: _number(row[column - 1]) or 0.0, reverse=descending)
    else:
        texts.sort(key=lambda row: row[column - 1].casefold(), reverse=descending)
    for row, new_texts in zip(rows, texts, strict=True):
        for cell, text in zip(row, new_texts, strict=True):
            write_text(cell, text)


def add_table_like(
    deck: OpenDeck,
    slide: SlideRef,
    cells: Annotated[_Cells, Field(min_length=2)],
    like_slide: SlideRef,
    like: ShapeRef,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> int:
    """Add a table that is formatted like another one.

    Columns of numbers look like the last column of the other table, others like its first one. A
    last row that begins with "Total" looks like the last row of the other table.

    Args:
        slide: The slide.
        cells: The texts, one list a row, all of one length; the first row is the head.
        like_slide: The slide of the other table.
        like: The other table; it has a head and two rows or more.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    if len({len(row) for row in cells}) != 1 or min(width_cm, height_cm) <= 0:
        raise EditError("expected rows of one length, and a width and a height above 0")
    template = deck.table(like_slide, like)
    if len(template.table.rows) < 3:
        raise EditError("expected another table with a head and two rows or more")
    deck.require_room(shapes=1)
    target = deck.slide(slide)
    append_copy(template._element, target)
    frame = target.shapes[-1]
    frame.name = "Table"
    box = [Centimeters(length_cm) for length_cm in (left_cm, top_cm, width_cm, height_cm)]
    frame.left, frame.top, frame.width, frame.height = box
    table = frame.table._tbl
    head, *body = table.tr_lst
    numbers = [_number(text.rstrip("%")) is not None for text in cells[1]]
    for column in list(table.tblGrid):
        table.tblGrid.remove(column)
    for _ in cells[0]:
        table.tblGrid.add_gridCol(box[2] // len(cells[0]))
    for index, texts in enumerate(cells):
        is_total = texts[0] == "Total" and index == len(cells) - 1
        like_row = head if not index else body[-1] if is_total else body[(index - 1) % 2]
        row = _row_like(like_row, texts, numbers)
        row.set("h", str(box[3] // len(cells)))
        table.append(row)
    for old in (head, *body):
        table.remove(old)
    return int(frame.shape_id)


def _row_like(template: Any, texts: list[str], numbers: list[bool]) -> Any:
    row = deepcopy(template)
    first, *_, last = cells = row.tc_lst
    for text, is_number in zip(texts, numbers, strict=True):
        cell = deepcopy(last if is_number else first)
        cell.txBody.p_lst[0].r_lst[0].text = text
        cells[0].addprevious(cell)
    for old in cells:
        row.remove(old)
    return row


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None

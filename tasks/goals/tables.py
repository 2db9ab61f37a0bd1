"""Tables in a python-pptx presentation that look like those that are there."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

__all__ = ["add_table_like"]


def add_table_like(
    model: Any, slide: Any, box: tuple[int, int, int, int], rows: Sequence[Sequence[str]]
) -> Any:
    """Put a table on a slide that has the look of another one, and return it.

    Columns of numbers look like the model's last column, others like its first. The last row is
    bold if its first cell is "Total".

    Args:
        model: A table with a head and two rows or more below it, the last one its total if any.
        slide: The slide that gets the new one.
        box: Left, top, width and height in EMU.
        rows: The texts, head first; at least two rows.
    """
    frame = deepcopy(model._element)
    frame.nvGraphicFramePr.cNvPr.set("id", str(max(each.shape_id for each in slide.shapes) + 1))
    frame.nvGraphicFramePr.cNvPr.set("name", "Table")
    slide.shapes._spTree.append(frame)
    shape = slide.shapes[-1]
    shape.left, shape.top, shape.width, shape.height = box
    table = shape.table._tbl
    head, *below = table.tr_lst
    numbers = [all(char in "0123456789.,%" for char in text) for text in rows[1]]
    for grid in list(table.tblGrid):
        table.tblGrid.remove(grid)
    for _ in rows[0]:
        table.tblGrid.add_gridCol(box[2] // len(rows[0]))
    for number, texts in enumerate(rows):
        like = head if not number else below[(number - 1) % 2]
        is_total = texts[0] == "Total" and number == len(rows) - 1
        row = _row_like(below[-1] if is_total else like, texts, numbers)
        row.set("h", str(box[3] // len(rows)))
        table.append(row)
    for old in (head, *below):
        table.remove(old)
    return shape


def _row_like(model: Any, texts: Sequence[str], numbers: Sequence[bool]) -> Any:
    row = deepcopy(model)
    first, *_, last = cells = row.tc_lst
    for text, is_number in zip(texts, numbers, strict=True):
        cell = deepcopy(last if is_number else first)
        cell.txBody.p_lst[0].r_lst[0].text = text
        cells[0].addprevious(cell)
    for old in cells:
        row.remove(old)
    return row

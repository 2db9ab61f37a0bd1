"""Edits of table rows and columns."""

import copy
from collections.abc import Sequence
from typing import Any

from pptx.util import Cm

from pptarena.audits.meta_eval.edits_text import set_cell
from pptarena.audits.meta_eval.finding import shape_of, slide_of

__all__ = ["add_table", "insert_row", "move_row", "remove_column", "remove_row"]


def add_table(
    deck: Any, slide: int, place_cm: Sequence[float], rows: Sequence[Sequence[str]]
) -> None:
    """Insert a table with the given texts at left, top, width, height."""
    place = (Cm(each) for each in place_cm)
    table = slide_of(deck, slide).shapes.add_table(len(rows), len(rows[0]), *place).table
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text


def insert_row(deck: Any, slide: int, shape: str, texts: Sequence[str], before: int) -> None:
    """Insert a row formatted like the row above; rows are numbered from 0."""
    rows = shape_of(deck, slide, shape).table._tbl.tr_lst
    above = rows[before - 1]
    above.addnext(copy.deepcopy(above))
    for column, text in enumerate(texts):
        set_cell(deck, slide, shape, before, column, text)


def move_row(deck: Any, slide: int, shape: str, row: int, to: int) -> None:
    """Move a row with its formatting to the number `to`, from 0."""
    table = shape_of(deck, slide, shape).table._tbl
    moved = table.tr_lst[row]
    table.remove(moved)
    rows = table.tr_lst
    if to < len(rows):
        rows[to].addprevious(moved)
    else:
        rows[-1].addnext(moved)


def remove_row(deck: Any, slide: int, shape: str, row: int) -> None:
    """Delete a row, numbered from 0."""
    found = shape_of(deck, slide, shape).table.rows[row]._tr
    found.getparent().remove(found)


def remove_column(deck: Any, slide: int, shape: str, column: int, widen: bool = False) -> None:
    """Delete a column, numbered from 0; `widen` keeps the table's width."""
    frame = shape_of(deck, slide, shape)
    table, width = frame.table, frame.width
    grid = table._tbl.tblGrid
    grid.remove(grid.gridCol_lst[column])
    for row in table.rows:
        row._tr.remove(row._tr.tc_lst[column])
    total = sum(each.width for each in table.columns)
    if widen:
        for each in table.columns:
            each.width = round(each.width * width / total)
    else:
        frame.width = total

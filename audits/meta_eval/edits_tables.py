"""Edits of the rows of tables."""

import copy
from collections.abc import Sequence
from typing import Any

from pptarena.audits.meta_eval.edits_text import set_cell
from pptarena.audits.meta_eval.finding import shape_of

__all__ = ["insert_row", "move_row", "remove_row"]


def insert_row(deck: Any, slide: int, shape: str, texts: Sequence[str], before: int) -> None:
    """Add a row that looks like the one above it; rows are counted from 0."""
    rows = shape_of(deck, slide, shape).table._tbl.tr_lst
    above = rows[before - 1]
    above.addnext(copy.deepcopy(above))
    for column, text in enumerate(texts):
        set_cell(deck, slide, shape, before, column, text)


def move_row(deck: Any, slide: int, shape: str, row: int, to: int) -> None:
    """Move a row with its look, so that it has the number ``to`` afterwards, from 0."""
    table = shape_of(deck, slide, shape).table._tbl
    moved = table.tr_lst[row]
    table.remove(moved)
    rows = table.tr_lst
    if to < len(rows):
        rows[to].addprevious(moved)
    else:
        rows[-1].addnext(moved)


def remove_row(deck: Any, slide: int, shape: str, row: int) -> None:
    """Delete a row of a table, counted from 0."""
    found = shape_of(deck, slide, shape).table.rows[row]._tr
    found.getparent().remove(found)

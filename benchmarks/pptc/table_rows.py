"""The rows of a table: which is free, and one more."""

from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

__all__ = ["add_row", "first_free_row"]


def first_free_row(table: Any) -> int | None:
    """Return the first row whose first cell is empty; None if all are in use."""
    for index in range(len(table.rows)):
        if not table.cell(index, 0).text:
            return index
    return None


def add_row(frame: Any) -> int:
    """Add an empty row that looks like the last one; return its index."""
    table = frame.table
    last = table._tbl.tr_lst[-1]
    new = deepcopy(last)
    # Ids of rows must not repeat; an application gives a row without one its own.
    for extension in new.findall(qn("a:extLst")):
        new.remove(extension)
    last.addnext(new)
    row = len(table.rows) - 1
    for column in range(len(table.columns)):
        table.cell(row, column).text = ""
    frame.height = sum(each.height for each in table.rows)
    return row

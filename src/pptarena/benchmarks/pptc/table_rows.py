"""Find empty table rows and add rows."""

from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

__all__ = ["add_row", "first_free_row"]


def first_free_row(table: Any) -> int | None:
    """Return the index of the first row whose first cell is empty; None if there is none."""
    for index in range(len(table.rows)):
        if not table.cell(index, 0).text:
            return index
    return None


def add_row(frame: Any) -> int:
    """Add an empty row formatted like the last one; return its index."""
    table = frame.table
    last = table._tbl.tr_lst[-1]
    new = deepcopy(last)
    # Row ids must be unique; applications assign an id to rows without one.
    for extension in new.findall(qn("a:extLst")):
        new.remove(extension)
    last.addnext(new)
    row = len(table.rows) - 1
    for column in range(len(table.columns)):
        table.cell(row, column).text = ""
    frame.height = sum(each.height for each in table.rows)
    return row

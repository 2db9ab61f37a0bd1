"""A table made like another one."""

from typing import Any

from pptarena.vm_images.guest.become_written import (
    all_of,
    become_written,
    listed,
    set_all,
    set_some,
    tried,
)

__all__ = ["become_tabled"]

# All that may be asked of a cell: at other properties the application ends.
_OF_CELL = (
    *("FillStyle", "FillColor", "FillTransparence", "TextVerticalAdjust", "TextLeftDistance"),
    *("TextRightDistance", "TextUpperDistance", "TextLowerDistance"),
    *("LeftBorder", "RightBorder", "TopBorder", "BottomBorder"),
)


def become_tabled(document: Any, mine: Any, theirs: Any) -> None:
    """Set the rows and columns of a table, and the texts and looks of its cells."""
    for key in ("Rows", "Columns"):
        now, wanted = getattr(mine, key), getattr(theirs, key)
        missing = wanted.getCount() - now.getCount()
        if missing > 0:
            now.insertByIndex(now.getCount(), missing)
        elif missing < 0:
            now.removeByIndex(wanted.getCount(), -missing)
        for one, other in zip(all_of(now), all_of(wanted), strict=True):
            set_all(one, other)
    rows, columns = theirs.Rows.getCount(), theirs.Columns.getCount()
    for row in range(rows):
        for column in range(columns):
            cell, wanted = (
                mine.getCellByPosition(column, row),
                theirs.getCellByPosition(column, row),
            )
            if wanted.ColumnSpan > 1 or wanted.RowSpan > 1:
                last = column + wanted.ColumnSpan - 1, row + wanted.RowSpan - 1
                area = mine.getCellRangeByPosition(column, row, *last)
                tried(mine.createCursorByRange(area).merge)
            # To ask a cell for its text is what lets it tell paragraphs.
            tried(become_written, document, cell.getText(), wanted.getText())
            tried(_typeface, cell, wanted)
            set_some(cell, wanted, _OF_CELL)


def _typeface(cell: Any, wanted: Any) -> None:
    """Set the typeface once more: a cursor in a cell tells one that the cell does not have."""
    cursor = wanted.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    name = cursor.CharFontName
    for line in list(listed(cell)):
        for portion in list(listed(line)):
            if name and portion.CharFontName != name:
                portion.CharFontName = name

"""Apply the differences between two tables."""

from typing import Any

from pptarena.vm_images.guest.property_differences import (
    all_of,
    apply_text,
    listed,
    set_all,
    set_some,
    tried,
)

__all__ = ["apply_table"]

# The only cell properties that are safe to read; reading others crashes the application.
_OF_CELL = (
    *("FillStyle", "FillColor", "FillTransparence", "TextVerticalAdjust", "TextLeftDistance"),
    *("TextRightDistance", "TextUpperDistance", "TextLowerDistance"),
    *("LeftBorder", "RightBorder", "TopBorder", "BottomBorder"),
)


def apply_table(document: Any, mine: Any, theirs: Any) -> None:
    """Set the rows and columns of a table, and the text and formatting of its cells."""
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
            # A cell lists its paragraphs only after it was asked for its text.
            tried(apply_text, document, cell.getText(), wanted.getText())
            tried(_typeface, cell, wanted)
            set_some(cell, wanted, _OF_CELL)


def _typeface(cell: Any, wanted: Any) -> None:
    """Set the typeface again, because a cursor in a cell reports a wrong one."""
    cursor = wanted.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    name = cursor.CharFontName
    for line in list(listed(cell)):
        for portion in list(listed(line)):
            if name and portion.CharFontName != name:
                portion.CharFontName = name

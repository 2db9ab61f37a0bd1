"""Apply the differences between two tables."""

from typing import Any

from pptarena.vm_images.guest.property_differences import (
    apply_text,
    attempt,
    elements_of,
    items_of,
    set_all,
    set_differing,
)

__all__ = ["apply_table"]

# The only cell properties that are safe to read; reading others crashes the application.
_CELL_PROPERTIES = (
    *("FillStyle", "FillColor", "FillTransparence", "TextVerticalAdjust", "TextLeftDistance"),
    *("TextRightDistance", "TextUpperDistance", "TextLowerDistance"),
    *("LeftBorder", "RightBorder", "TopBorder", "BottomBorder"),
)


def apply_table(document: Any, mine: Any, theirs: Any) -> None:
    """Set the rows and columns of a table, and the text and formatting of its cells."""
    for key in ("Rows", "Columns"):
        current, target = getattr(mine, key), getattr(theirs, key)
        missing = target.getCount() - current.getCount()
        if missing > 0:
            current.insertByIndex(current.getCount(), missing)
        elif missing < 0:
            current.removeByIndex(target.getCount(), -missing)
        for own, other in zip(items_of(current), items_of(target), strict=True):
            set_all(own, other)
    rows, columns = theirs.Rows.getCount(), theirs.Columns.getCount()
    for row in range(rows):
        for column in range(columns):
            cell, target = (
                mine.getCellByPosition(column, row),
                theirs.getCellByPosition(column, row),
            )
            if target.ColumnSpan > 1 or target.RowSpan > 1:
                last = column + target.ColumnSpan - 1, row + target.RowSpan - 1
                area = mine.getCellRangeByPosition(column, row, *last)
                attempt(mine.createCursorByRange(area).merge)
            # A cell enumerates its paragraphs only after its text was requested.
            attempt(apply_text, document, cell.getText(), target.getText())
            attempt(_set_typeface, cell, target)
            set_differing(cell, target, _CELL_PROPERTIES)


def _set_typeface(cell: Any, target: Any) -> None:
    """Set the typeface again, because a cursor in a cell reports a wrong one."""
    cursor = target.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    name = cursor.CharFontName
    for paragraph in list(elements_of(cell)):
        for portion in list(elements_of(paragraph)):
            if name and portion.CharFontName != name:
                portion.CharFontName = name

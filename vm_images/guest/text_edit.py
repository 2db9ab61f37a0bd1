"""Text boxes under edit: whether one is, how to end it, and how to save it whole after."""

from typing import Any

import unohelper
from com.sun.star.frame import XStatusListener
from com.sun.star.util import URL

__all__ = ["end_text_edit", "refresh_texts", "text_edit_open"]

_COMMAND = ".uno:Context"  # what the first field of the status bar shows
_PREFIX = "TextEdit"


class _Status(unohelper.Base, XStatusListener):  # type: ignore[misc]
    def __init__(self) -> None:
        self.state: Any = None

    def statusChanged(self, event: Any) -> None:
        """Take the state that the application sends."""
        self.state = event.State

    def disposing(self, _event: Any) -> None:
        """Called when the frame goes away."""


def text_edit_open(context: Any, controller: Any) -> bool:
    """Ask the application for the state of its context field.

    A listener that is new gets the state at once and up to date; one that is kept would hear of
    it only with the next idle update.
    """
    transformer = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.util.URLTransformer", context
    )
    url = URL()
    url.Complete = _COMMAND
    _, url = transformer.parseStrict(url)
    dispatch = controller.getFrame().queryDispatch(url, "_self", 0)
    if dispatch is None:
        return False
    status = _Status()
    dispatch.addStatusListener(status, url)
    dispatch.removeStatusListener(status, url)
    return str(status.state or "").startswith(_PREFIX)


def end_text_edit(context: Any, controller: Any) -> None:
    """End an open text edit by taking the selection tool, and keep its text."""
    helper = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.DispatchHelper", context
    )
    helper.executeDispatch(controller.getFrame(), ".uno:SelectObject", "", 0, ())


def refresh_texts(page: Any) -> None:
    """Make the application's export see the texts of a slide and its notes as they are now.

    After a second edit of one text box LibreOffice 25.2 exports its text cut off at the length
    it had at the save before; asking the box for its text mends that.
    """
    _read_texts(page)
    if hasattr(page, "getNotesPage"):
        _read_texts(page.getNotesPage())


def _read_texts(shapes: Any) -> None:
    for place in range(shapes.getCount()):
        shape = shapes.getByIndex(place)
        if shape.supportsService("com.sun.star.drawing.GroupShape"):
            _read_texts(shape)
        elif shape.getShapeType() == "com.sun.star.drawing.TableShape":
            _read_cells(shape.Model)
        elif hasattr(shape, "getString"):
            shape.getString()


def _read_cells(table: Any) -> None:
    for row in range(table.RowCount):
        for column in range(table.ColumnCount):
            table.getCellByPosition(column, row).getString()

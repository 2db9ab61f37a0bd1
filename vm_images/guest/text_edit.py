"""Text boxes under edit: whether one is, how to end it, and how to save it whole after."""

from typing import Any

import unohelper
from com.sun.star.frame import XStatusListener
from com.sun.star.util import URL

__all__ = [
    "CONTEXT",
    "end_text_edit",
    "means_editing",
    "parsed_url",
    "refresh_texts",
    "says_editing",
    "text_edit_open",
]

CONTEXT = ".uno:Context"
"""The command whose state the first field of the status bar shows."""

_PREFIX = "TextEdit"
_RARE = "\ue000"  # of Unicode's private use


def means_editing(state: Any) -> bool:
    """Tell whether a state of the context field says that a text edit is open."""
    return str(state or "").startswith(_PREFIX)


def parsed_url(context: Any, command: str) -> Any:
    """Return a command as the application's dispatches want it."""
    transformer = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.util.URLTransformer", context
    )
    url = URL()
    url.Complete = command
    return transformer.parseStrict(url)[1]


class _Status(unohelper.Base, XStatusListener):  # type: ignore[misc]
    """Takes the state of the context field once."""

    def __init__(self) -> None:
        self.editing = False

    def statusChanged(self, event: Any) -> None:
        """Take the state that the application sends."""
        self.editing = means_editing(event.State)

    def disposing(self, _event: Any) -> None:
        """Called when the frame goes away."""


def text_edit_open(context: Any, controller: Any) -> bool:
    """Ask the application whether a text edit is open."""
    url = parsed_url(context, CONTEXT)
    dispatch = controller.getFrame().queryDispatch(url, "_self", 0)
    return dispatch is not None and says_editing(dispatch, url)


def says_editing(dispatch: Any, url: Any) -> bool:
    """Ask a dispatch of the context field for its state.

    A listener that is new gets the state at once and up to date; one that is kept would hear of
    it only with the next idle update.
    """
    status = _Status()
    dispatch.addStatusListener(status, url)
    dispatch.removeStatusListener(status, url)
    return status.editing


def end_text_edit(context: Any, controller: Any) -> None:
    """End an open text edit by taking the selection tool, and keep its text."""
    helper = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.DispatchHelper", context
    )
    helper.executeDispatch(controller.getFrame(), ".uno:SelectObject", "", 0, ())


def refresh_texts(page: Any) -> None:
    """Make the application's export see the texts of a slide and its notes as they are now.

    After a second edit of one placeholder LibreOffice 25.2 exports its text cut off at the length
    it had at the save before; asking it for its text mends that. A search asks all that are on a
    page in one call, where to ask each by itself takes a dozen. Cells of tables need no asking.
    """
    for texts in (page, page.getNotesPage()):
        search = texts.createSearchDescriptor()
        search.setSearchString(_RARE)
        texts.findAll(search)  # goes on to the end, whether it finds something or not

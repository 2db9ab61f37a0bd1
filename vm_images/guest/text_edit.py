"""Text editing state: detect and end an open text edit, and export complete texts afterward."""

from typing import Any

import unohelper
from com.sun.star.frame import XStatusListener
from com.sun.star.util import URL

__all__ = [
    "CONTEXT",
    "end_text_edit",
    "is_editing_state",
    "parsed_url",
    "query_editing",
    "refresh_texts",
    "text_edit_open",
]

CONTEXT = ".uno:Context"
"""The command whose state the first field of the status bar displays."""

_PREFIX = "TextEdit"
_UNUSED_CHARACTER = "\ue000"  # from Unicode's private use area


def is_editing_state(state: Any) -> bool:
    """Return whether a state of the context field means that a text edit is open."""
    return str(state or "").startswith(_PREFIX)


def parsed_url(context: Any, command: str) -> Any:
    """Return a command as a URL object for the application's dispatch interface."""
    transformer = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.util.URLTransformer", context
    )
    url = URL()
    url.Complete = command
    return transformer.parseStrict(url)[1]


class _Status(unohelper.Base, XStatusListener):  # type: ignore[misc]
    """Records one state of the context field."""

    def __init__(self) -> None:
        self.editing = False

    def statusChanged(self, event: Any) -> None:
        """Record the state that the application sends."""
        self.editing = is_editing_state(event.State)

    def disposing(self, _event: Any) -> None:
        """Handle the disposal of the frame."""


def text_edit_open(context: Any, controller: Any) -> bool:
    """Return whether a text edit is open."""
    url = parsed_url(context, CONTEXT)
    dispatch = controller.getFrame().queryDispatch(url, "_self", 0)
    return dispatch is not None and query_editing(dispatch, url)


def query_editing(dispatch: Any, url: Any) -> bool:
    """Query the state of the context field through its dispatch.

    A new listener receives the current state immediately; a registered one would receive it only
    with the next idle update.
    """
    status = _Status()
    dispatch.addStatusListener(status, url)
    dispatch.removeStatusListener(status, url)
    return status.editing


def end_text_edit(context: Any, controller: Any) -> None:
    """End an open text edit by selecting the selection tool; the text is kept."""
    helper = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.frame.DispatchHelper", context
    )
    helper.executeDispatch(controller.getFrame(), ".uno:SelectObject", "", 0, ())


def refresh_texts(page: Any) -> None:
    """Refresh the texts of a slide and its notes for the application's export.

    After a second edit of a placeholder, LibreOffice 25.2 exports its text truncated to the length
    at the previous save. Reading the text fixes this. A search reads all texts of a page in one
    call, where reading them one by one takes a dozen. Table cells are not affected.
    """
    for container in (page, page.getNotesPage()):
        search = container.createSearchDescriptor()
        search.setSearchString(_UNUSED_CHARACTER)
        container.findAll(search)  # scans the entire page, with or without a match

"""Tracks the view's state from events of the application, instead of a query after every step.

Events with unknown effects (a document event, another component in the frame) only mark the state
as outdated. The application is then queried, as it is after a change of the document.
"""

import contextlib
from typing import Any

import unohelper
from com.sun.star.beans import UnknownPropertyException
from com.sun.star.document import XDocumentEventListener
from com.sun.star.frame import XFrameActionListener, XStatusListener

from pptarena.vm_images.guest.text_edit import CONTEXT, is_editing_state, parsed_url, query_editing

__all__ = ["ViewMonitor"]

_COPY = "OnCopyTo"
_OTHER_COMMANDS = (".uno:PageStatus", ".uno:DiaMode")  # slide 2 of 5; the slide sorter


class ViewMonitor(
    unohelper.Base,  # type: ignore[misc]
    XDocumentEventListener,  # type: ignore[misc]
    XFrameActionListener,  # type: ignore[misc]
    XStatusListener,  # type: ignore[misc]
):
    """Listens to one view of one document.

    Args:
        context: Creates the application's services.
        document: The document.

    Attributes:
        current: Whether the state is up to date; False if an event since `query` requires a query.
        ended: Whether the view was replaced or closed.
        editing: Whether a text edit is open.
        slide: Number of the slide shown, 0 if none.
    """

    def __init__(self, context: Any, document: Any) -> None:
        self.ended = False
        self.editing = self._reported_editing = False
        self._document = document
        self._controller = document.getCurrentController()
        self._frame = self._controller.getFrame()
        document.addDocumentEventListener(self)
        self._frame.addFrameActionListener(self)
        self._states: dict[str, Any] = {}
        self._fields = []
        for command in (CONTEXT, *_OTHER_COMMANDS):
            url = parsed_url(context, command)
            dispatch = self._frame.queryDispatch(url, "_self", 0)
            if dispatch is not None:
                dispatch.addStatusListener(self, url)
                self._fields.append((dispatch, url))
        self.query()

    def query(self) -> None:
        """Query the current slide and whether a text edit is open.

        Events keep this state current until the next query. Exception: after Escape has ended a
        text edit, LibreOffice 25.2 continues to report it as open, and does not report the start of
        the next one.
        """
        self.slide = 0
        self.editing = self.is_editing_now()
        self.current = self.editing == self._reported_editing
        # The slide sorter has no current slide; a master has no number.
        with contextlib.suppress(UnknownPropertyException, AttributeError):
            self.slide = int(self._controller.CurrentPage.Number)

    def is_editing_now(self) -> bool:
        """Query whether a text edit is open."""
        return any(query_editing(*field) for field in self._fields[:1])

    def stop(self) -> None:
        """Stop listening; disposed objects are skipped."""
        with contextlib.suppress(Exception):
            self._document.removeDocumentEventListener(self)
        with contextlib.suppress(Exception):
            self._frame.removeFrameActionListener(self)
        for dispatch, url in self._fields:
            with contextlib.suppress(Exception):
                dispatch.removeStatusListener(self, url)

    def statusChanged(self, event: Any) -> None:
        """Handle a new state of one of the commands."""
        command = event.FeatureURL.Complete
        if command == CONTEXT:
            self.editing = self._reported_editing = is_editing_state(event.State)
        elif event.State != self._states.get(command):
            self._states[command], self.current = event.State, False

    def frameAction(self, event: Any) -> None:
        """Handle a change of the component in the frame, or of its active part."""
        self.current = False
        self.ended |= event.Action.value.startswith("COMPONENT")

    def documentEventOccured(self, event: Any) -> None:
        """Handle saving, closing, a new view, or a new title."""
        if not event.EventName.startswith(_COPY):  # a copy changes nothing on the screen
            self.current = False

    def disposing(self, _event: Any) -> None:
        """Handle the disposal of an observed object."""
        self.current, self.ended = False, True

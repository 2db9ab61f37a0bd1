"""What the view shows, heard from the application instead of asked for after every step.

Whatever may change more than that (a document event, another component in the frame) is only taken
note of: then the application is asked, as it is after a change of the document.
"""

import contextlib
from typing import Any

import unohelper
from com.sun.star.beans import UnknownPropertyException
from com.sun.star.document import XDocumentEventListener
from com.sun.star.frame import XFrameActionListener, XStatusListener

from pptarena.vm_images.guest.text_edit import CONTEXT, means_editing, parsed_url, says_editing

__all__ = ["ViewWatch"]

_COPY = "OnCopyTo"
_OTHERS = (".uno:PageStatus", ".uno:DiaMode")  # slide 2 of 5; the slide sorter


class ViewWatch(
    unohelper.Base,  # type: ignore[misc]
    XDocumentEventListener,  # type: ignore[misc]
    XFrameActionListener,  # type: ignore[misc]
    XStatusListener,  # type: ignore[misc]
):
    """Listens to one view of one document.

    Args:
        context: Makes the application's services.
        document: The document.

    Attributes:
        current: Whether nothing was heard since `look` that makes it necessary to ask again.
        ended: Whether the view is another one now, or none.
        editing: Whether a text edit is open.
        slide: Number of the slide that is shown, 0 if none is.
    """

    def __init__(self, context: Any, document: Any) -> None:
        self.ended = False
        self.editing = self._heard_editing = False
        self._document = document
        self._controller = document.getCurrentController()
        self._frame = self._controller.getFrame()
        document.addDocumentEventListener(self)
        self._frame.addFrameActionListener(self)
        self._said: dict[str, Any] = {}
        self._fields = []
        for command in (CONTEXT, *_OTHERS):
            url = parsed_url(context, command)
            dispatch = self._frame.queryDispatch(url, "_self", 0)
            if dispatch is not None:
                dispatch.addStatusListener(self, url)
                self._fields.append((dispatch, url))
        self.look()

    def look(self) -> None:
        """See which slide is shown and whether a text edit is open.

        From now on what is heard counts; but after Escape has ended a text edit, LibreOffice 25.2
        goes on to say that it is open, and does not say so when the next one is.
        """
        self.slide = 0
        self.editing = self.edits_now()
        self.current = self.editing == self._heard_editing
        # No slide in the slide sorter, no number for a master.
        with contextlib.suppress(UnknownPropertyException, AttributeError):
            self.slide = int(self._controller.CurrentPage.Number)

    def edits_now(self) -> bool:
        """Ask whether a text edit is open."""
        return any(says_editing(*field) for field in self._fields[:1])

    def leave(self) -> None:
        """Listen no longer; what is gone already is passed over."""
        with contextlib.suppress(Exception):
            self._document.removeDocumentEventListener(self)
        with contextlib.suppress(Exception):
            self._frame.removeFrameActionListener(self)
        for dispatch, url in self._fields:
            with contextlib.suppress(Exception):
                dispatch.removeStatusListener(self, url)

    def statusChanged(self, event: Any) -> None:
        """Take what the application says of one of the commands."""
        command = event.FeatureURL.Complete
        if command == CONTEXT:
            self.editing = self._heard_editing = means_editing(event.State)
        elif event.State != self._said.get(command):
            self._said[command], self.current = event.State, False

    def frameAction(self, event: Any) -> None:
        """Called when another component comes into the frame, or another part of it is used."""
        self.current = False
        self.ended |= event.Action.value.startswith("COMPONENT")

    def documentEventOccured(self, event: Any) -> None:
        """Called when it is saved, closed, shown in a view, or its title changes."""
        if not event.EventName.startswith(_COPY):  # which changes nothing that is shown
            self.current = False

    def disposing(self, _event: Any) -> None:
        """Called when one of those that it listens to goes away."""
        self.current, self.ended = False, True

"""Callbacks from the office application: calls in its main thread, its questions, its events."""

import threading
from collections.abc import Callable
from typing import Any

import uno
import unohelper
from com.sun.star.awt import XCallback
from com.sun.star.document import XUndoManagerListener
from com.sun.star.task import XInteractionAbort, XInteractionDisapprove, XInteractionHandler2
from com.sun.star.util import XModifyListener

__all__ = ["ChangeCounter", "InteractionRefuser", "MainThreadCall"]


class MainThreadCall(unohelper.Base, XCallback):  # type: ignore[misc]
    """A call to run in the application's main thread."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self.done = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None

    def notify(self, _data: Any) -> None:
        """Run the call; called in the application's main thread."""
        try:
            self.result = self._call()
        except Exception as error:  # noqa: BLE001 - raised again in the caller's thread
            self.error = error
        self.done.set()


class InteractionRefuser(unohelper.Base, XInteractionHandler2):  # type: ignore[misc]
    """Answers every question during a load with "no", so that no dialog blocks it."""

    def handle(self, request: Any) -> None:
        """Handle a question; see `handleInteractionRequest`."""
        self.handleInteractionRequest(request)

    def handleInteractionRequest(self, request: Any) -> bool:
        """Choose to abort, or to disapprove if that is the only option."""
        for interface in (XInteractionAbort, XInteractionDisapprove):
            for choice in request.getContinuations():
                if choice.queryInterface(uno.getTypeByName(interface.__pyunointerface__)):
                    choice.select()
                    return True
        return True


class ChangeCounter(unohelper.Base, XModifyListener, XUndoManagerListener):  # type: ignore[misc]
    """Counts all changes of the document."""

    def __init__(self) -> None:
        self.changes = 0

    def _changed(self, _event: Any = None) -> None:
        self.changes += 1

    modified = undoActionAdded = actionUndone = actionRedone = _changed
    allActionsCleared = redoActionsCleared = resetAll = enteredContext = _changed
    enteredHiddenContext = leftContext = leftHiddenContext = cancelledContext = _changed

    def disposing(self, _event: Any) -> None:
        """Handle the disposal of the document."""

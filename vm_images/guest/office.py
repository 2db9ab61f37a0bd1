"""The office application with the task's document, queried over UNO for invisible state.

Nothing here changes what the user sees, except `load` and `save(commit=True)`.
"""

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.lang import DisposedException, IndexOutOfBoundsException

from pptarena.vm_images.guest.errors import CommandError, DeckUnreadableError, OverloadError
from pptarena.vm_images.guest.home_folder import reset_home
from pptarena.vm_images.guest.office_callbacks import InteractionRefuser
from pptarena.vm_images.guest.office_process import OfficeProcess
from pptarena.vm_images.guest.protocol import DocumentState
from pptarena.vm_images.guest.task_document import PRESENTATION, TaskDocument
from pptarena.vm_images.guest.text_edit import end_text_edit, refresh_texts, text_edit_open
from pptarena.vm_images.guest.view_monitor import ViewMonitor
from pptarena.vm_images.guest.windows import Windows

__all__ = ["Office"]

_PPTX_FILTER = "Impress MS PowerPoint 2007 XML"
_NEW_WORKBOOK = "private:factory/scalc"


class Office:
    """The application with at most one task document.

    Args:
        process: Starts the application and calls it.
        windows: The windows of its display.
    """

    def __init__(self, process: OfficeProcess, windows: Windows) -> None:
        self._process = process
        self._windows = windows
        self._desktop: Any = None
        self._task = TaskDocument()
        self._view: ViewMonitor | None = None
        self._last_state = DocumentState()

    def start(self, deadline: float, *arguments: str) -> None:
        """Start the application and connect to it.

        Raises:
            OfficeLostError: If it exits immediately.
            OfficeTimeoutError: If it does not start by `deadline` (`time.monotonic`).
        """
        self._process.start(deadline, *arguments)
        self._desktop = self._process.service("com.sun.star.frame.Desktop")

    def require_alive(self) -> None:
        """Raise if the application was killed or crashed.

        Raises:
            OfficeLostError: If it ended with a signal or an error.
        """
        self._process.require_alive()

    @property
    def path(self) -> Path:
        """The file that the task's document was last opened from or saved to."""
        return self._task.path

    def load(self, path: Path, timeout_sec: float) -> None:
        """Open a deck in the existing window and start to watch it.

        Message boxes opened by the import are closed. One of them reports SmartArt without a
        fallback drawing, as saved by Office 2007. It bypasses any `InteractionHandler`, and the
        import waits until the box is closed (LibreOffice, oox/source/ppt/pptimport.cxx).

        Raises:
            DeckUnreadableError: If the application refuses it.
        """
        open_dialogs = self._windows.dialogs()
        self._process.ask(
            lambda: self._load(path),
            timeout_sec,
            unblock=lambda: self._windows.close(self._windows.dialogs() - open_dialogs),
        )

    def _load(self, path: Path) -> None:
        options = (
            _property("UpdateDocMode", 0),
            _property("FilterName", _PPTX_FILTER),  # else a broken deck would open as a text file
            _property("InteractionHandler", InteractionRefuser()),
            _property("PickListEntry", False),  # other episodes must not see the deck
        )
        url = uno.systemPathToFileUrl(str(path))
        frame = self._frame_for_deck()
        try:
            self._discard_edits()
            self._task.set_path(path)
            if frame is None:
                document = self._desktop.loadComponentFromURL(url, "_default", 0, options)
            else:
                document = frame.loadComponentFromURL(url, "_self", 0, options)
        except DisposedException:
            raise
        except Exception as error:
            raise DeckUnreadableError(f"the application cannot open the deck: {error}") from error
        if document is None or not document.supportsService(PRESENTATION):
            raise DeckUnreadableError("the application does not read this file as a presentation")
        self._task.track(document)
        self._configuration().flush()  # the host compares the files of the profile

    def _frame_for_deck(self) -> Any:
        """Return the window to open a deck in; None for a new one, to keep a workbook's window."""
        frame = self._desktop.getCurrentFrame()
        controller = None if frame is None else frame.getController()
        model = None if controller is None else controller.getModel()
        return frame if model is None or model.supportsService(PRESENTATION) else None

    def _discard_edits(self) -> None:
        """Discard the edits of the last document, so that no dialog asks about them."""
        document = self._task.model
        if document is None:
            return
        with contextlib.suppress(DisposedException):  # the user has closed it
            controller = document.getCurrentController()
            if controller is not None and text_edit_open(self._process.context, controller):
                end_text_edit(self._process.context, controller)
            document.setModified(False)

    def state(self, timeout_sec: float) -> DocumentState:
        """Return the state of the document."""
        view, state = self._view, self._last_state
        self._process.require_alive()
        is_current = view is not None and view.current and state.revision == self._task.changes
        if view is not None and is_current and self._process.running:
            self._task.visited.add(view.slide)
            return replace(state, editing=view.editing)
        answer = self._process.ask_if_open(self._state, timeout_sec)
        if answer is None:
            self._task.mark_closed()
            return DocumentState(revision=self._task.changes)
        self._last_state = answer
        return answer

    def _state(self) -> DocumentState:
        document = self._task.find(self._desktop)
        if document is None:
            return DocumentState(revision=self._task.changes)
        view = self._view_monitor(document)
        view.query()
        self._task.visited.add(view.slide)
        return DocumentState(
            open=True,
            revision=self._task.changes,
            editing=view.editing,
            slide=view.slide,
            slide_count=document.getDrawPages().getCount(),
        )

    def _view_monitor(self, document: Any) -> ViewMonitor:
        view = self._view
        if view is None or view.ended:
            if view is not None:
                view.stop()
            view = self._view = ViewMonitor(self._process.context, document)
        return view

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        """Save a copy as .pptx; return False if the user has closed the document.

        Args:
            target: Path of the copy.
            commit: Whether to end an open text edit first.
            timeout_sec: Longest wait in seconds.

        Raises:
            CommandError: If a text edit is open and `commit` is not set.
            OverloadError: If the application cannot save it.
        """
        return bool(self._process.ask_if_open(lambda: self._save(target, commit), timeout_sec))

    def _save(self, target: Path, commit: bool) -> bool:
        document = self._task.find(self._desktop)
        if document is None:
            return False
        if self._view_monitor(document).is_editing_now():
            if not commit:
                # This file would contain half a text. In addition, the export would cache its view
                # of the text and truncate later files to the current length.
                raise CommandError("a text edit is open; end it first or save with commit")
            end_text_edit(self._process.context, document.getCurrentController())
        for slide in self._task.visited:
            with contextlib.suppress(IndexOutOfBoundsException):
                refresh_texts(document.getDrawPages().getByIndex(slide - 1))
        self._task.visited.clear()
        url = uno.systemPathToFileUrl(str(target))
        try:
            with self._task.ignore_changes():
                document.storeToURL(url, (_property("FilterName", _PPTX_FILTER),))
        except DisposedException:
            raise
        except Exception as error:
            raise OverloadError(f"the application cannot save the deck: {error}") from error
        return True

    def reopen(self, deadline: float) -> None:
        """Restart the application, or open the task's deck in it again.

        Raises:
            DeckUnreadableError: If the file is missing, or no longer a deck.
        """
        state = self._process.ask_if_open(self._state, 5)
        if state is None:
            # Settings written by the last process must not affect the next one.
            reset_home(Path(self._process.environment["HOME"]))
            self.start(deadline)
        if state is None or not state.open:
            self.load(self.path, max(1.0, deadline - time.monotonic()))

    def new_workbook(self, deadline: float) -> None:
        """Open an empty workbook in its own window; start the application if necessary.

        The task's deck keeps its state, open or closed.
        """
        if self._process.ask_if_open(self._new_workbook, max(1.0, deadline - time.monotonic())):
            return
        reset_home(Path(self._process.environment["HOME"]))  # as in `reopen`
        self.start(deadline, "--calc")

    def _new_workbook(self) -> bool:
        self._desktop.loadComponentFromURL(_NEW_WORKBOOK, "_blank", 0, ())
        return True

    @property
    def version(self) -> str:
        """Version of the application, such as ``"LibreOffice 25.2.3.2"``."""
        node = self._configuration().createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationAccess",
            (_property("nodepath", "/org.openoffice.Setup/Product"),),
        )
        return f"{node.ooName} {node.ooSetupVersionAboutBox}"

    def _configuration(self) -> Any:
        return self._process.service("com.sun.star.configuration.ConfigurationProvider")


def _property(name: str, value: Any) -> Any:
    property_value = PropertyValue()
    property_value.Name, property_value.Value = name, value
    return property_value

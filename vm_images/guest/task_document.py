"""The document of the task, whatever the user does with it: reload, save elsewhere, close, reopen.

It is followed by where it lies: what is opened from there is the same document again, and when it
is saved under another name, it lies there from now on. Copies and other files are not it.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uno
from com.sun.star.lang import DisposedException

from pptarena.vm_images.guest.office_callbacks import Watcher

__all__ = ["PRESENTATION", "TaskDocument"]

PRESENTATION = "com.sun.star.presentation.PresentationDocument"
"""The service that every presentation supports, and no other document."""


class TaskDocument:
    """Finds the open document and notes where it lies.

    Attributes:
        path: The .pptx file that it was opened from or saved to last.
        changes: Grows with every change, and when the document is closed or opened again.
        visited: Slides shown since the last save.
    """

    def __init__(self) -> None:
        self.path = Path()
        self.visited: set[int] = set()
        self._url = ""  # where it lies, in whatever format
        self._model: Any = None
        self._watcher = Watcher()

    @property
    def changes(self) -> int:
        """How often it changed so far."""
        return self._watcher.changes

    @contextlib.contextmanager
    def saved_as_copy(self) -> Iterator[None]:
        """Count nothing as a change meanwhile: LibreOffice's export adds and removes a slide."""
        changes = self._watcher.changes
        yield
        self._watcher.changes = changes

    @property
    def model(self) -> Any:
        """What was open last; it may have been closed since."""
        return self._model

    def opened(self, model: Any) -> None:
        """Take a document that was opened, and watch it."""
        self._watcher.changes += 1  # it may differ from what was scored last
        model.addModifyListener(self._watcher)
        model.UndoManager.addUndoManagerListener(self._watcher)
        self._model = model
        self.visited.clear()
        self._follow()

    def lies_at(self, path: Path) -> None:
        """Say from which file it is opened next."""
        self.path, self._url, self._model = path, uno.systemPathToFileUrl(str(path)), None

    def closed(self) -> None:
        """Take note that it is not open any more."""
        if self._model is not None:
            self._watcher.changes += 1  # what counts now is the file
            self._model = None

    def find(self, desktop: Any) -> Any:
        """Return the open document, None if the user has closed it.

        Args:
            desktop: The application's desktop, which knows all that is open.
        """
        if self._model is not None and _is_shown(self._model):
            self._follow()
            return self._model
        again = next((model for model in _open_decks(desktop) if self._lies_here(model)), None)
        if again is None:
            self.closed()
        else:
            self.opened(again)
        return again

    def _lies_here(self, model: Any) -> bool:
        return model.getURL() in (self._url, uno.systemPathToFileUrl(str(self.path)))

    def _follow(self) -> None:
        url = self._model.getURL()
        if url and url != self._url:
            self._url = url
            if url.casefold().endswith(".pptx"):
                with contextlib.suppress(Exception):  # a place that is no file of this machine
                    self.path = Path(uno.fileUrlToSystemPath(url))


def _is_shown(model: Any) -> bool:
    try:
        return model.getCurrentController() is not None
    except DisposedException:
        return False


def _open_decks(desktop: Any) -> list[Any]:
    found, listed = [], desktop.getComponents().createEnumeration()
    while listed.hasMoreElements():
        with contextlib.suppress(DisposedException):
            model = listed.nextElement()
            if hasattr(model, "supportsService") and model.supportsService(PRESENTATION):
                found.append(model)
    return [model for model in found if _is_shown(model)]

"""Tracks the task's document through reloading, saving under another name, closing and reopening.

The document is identified by its path: a document opened from there is the same one, and saving
under another name moves the path. Copies and other files are different documents.
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
    """Finds the open document and tracks its path.

    Attributes:
        path: The .pptx file that it was last opened from or saved to.
        changes: Grows with every change, and when the document is closed or reopened.
        visited: Slides shown since the last save.
    """

    def __init__(self) -> None:
        self.path = Path()
        self.visited: set[int] = set()
        self._url = ""  # its location, in any format
        self._model: Any = None
        self._watcher = Watcher()

    @property
    def changes(self) -> int:
        """Number of changes so far."""
        return self._watcher.changes

    @contextlib.contextmanager
    def saved_as_copy(self) -> Iterator[None]:
        """Ignore changes within this context: LibreOffice's export adds and removes a slide."""
        changes = self._watcher.changes
        yield
        self._watcher.changes = changes

    @property
    def model(self) -> Any:
        """The last opened document; it may have been closed since."""
        return self._model

    def opened(self, model: Any) -> None:
        """Track and watch a newly opened document."""
        self._watcher.changes += 1  # it may differ from the last scored one
        model.addModifyListener(self._watcher)
        model.UndoManager.addUndoManagerListener(self._watcher)
        self._model = model
        self.visited.clear()
        self._follow()

    def lies_at(self, path: Path) -> None:
        """Set the file from which it is opened next."""
        self.path, self._url, self._model = path, uno.systemPathToFileUrl(str(path)), None

    def closed(self) -> None:
        """Record that the document is closed."""
        if self._model is not None:
            self._watcher.changes += 1  # the file now counts
            self._model = None

    def find(self, desktop: Any) -> Any:
        """Return the open document, None if the user has closed it.

        Args:
            desktop: The application's desktop, which lists all open documents.
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
                with contextlib.suppress(Exception):  # not a file of this machine
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

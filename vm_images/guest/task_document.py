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

from pptarena.vm_images.guest.office_callbacks import ChangeCounter

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
        self._counter = ChangeCounter()

    @property
    def changes(self) -> int:
        """Number of changes so far."""
        return self._counter.changes

    @contextlib.contextmanager
    def ignore_changes(self) -> Iterator[None]:
        """Ignore changes within this context: LibreOffice's export adds and removes a slide."""
        changes = self._counter.changes
        yield
        self._counter.changes = changes

    @property
    def model(self) -> Any:
        """The last opened document; it may have been closed since."""
        return self._model

    def track(self, model: Any) -> None:
        """Track and watch a newly opened document."""
        self._counter.changes += 1  # it may differ from the last scored one
        model.addModifyListener(self._counter)
        model.UndoManager.addUndoManagerListener(self._counter)
        self._model = model
        self.visited.clear()
        self._update_path()

    def set_path(self, path: Path) -> None:
        """Set the file from which it is opened next."""
        self.path, self._url, self._model = path, uno.systemPathToFileUrl(str(path)), None

    def mark_closed(self) -> None:
        """Record that the document is closed."""
        if self._model is not None:
            self._counter.changes += 1  # the file now counts
            self._model = None

    def find(self, desktop: Any) -> Any:
        """Return the open document, None if the user has closed it.

        Args:
            desktop: The application's desktop, which lists all open documents.
        """
        if self._model is not None and _is_visible(self._model):
            self._update_path()
            return self._model
        reopened = next(
            (model for model in _open_decks(desktop) if self._is_task_document(model)), None
        )
        if reopened is None:
            self.mark_closed()
        else:
            self.track(reopened)
        return reopened

    def _is_task_document(self, model: Any) -> bool:
        return model.getURL() in (self._url, uno.systemPathToFileUrl(str(self.path)))

    def _update_path(self) -> None:
        url = self._model.getURL()
        if url and url != self._url:
            self._url = url
            if url.casefold().endswith(".pptx"):
                with contextlib.suppress(Exception):  # not a file of this machine
                    self.path = Path(uno.fileUrlToSystemPath(url))


def _is_visible(model: Any) -> bool:
    try:
        return model.getCurrentController() is not None
    except DisposedException:
        return False


def _open_decks(desktop: Any) -> list[Any]:
    decks, enumeration = [], desktop.getComponents().createEnumeration()
    while enumeration.hasMoreElements():
        with contextlib.suppress(DisposedException):
            model = enumeration.nextElement()
            if hasattr(model, "supportsService") and model.supportsService(PRESENTATION):
                decks.append(model)
    return [model for model in decks if _is_visible(model)]

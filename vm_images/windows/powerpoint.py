"""Control PowerPoint through its object model: open, save a copy, detect changes.

Constants: Microsoft, "PowerPoint VBA reference", enumerations. PowerPoint has no event for "the
document changed", only the flag ``Saved``. The guest reads it and never sets it: setting it would
suppress PowerPoint's question to the user at the end. While the flag means "changed", a copy is
saved after each step, compared with the previous one, and kept, since it is likely to be requested
next.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
)
from pptarena.vm_images.guest.protocol import DocumentState
from pptarena.vm_images.windows.com_calls import ComCalls, is_gone, is_turned_away
from pptarena.vm_images.windows.deck_print import deck_print

__all__ = ["PowerPoint"]

_Result = TypeVar("_Result")
_END_SEC = 2.0  # how long a process may take to exit after its connection is closed
_LOOK_SEC = 0.02

_TRUE, _FALSE = -1, 0  # MsoTriState
_ALERTS_NONE = 1  # ppAlertsNone
_FORCE_DISABLE = 3  # msoAutomationSecurityForceDisable: no macros
_MAXIMIZED = 3  # ppWindowMaximized
_NORMAL_VIEW = 9  # ppViewNormal
_SELECTION_TEXT = 3  # ppSelectionText
_AS_PPTX = 24  # ppSaveAsOpenXMLPresentation


class PowerPoint:
    """One running PowerPoint with at most one task deck.

    Args:
        connect: Starts PowerPoint and returns its ``Application`` object.
        calls: Runs COM calls with deadlines.
        exit_code: Returns the exit code of its process; None while it runs.
        com_error: Exceptions of COM calls.
        scratch: File that copies are saved to.
    """

    def __init__(
        self,
        connect: Callable[[], Any],
        calls: ComCalls,
        exit_code: Callable[[], int | None],
        com_error: tuple[type[Exception], ...],
        scratch: Path,
    ) -> None:
        self._connect = connect
        self._calls = calls
        self._exit_code = exit_code
        self._com_error = com_error
        self._scratch = scratch
        self._application: Any = None
        self._document: Any = None
        self._path = Path()
        self._revision = 0
        self._touched = False  # whether it has been unsaved since it was opened
        self._seen = ""  # digest of the deck at the revision
        self._copy: bytes | None = None  # the deck at the revision, if it was saved
        self.version = ""

    def start(self, timeout_sec: float) -> None:
        """Start PowerPoint.

        Raises:
            OfficeTimeoutError: If it does not start in time.
        """
        self._document = None
        self._application = self._calls.run(self._connect, timeout_sec)
        self._calls.run(self._prepare, timeout_sec)

    def _prepare(self) -> None:
        application = self._application
        application.Visible = _TRUE
        application.DisplayAlerts = _ALERTS_NONE
        application.AutomationSecurity = _FORCE_DISABLE
        self.version = f"Microsoft PowerPoint {application.Version} build {application.Build}"

    def require_alive(self) -> None:
        """Raise an error if PowerPoint was killed or crashed.

        Raises:
            OfficeLostError: If it ended with an error.
        """
        code = None if self._application is None else self._exit_code()
        if code not in (None, 0):
            raise OfficeLostError(f"PowerPoint ended with code {code}")

    @property
    def running(self) -> bool:
        """Whether it runs; False after the user closed it from its own menu."""
        return self._application is not None and self._exit_code() is None

    def _ask(self, question: Callable[[], _Result], timeout_sec: float) -> _Result | None:
        """Query PowerPoint; None if the user has closed it meanwhile."""
        try:
            return self._calls.run(question, timeout_sec)
        except OfficeLostError:
            deadline = time.monotonic() + _END_SEC
            while self.running and time.monotonic() < deadline:
                time.sleep(_LOOK_SEC)
            self.require_alive()
            self._closed()
            return None

    def load(self, path: Path, timeout_sec: float) -> None:
        """Open a deck in normal view on its first slide.

        Raises:
            DeckUnreadableError: If PowerPoint refuses it.
        """
        self._path = path
        self._calls.run(self._load, timeout_sec)

    def _load(self) -> None:
        try:
            opened = self._application.Presentations.Open(str(self._path), _FALSE, _FALSE, _TRUE)
        except self._com_error as error:
            if is_turned_away(error) or is_gone(error):
                raise
            raise DeckUnreadableError(f"PowerPoint cannot open the deck: {error}") from error
        window = opened.Windows(1)
        window.WindowState = _MAXIMIZED
        window.ViewType = _NORMAL_VIEW
        if opened.Slides.Count:
            window.View.GotoSlide(1)
        window.Activate()
        self._document = opened
        self._revision += 1  # a reopened deck may differ from the last scored one
        self._touched, self._seen, self._copy = False, "", None

    def state(self, timeout_sec: float) -> DocumentState:
        """Return the state of the document."""
        self.require_alive()
        known = None
        if self._document is not None and self.running:
            known = self._ask(self._state, timeout_sec)
        return DocumentState(revision=self._revision) if known is None else known

    def _state(self) -> DocumentState:
        if not self._is_open():
            self._closed()
            return DocumentState(revision=self._revision)
        window = self._document.Windows(1)
        editing = self._editing(window)
        self._touched |= not int(self._document.Saved)
        if self._touched and not editing:
            self._look_for_changes()
        return DocumentState(
            open=True,
            revision=self._revision,
            editing=editing,
            slide=self._slide(window),
            slide_count=int(self._document.Slides.Count),
        )

    def _closed(self) -> None:
        if self._document is not None:
            self._document = None
            self._revision += 1  # from now on the file counts

    def _is_open(self) -> bool:
        """Whether the deck has a window; a closed presentation rejects every call."""
        with self._refusals():
            return int(self._document.Windows.Count) > 0
        return False

    def _editing(self, window: Any) -> bool:
        with self._refusals():
            return int(window.Selection.Type) == _SELECTION_TEXT
        return False

    def _slide(self, window: Any) -> int:
        """Index of the current slide; 0 in views without one."""
        with self._refusals():
            return int(window.View.Slide.SlideIndex)
        return 0

    @contextlib.contextmanager
    def _refusals(self) -> Iterator[None]:
        """Ignore errors of PowerPoint, except that it is busy or has exited."""
        try:
            yield
        except self._com_error as error:
            if is_turned_away(error) or is_gone(error):
                raise

    def _look_for_changes(self) -> None:
        """Count a revision if the deck has changed since the last check."""
        deck = self._saved_copy()
        seen = deck_print(deck)
        if seen != self._seen:
            self._revision += 1
        self._seen, self._copy = seen, deck

    def _saved_copy(self) -> bytes:
        self._scratch.unlink(missing_ok=True)
        self._document.SaveCopyAs(str(self._scratch), _AS_PPTX)
        try:
            return self._scratch.read_bytes()
        finally:
            self._scratch.unlink(missing_ok=True)

    @property
    def path(self) -> Path:
        """The file that the deck was opened from."""
        return self._path

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        """Save a copy as .pptx; return False if the user has closed the deck.

        Args:
            target: Path of the copy.
            commit: End an open text edit first.
            timeout_sec: Timeout in seconds.

        Raises:
            CommandError: If a text edit is open and `commit` is not set.
            OfficeLostError: If PowerPoint was killed or crashed.
        """
        self.require_alive()
        deck = None
        if self._document is not None and self.running:
            deck = self._ask(lambda: self._save(commit), timeout_sec)
        if deck is None:
            return False
        target.write_bytes(deck)
        return True

    def _save(self, commit: bool) -> bytes | None:
        if not self._is_open():
            return None
        window = self._document.Windows(1)
        if self._editing(window):
            if not commit:
                raise CommandError("a text edit is open; end it first or save with commit")
            window.Selection.ShapeRange.Select()  # select the box instead of its text
        self._touched |= not int(self._document.Saved)
        if not self._touched:
            return self._saved_copy()
        self._look_for_changes()
        return self._copy

    def reopen(self, deadline: float) -> None:
        """Restore the task's deck: restart PowerPoint, or reopen the deck."""
        left = max(1.0, deadline - time.monotonic())
        if not self.running:
            self.start(left)
        if self._document is None or not self._ask(self._is_open, left):
            self.load(self._path, left)

    def new_workbook(self, deadline: float) -> None:
        """Refuse: there is no control of a spreadsheet program."""
        raise CommandError("no spreadsheet program on this machine")

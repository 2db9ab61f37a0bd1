"""Control PowerPoint through its object model: open, save a copy, detect changes.

Constants: Microsoft, "PowerPoint VBA reference", enumerations. PowerPoint has no event for "the
document changed", only the flag ``Saved``. The guest reads the flag but never sets it, because that
would suppress PowerPoint's prompt to save on exit. While the flag means "changed", a copy is saved
after each step and compared with the previous one. The copy is cached, since it is likely to be
requested next.
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
from pptarena.vm_images.windows.com_calls import ComCalls, is_disconnected, is_rejected
from pptarena.vm_images.windows.content_digest import content_digest

__all__ = ["PowerPoint"]

_Result = TypeVar("_Result")
_END_SEC = 2.0  # how long a process may take to exit after its connection is closed
_POLL_SEC = 0.02

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
        self._was_modified = False  # since it was opened, possibly saved again
        self._digest = ""  # digest of the deck at the revision
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

    def _ask(self, call: Callable[[], _Result], timeout_sec: float) -> _Result | None:
        """Query PowerPoint; None if the user has closed it meanwhile."""
        try:
            return self._calls.run(call, timeout_sec)
        except OfficeLostError:
            deadline = time.monotonic() + _END_SEC
            while self.running and time.monotonic() < deadline:
                time.sleep(_POLL_SEC)
            self.require_alive()
            self._mark_closed()
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
            presentation = self._application.Presentations.Open(
                str(self._path), _FALSE, _FALSE, _TRUE
            )
        except self._com_error as error:
            if is_rejected(error) or is_disconnected(error):
                raise
            raise DeckUnreadableError(f"PowerPoint cannot open the deck: {error}") from error
        window = presentation.Windows(1)
        window.WindowState = _MAXIMIZED
        window.ViewType = _NORMAL_VIEW
        if presentation.Slides.Count:
            window.View.GotoSlide(1)
        window.Activate()
        self._document = presentation
        self._revision += 1  # a reopened deck may differ from the last scored one
        self._was_modified, self._digest, self._copy = False, "", None

    def state(self, timeout_sec: float) -> DocumentState:
        """Return the state of the document."""
        self.require_alive()
        state = None
        if self._document is not None and self.running:
            state = self._ask(self._state, timeout_sec)
        return DocumentState(revision=self._revision) if state is None else state

    def _state(self) -> DocumentState:
        if not self._is_open():
            self._mark_closed()
            return DocumentState(revision=self._revision)
        window = self._document.Windows(1)
        editing = self._is_editing(window)
        self._was_modified |= not int(self._document.Saved)
        if self._was_modified and not editing:
            self._detect_changes()
        return DocumentState(
            open=True,
            revision=self._revision,
            editing=editing,
            slide=self._slide_number(window),
            slide_count=int(self._document.Slides.Count),
        )

    def _mark_closed(self) -> None:
        if self._document is not None:
            self._document = None
            self._revision += 1  # the file is scored from now on

    def _is_open(self) -> bool:
        """Whether the deck has a window; a closed presentation rejects every call."""
        with self._ignored_errors():
            return int(self._document.Windows.Count) > 0
        return False

    def _is_editing(self, window: Any) -> bool:
        with self._ignored_errors():
            return int(window.Selection.Type) == _SELECTION_TEXT
        return False

    def _slide_number(self, window: Any) -> int:
        """Index of the current slide; 0 in views without one."""
        with self._ignored_errors():
            return int(window.View.Slide.SlideIndex)
        return 0

    @contextlib.contextmanager
    def _ignored_errors(self) -> Iterator[None]:
        """Ignore errors of PowerPoint unless it is busy or has exited."""
        try:
            yield
        except self._com_error as error:
            if is_rejected(error) or is_disconnected(error):
                raise

    def _detect_changes(self) -> None:
        """Count a revision if the deck has changed since the last check."""
        deck = self._saved_copy()
        digest = content_digest(deck)
        if digest != self._digest:
            self._revision += 1
        self._digest, self._copy = digest, deck

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
        if self._is_editing(window):
            if not commit:
                raise CommandError("a text edit is open; end it first or save with commit")
            window.Selection.ShapeRange.Select()  # select the box instead of its text
        self._was_modified |= not int(self._document.Saved)
        if not self._was_modified:
            return self._saved_copy()
        self._detect_changes()
        return self._copy

    def reopen(self, deadline: float) -> None:
        """Restore the task's deck: restart PowerPoint, or reopen the deck."""
        remaining_sec = max(1.0, deadline - time.monotonic())
        if not self.running:
            self.start(remaining_sec)
        if self._document is None or not self._ask(self._is_open, remaining_sec):
            self.load(self._path, remaining_sec)

    def new_workbook(self, deadline: float) -> None:
        """Refuse, because no spreadsheet program is supported."""
        raise CommandError("no spreadsheet program on this machine")

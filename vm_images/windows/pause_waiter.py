"""Detect idleness by pauses, where time cannot be stopped and the application has no hooks."""

import time
from typing import Protocol

from pptarena.vm_images.guest.settings import Settings

__all__ = ["PauseDetector", "PauseWaiter"]

# A new program works in bursts when it starts; on a computer with few processors, the pauses
# between them are long.
_FIRST_PAUSES = 4.0
_PAUSE_SEC = 0.025


class PauseDetector(Protocol):
    """Detects when application and screen have been quiet for a while."""

    def wait(self, quiet_sec: float, deadline: float) -> bool:
        """Wait for a pause of `quiet_sec`; return whether it occurred before the deadline."""


class PauseWaiter:
    """Treats a pause in drawing and computing as idle.

    Args:
        detector: Detects pauses of screen and application.
        settings: How long to wait for a pause.
    """

    def __init__(self, detector: PauseDetector, settings: Settings) -> None:
        self._detector = detector
        self._settings = settings

    def settle(self) -> str:
        """Wait until idle after an action and return why the wait ended: "quiet" or "cap"."""
        return self._wait_for_pause(1.0, self._settings.settle_cap_sec)

    def settle_after_load(self, *, fresh: bool) -> str:
        """Wait until idle after a start or after opening a deck; `fresh` for the first one."""
        return self._wait_for_pause(_FIRST_PAUSES if fresh else 1.0, self._settings.answer_sec)

    def wait(self, seconds: float) -> str:
        """Let time pass, then wait until idle."""
        self._detector.wait(seconds, time.monotonic() + seconds)
        return self.settle()

    def recover(self) -> None:
        """Do nothing: the effects of a query end sooner than a pause."""

    def follow(self, span_sec: float) -> None:
        """Do nothing: time is not stopped."""

    def park(self) -> None:
        """Do nothing: no files are open."""

    def catch_up(self) -> None:
        """Return when the input so far has been handled."""
        self.settle()

    def after_input(self, span_sec: float = 0.0) -> None:
        """Do nothing: a pause after every key would take too long."""

    def _wait_for_pause(self, pauses: float, limit_sec: float) -> str:
        quiet_sec = pauses * _PAUSE_SEC
        return "quiet" if self._detector.wait(quiet_sec, time.monotonic() + limit_sec) else "cap"

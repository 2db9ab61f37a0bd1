"""Rest by pauses, where nothing watches inside the application."""

import time
from typing import Protocol

from pptarena.vm_images.guest.settings import Settings

__all__ = ["GuessedRest", "Watch"]

# A program that just started does its first work in bursts; on a computer short of processors the
# time between two of them is long.
_FIRST_PAUSES = 4.0


class Watch(Protocol):
    """Tells when application and screen have been quiet for a while."""

    def wait(self, quiet_sec: float, deadline: float) -> bool:
        """Wait for a pause of `quiet_sec`; return whether it came before the deadline."""


class GuessedRest:
    """Calls a pause in drawing and computing a rest.

    Args:
        watch: Looks at screen and application.
        settings: How long a pause is, and how much faster than real time the desktop's clock runs.
        clock_rate: Another rate than that of the settings.
    """

    def __init__(self, watch: Watch, settings: Settings, clock_rate: float | None = None) -> None:
        self._watch = watch
        self._settings = settings
        self._clock_rate = settings.clock_rate if clock_rate is None else clock_rate

    def settle(self) -> str:
        """Wait for rest after an action and say what ended the waiting: "quiet" or "cap"."""
        return self._quiet(1.0, self._settings.settle_cap_sec)

    def settle_new(self, *, fresh: bool) -> str:
        """The same after a start or after a deck was opened; `fresh` for the first one."""
        return self._quiet(_FIRST_PAUSES if fresh else 1.0, self._settings.answer_sec)

    def wait(self, seconds: float) -> str:
        """Let time pass by the desktop's clock, then come to rest."""
        span_sec = seconds / self._clock_rate
        self._watch.wait(span_sec, time.monotonic() + span_sec)
        return self.settle()

    def recover(self) -> None:
        """Nothing: what a look at the application brings about is over sooner than a pause."""

    def catch_up(self) -> None:
        """Return when the input so far has been handled."""
        self.settle()

    def after_input(self, span_sec: float = 0.0) -> None:
        """Nothing: a pause after every key would take too long."""

    def _quiet(self, pauses: float, limit_sec: float) -> str:
        quiet_sec = pauses * self._settings.quiet_sec
        return "quiet" if self._watch.wait(quiet_sec, time.monotonic() + limit_sec) else "cap"

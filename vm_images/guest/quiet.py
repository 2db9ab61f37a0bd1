"""Tell when application and screen have come to rest.

Two kinds of evidence: the X server's reports of damage say that something was drawn, the
scheduler's figures that the application's main thread or the X server works or waits for a
processor. An application that computes draws nothing for a while, so pixels alone would call it
quiet too soon; one that waits for a screen short of a processor looks idle itself.
"""

import select
import time
from collections.abc import Callable

from Xlib.display import Display
from Xlib.ext import damage

__all__ = ["RestWatch", "busy_seconds"]

_SLICES = 2.5  # looks at the processes in one pause that counts as rest
_BUSY_SHARE = 0.15  # of a slice: less than this is the idle turning of its event loop
_SCREEN_SHARE = 0.5  # of a slice: less than this is a viewer that looks for changes


def busy_seconds(pid: int) -> float:
    """Return how long the main thread of a process has run or waited to run, in seconds.

    Source: the first two fields of ``/proc/<pid>/schedstat``, in nanoseconds (Linux,
    Documentation/scheduler/sched-stats). A process that is gone counts as zero.
    """
    try:
        with open(f"/proc/{pid}/schedstat", "rb") as file:
            running, waiting, _ = file.read().split()
    except (OSError, ValueError):
        return 0.0
    return (int(running) + int(waiting)) / 1e9


class RestWatch:
    """Waits for rest on one X display.

    Args:
        display: Name of the display, such as ``":1"``.
        busy: Returns the growing number of seconds that the application has been busy.
        screen_busy: The same of the X server.
    """

    def __init__(
        self, display: str, busy: Callable[[], float], screen_busy: Callable[[], float]
    ) -> None:
        self._busy = busy
        self._screen_busy = screen_busy
        self._display = Display(display)
        self._display.damage_query_version()
        root = self._display.screen().root
        # "NonEmpty" sends one event until the damage is taken away: cheap under heavy drawing.
        self._damage = root.damage_create(damage.DamageReportNonEmpty)
        self._display.sync()
        self.drain()

    def drain(self) -> bool:
        """Take away all damage so far; return whether there was any."""
        found = False
        while self._display.pending_events():
            self._display.next_event()
            found = True
            if not self._display.pending_events():
                self._display.damage_subtract(self._damage)
                self._display.sync()
        return found

    def wait(self, quiet_sec: float, deadline: float) -> bool:
        """Wait until nothing was drawn and nothing computed for `quiet_sec`.

        Args:
            quiet_sec: Length of the pause that counts as rest, in seconds.
            deadline: `time.monotonic` moment at which waiting ends anyhow.

        Returns:
            Whether there was rest before the deadline.
        """
        now = last = time.monotonic()
        busy, screen = self._busy(), self._screen_busy()
        slice_sec = quiet_sec / _SLICES
        while now - last < quiet_sec:
            if now >= deadline:
                return False
            until = min(now + slice_sec, last + quiet_sec, deadline)
            drawn = bool(select.select([self._display.fileno()], [], [], until - now)[0])
            drawn = drawn and self.drain()
            before, now = now, time.monotonic()
            busy, so_far = self._busy(), busy
            screen, screen_so_far = self._screen_busy(), screen
            span_sec = now - before
            works = busy - so_far > _BUSY_SHARE * span_sec
            draws = screen - screen_so_far > _SCREEN_SHARE * span_sec
            if drawn or works or draws:
                last = now
        return True

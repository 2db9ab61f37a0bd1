"""Detect when application and screen are idle, where the system reports no screen damage."""

import time
from collections.abc import Callable

__all__ = ["ScreenPauseDetector"]

_SLICE_SEC = 0.02  # between two screenshots
_MIN_SEC = 0.001
_BUSY_SHARE = 0.15  # of a slice: less than this is the idle activity of an event loop


class ScreenPauseDetector:
    """Compares successive screens and measures the CPU time of the application.

    Args:
        pixels: Returns the current screen.
        busy: Returns the total CPU time of the application in seconds.
        clock: Returns the time in seconds.
        sleep: Waits for a number of seconds.
    """

    def __init__(
        self,
        pixels: Callable[[], bytes],
        busy: Callable[[], float],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._pixels = pixels
        self._busy = busy
        self._clock = clock
        self._sleep = sleep

    def wait(self, quiet_sec: float, deadline: float) -> bool:
        """Wait until the screen is unchanged and the CPU almost idle for `quiet_sec`.

        Args:
            quiet_sec: Length of the pause that counts as idle, in seconds.
            deadline: Time of `clock` at which the wait ends in any case.

        Returns:
            Whether it was idle before the deadline.
        """
        pixels, busy_sec = self._pixels(), self._busy()
        now = last_active = self._clock()
        while now - last_active < quiet_sec:
            if now >= deadline:
                return False
            self._sleep(
                max(_MIN_SEC, min(_SLICE_SEC, deadline - now, last_active + quiet_sec - now))
            )
            new_pixels, new_busy_sec, new_now = self._pixels(), self._busy(), self._clock()
            if new_pixels != pixels or new_busy_sec - busy_sec > _BUSY_SHARE * (new_now - now):
                last_active = new_now
            pixels, busy_sec, now = new_pixels, new_busy_sec, new_now
        return True

"""Detect when application and screen are idle, where the system reports no screen damage."""

import time
from collections.abc import Callable

__all__ = ["PixelRest"]

_SLICE_SEC = 0.02  # between two screenshots
_LEAST_SEC = 0.001
_BUSY_SHARE = 0.15  # of a slice: less than this is the idle activity of an event loop


class PixelRest:
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
        picture, busy = self._pixels(), self._busy()
        now = last = self._clock()
        while now - last < quiet_sec:
            if now >= deadline:
                return False
            self._sleep(max(_LEAST_SEC, min(_SLICE_SEC, deadline - now, last + quiet_sec - now)))
            seen, so_far, then = self._pixels(), self._busy(), self._clock()
            if seen != picture or so_far - busy > _BUSY_SHARE * (then - now):
                last = then
            picture, busy, now = seen, so_far, then
        return True

"""Tell when application and screen have come to rest, where the system reports no damage."""

import time
from collections.abc import Callable

__all__ = ["PixelRest"]

_SLICE_SEC = 0.02  # between two looks at the screen
_LEAST_SEC = 0.001
_BUSY_SHARE = 0.15  # of a slice: less than this is the idle turning of an event loop


class PixelRest:
    """Compares the screen with itself and asks how much the application has computed.

    Args:
        pixels: Returns the screen as it is now.
        busy: Returns the growing number of seconds that the application has computed.
        clock: Returns the time in seconds.
        sleep: Waits that many seconds.
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
        """Wait until the same picture was seen, and little computed, for `quiet_sec`.

        Args:
            quiet_sec: Length of the pause that counts as rest, in seconds.
            deadline: Moment of `clock` at which waiting ends anyhow.

        Returns:
            Whether there was rest before the deadline.
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

"""Growing time intervals, for waits that draw a frame per interval and use only the last one."""

from pptarena.vm_images.guest.clock import SECOND_NS

__all__ = ["GrowingIntervals"]

_MAX_NS = SECOND_NS // 10


class GrowingIntervals:
    """Time intervals, each twice as long as the one before, up to a tenth of a second.

    An endless animation or slide show thus takes about 20 frames per step; 60 frames a second would
    cost seconds of CPU time.

    Args:
        first_ns: The first interval.
        end_ns: Target time. The last interval before it is shortened, but not below `first_ns`.
            None if there is no target.
    """

    def __init__(self, first_ns: int, end_ns: int | None = None) -> None:
        self._first_ns = first_ns
        self._end_ns = end_ns
        self._next_ns = first_ns

    def next_ns(self, now_ns: int) -> int:
        """Return the length of the next interval, which starts at `now_ns`."""
        interval_ns = self._next_ns
        self._next_ns = min(_MAX_NS, 2 * interval_ns)
        if self._end_ns is None or now_ns >= self._end_ns:
            return interval_ns
        return min(interval_ns, max(self._first_ns, self._end_ns - now_ns))

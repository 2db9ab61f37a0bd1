"""In what pieces time goes by where every piece costs a picture, and only the last is looked at."""

from pptarena.vm_images.guest.clock import SECOND_NS

__all__ = ["GrowingPieces"]

_MOST_NS = SECOND_NS // 10


class GrowingPieces:
    """Lengths of time, each twice as long as the one before, up to a tenth of a second.

    An animation without end and a slide show between two pictures are carried over the time of a
    step in a score of pictures this way, where 60 a second would cost seconds of work.

    Args:
        first_ns: The first one.
        end_ns: A moment that no piece leads far beyond: the last before it is shorter, but not
            shorter than the first one. None if there is no such moment.
    """

    def __init__(self, first_ns: int, end_ns: int | None = None) -> None:
        self._first_ns = first_ns
        self._end_ns = end_ns
        self._next_ns = first_ns

    def next_ns(self, now_ns: int) -> int:
        """Return the length of the next piece, which begins at `now_ns`."""
        piece_ns = self._next_ns
        self._next_ns = min(_MOST_NS, 2 * piece_ns)
        if self._end_ns is None or now_ns >= self._end_ns:
            return piece_ns
        return min(piece_ns, max(self._first_ns, self._end_ns - now_ns))

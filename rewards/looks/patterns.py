"""Whether a drawing still has its pattern: amounts of ink are equal for a mirrored picture, too."""

from typing import Final

import numpy as np

from pptarena.decks.visibility.pictures import Flags, Pixels, changed_pixels, marks

__all__ = ["lost_pattern"]

_LEAST_MARKS: Final = 60  # fewer pixels with contrast around them make no pattern
_MARGIN: Final = 6
_RIM: Final = 3
_FULLY: Final = 0.6  # share of its marks from which a pattern counts as the same


def lost_pattern(before: tuple[Pixels, Pixels], now: tuple[Pixels, Pixels]) -> float:
    """Return how much of a drawing's pattern is lost, in [0, 1].

    Only pixels that the drawing colors in both pictures count, so that covering a part of it
    loses nothing here. Marks are those of `marks`: other colors and a shift of two pixels lose
    nothing either.

    Args:
        before: The picture of the slide, and the same without the drawing.
        now: The same of the slide as it is now.
    """
    if before[0].shape != now[0].shape:
        return 1.0
    both = (changed_pixels(*before) > 0) & (changed_pixels(*now) > 0)
    if both.sum() < _LEAST_MARKS:
        return 0.0
    rows, columns = (np.flatnonzero(both.any(axis=axis)) for axis in (1, 0))
    part = tuple(
        slice(max(0, each[0] - _MARGIN), each[-1] + _MARGIN + 1) for each in (rows, columns)
    )
    found, lost = marks(before[0][part], now[0][part])
    # The outline of a drawing has another contrast where another background is behind it.
    inside = found & _without_rim(both[part])
    own = inside if inside.sum() >= _LEAST_MARKS else found & both[part]
    count = int(own.sum())
    share = float((lost & own).sum() / count) if count >= _LEAST_MARKS else 0.0
    return max(0.0, 1 - (1 - share) / _FULLY)


def _without_rim(flags: Flags) -> Flags:
    found = np.pad(flags, _RIM)
    for axis in (0, 1):
        steps = [np.roll(found, step, axis) for step in range(-_RIM, _RIM + 1)]
        found = np.logical_and.reduce(steps)
    return np.asarray(found[_RIM:-_RIM, _RIM:-_RIM])

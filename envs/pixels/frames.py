"""Rectangles with four drawn or contrasting sides, such as buttons, fields and thumbnails."""

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.pixels.components import dilated, runs, steps_down, steps_right
from pptarena.envs.pixels.detection import Box, Screenshot

__all__ = ["frame_boxes"]

_CONTRAST = 10
_SIDE_MIN_PX, _HEIGHT_MAX_PX = 9, 320
_CORNER_PX = 6  # corners may be round
_SIDE_SHARE = 0.8
_PER_TOP = 3  # a bar across the top of a thumbnail also ends at its sides
_LINES_MAX = 6000


def frame_boxes(screenshot: Screenshot) -> list[Box]:
    """Return rectangles whose four sides contrast with what is next to them, from top to bottom.

    Several similar boxes can stand for one rectangle, because a drawn line has two edges.
    """
    rows, starts, ends = runs(steps_down(screenshot, _CONTRAST))
    long = np.nonzero(ends - starts >= _SIDE_MIN_PX)[0][:_LINES_MAX]
    rows, starts, ends = rows[long], starts[long], ends[long]
    columns = dilated(steps_right(screenshot, _CONTRAST), 2, 0)
    sides = np.zeros((columns.shape[0] + 1, columns.shape[1] + 1), np.int32)
    sides[1:, :-1] = columns.cumsum(0)
    found: list[Box] = []
    for at in range(len(rows)):
        below = _bottoms(at, rows, starts, ends)
        complete = [other for other in below if _has_sides(at, other, rows, starts, ends, sides)]
        for other in complete[:_PER_TOP]:
            left, right = min(starts[at], starts[other]), max(ends[at], ends[other])
            found.append((int(left), int(rows[at]), int(right - left), int(rows[other] - rows[at])))
    return found


Numbers = NDArray[np.intp]


def _bottoms(at: int, rows: Numbers, starts: Numbers, ends: Numbers) -> Numbers:
    """Return the lines below a line that have about the same ends, from top to bottom."""
    first = np.searchsorted(rows, rows[at] + _SIDE_MIN_PX)
    last = np.searchsorted(rows, rows[at] + _HEIGHT_MAX_PX)
    near = np.abs(starts[first:last] - starts[at]) <= _CORNER_PX
    near &= np.abs(ends[first:last] - ends[at]) <= _CORNER_PX
    lines: Numbers = np.nonzero(near)[0] + first
    return lines


def _has_sides(
    at: int, other: int, rows: Numbers, starts: Numbers, ends: Numbers, sides: NDArray[np.int32]
) -> bool:
    corner = min(_CORNER_PX, (rows[other] - rows[at]) // 4)
    top, bottom = rows[at] + corner, rows[other] - corner
    wanted = _SIDE_SHARE * (bottom - top)
    lefts = range(min(starts[at], starts[other]) - _CORNER_PX, max(starts[at], starts[other]) + 2)
    rights = range(min(ends[at], ends[other]) - 1, max(ends[at], ends[other]) + _CORNER_PX + 1)
    return all(
        any(0 <= x < sides.shape[1] and sides[bottom, x] - sides[top, x] >= wanted for x in columns)
        for columns in (lefts, rights)
    )

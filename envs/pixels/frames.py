"""Rectangles with four drawn or contrasting sides, such as buttons, fields and thumbnails."""

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.pixels.components import dilate, runs, steps_down, steps_right
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
    is_long = np.nonzero(ends - starts >= _SIDE_MIN_PX)[0][:_LINES_MAX]
    rows, starts, ends = rows[is_long], starts[is_long], ends[is_long]
    columns = dilate(steps_right(screenshot, _CONTRAST), 2, 0)
    sides = np.zeros((columns.shape[0] + 1, columns.shape[1] + 1), np.int32)
    sides[1:, :-1] = columns.cumsum(0)
    boxes: list[Box] = []
    for line in range(len(rows)):
        candidates = _bottoms(line, rows, starts, ends)
        bottoms = [
            lower for lower in candidates if _has_sides(line, lower, rows, starts, ends, sides)
        ]
        for lower in bottoms[:_PER_TOP]:
            left, right = min(starts[line], starts[lower]), max(ends[line], ends[lower])
            boxes.append(
                (int(left), int(rows[line]), int(right - left), int(rows[lower] - rows[line]))
            )
    return boxes


Numbers = NDArray[np.intp]


def _bottoms(line: int, rows: Numbers, starts: Numbers, ends: Numbers) -> Numbers:
    """Return the lines below a line that have about the same ends, from top to bottom."""
    first = np.searchsorted(rows, rows[line] + _SIDE_MIN_PX)
    last = np.searchsorted(rows, rows[line] + _HEIGHT_MAX_PX)
    is_aligned = np.abs(starts[first:last] - starts[line]) <= _CORNER_PX
    is_aligned &= np.abs(ends[first:last] - ends[line]) <= _CORNER_PX
    lines: Numbers = np.nonzero(is_aligned)[0] + first
    return lines


def _has_sides(
    line: int, lower: int, rows: Numbers, starts: Numbers, ends: Numbers, sides: NDArray[np.int32]
) -> bool:
    corner = min(_CORNER_PX, (rows[lower] - rows[line]) // 4)
    top, bottom = rows[line] + corner, rows[lower] - corner
    min_length = _SIDE_SHARE * (bottom - top)
    lefts = range(
        min(starts[line], starts[lower]) - _CORNER_PX, max(starts[line], starts[lower]) + 2
    )
    rights = range(min(ends[line], ends[lower]) - 1, max(ends[line], ends[lower]) + _CORNER_PX + 1)
    return all(
        any(
            0 <= x < sides.shape[1] and sides[bottom, x] - sides[top, x] >= min_length
            for x in columns
        )
        for columns in (lefts, rights)
    )

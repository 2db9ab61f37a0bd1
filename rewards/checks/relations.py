"""Relations of one box to another, as a distance in EMU from where the box should be."""

from collections.abc import Callable, Mapping
from typing import Literal

from pptarena.decks import Box

__all__ = ["EDGES", "RELATIONS", "Edge", "Relation"]

Edge = Literal["left", "center", "right", "top", "middle", "bottom"]
Relation = Literal[
    "left_of", "right_of", "above", "below", "align_left", "align_right", "align_top",
    "align_bottom", "center_x", "center_y", "same_width", "same_height", "inside", "no_overlap",
    "beside", "stacked",
]  # fmt: skip

EDGES: Mapping[str, Callable[[Box], float]] = {
    "left": lambda box: box.left,
    "center": lambda box: box.left + box.width / 2,
    "right": lambda box: box.right,
    "top": lambda box: box.top,
    "middle": lambda box: box.top + box.height / 2,
    "bottom": lambda box: box.bottom,
}
"""Where a box has an edge or a middle line, in EMU."""


def _apart(edge: str) -> Callable[[Box, Box], float]:
    place = EDGES[edge]
    return lambda box, other: abs(place(box) - place(other))


def _sticks_out(box: Box, other: Box) -> float:
    across = max(other.left - box.left, box.right - other.right)
    return max(0, across, other.top - box.top, box.bottom - other.bottom)


def _overlap(box: Box, other: Box) -> float:
    """Return the shortest distance that a box must move to end the overlap."""
    width = min(box.right, other.right) - max(box.left, other.left)
    height = min(box.bottom, other.bottom) - max(box.top, other.top)
    return max(0, min(width, height))


def _next_to(box: Box, other: Box) -> float:
    """Return how far a box is from a position left or right of another, at the same height."""
    apart = max(box.left - other.right, other.left - box.right)
    level = _apart("middle")(box, other) - (box.height + other.height) / 4
    return max(0.0, -apart) + max(0.0, level)


def _piled(box: Box, other: Box) -> float:
    """Return how far a box is from a position above or below another, in the same column."""
    apart = max(box.top - other.bottom, other.top - box.bottom)
    level = _apart("center")(box, other) - (box.width + other.width) / 4
    return max(0.0, -apart) + max(0.0, level)


RELATIONS: Mapping[str, Callable[[Box, Box], float]] = {
    "left_of": lambda box, other: box.right - other.left,
    "right_of": lambda box, other: other.right - box.left,
    "above": lambda box, other: box.bottom - other.top,
    "below": lambda box, other: other.bottom - box.top,
    "align_left": _apart("left"),
    "align_right": _apart("right"),
    "align_top": _apart("top"),
    "align_bottom": _apart("bottom"),
    "center_x": _apart("center"),
    "center_y": _apart("middle"),
    "same_width": lambda box, other: abs(box.width - other.width),
    "same_height": lambda box, other: abs(box.height - other.height),
    "inside": _sticks_out,
    "no_overlap": _overlap,
    "beside": _next_to,
    "stacked": _piled,
}
"""How far a box is from a relation to another, in EMU; 0 or less where the relation holds."""

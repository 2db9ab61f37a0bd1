"""Compare positions and sizes as OSWorld does."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from pptx.enum.shapes import MSO_SHAPE_TYPE

from pptarena.benchmarks.osworld.positions import TITLE

__all__ = ["geometry_differs"]

# The published code contains the same constants for single tasks.
_LOW_EMU, _RIGHT_EMU, _HIGH_EMU = 3_600_000, 4_320_000, 1_980_000
_TABLE_SLIDE, _MOVED_SLIDE = 3, 2
_FREE_TEXT = "Elaborate on what you want to discuss."

_Rule = Callable[[Any, Any, int, float], str]


def geometry_differs(
    first: Any, second: Any, number: int, examined: frozenset[str], tolerance: float
) -> str:
    """Return how the geometry of two shapes differs; empty if it does not.

    Args:
        first: The shape to evaluate.
        second: Its counterpart; for position options, the counterpart is at the original position.
        number: Position of their slides, from 1.
        examined: Names of the compared properties.
        tolerance: Relative tolerance of lengths.
    """
    for name, rule in _RULES.items():
        if name in examined and (reason := rule(first, second, number, tolerance)):
            return reason
    return ""


def _box_differs(first: Any, second: Any, tolerance: float) -> str:
    for side in ("left", "top", "width", "height"):
        one, other = getattr(first, side), getattr(second, side)
        if not _is_near(one, other, tolerance):
            return f"{side} is {one} instead of {other}"
    return ""


def _is_near(one: int | None, other: int | None, tolerance: float) -> bool:
    if one == other:
        return True
    if not one or not other:
        return False
    return abs(one - other) <= tolerance * max(abs(one), abs(other))


def _shape(first: Any, second: Any, number: int, tolerance: float) -> str:
    return _box_differs(first, second, tolerance)


def _title_bottom(first: Any, second: Any, number: int, tolerance: float) -> str:
    both_have_text = first.has_text_frame and second.has_text_frame
    if not both_have_text or first.text_frame.text != second.text_frame.text:
        return _box_differs(first, second, tolerance)
    if first.text_frame.text != TITLE:
        return ""
    return _bottom_problem(first, second)


def _table_bottom(first: Any, second: Any, number: int, tolerance: float) -> str:
    if number == _TABLE_SLIDE and _both_are(MSO_SHAPE_TYPE.TABLE, first, second):
        return _bottom_problem(first, second)
    return _box_differs(first, second, tolerance)


def _bottom_problem(first: Any, second: Any) -> str:
    is_low = first.top > second.top and first.top >= _LOW_EMU
    return "" if is_low else f"top is {first.top}, not at the bottom"


def _right(first: Any, second: Any, number: int, tolerance: float) -> str:
    if number != _MOVED_SLIDE or first.has_text_frame or second.has_text_frame:
        return ""
    is_right = first.left > second.left and first.left >= _RIGHT_EMU
    return "" if is_right else f"left is {first.left}, not on the right"


def _top(first: Any, second: Any, number: int, tolerance: float) -> str:
    if number != _MOVED_SLIDE or not _both_are(MSO_SHAPE_TYPE.PICTURE, first, second):
        return ""
    is_high = first.top < second.top and first.top <= _HIGH_EMU
    return "" if is_high else f"top is {first.top}, not at the top"


def _shift(first: Any, second: Any, number: int, tolerance: float) -> str:
    texts = [shape.text_frame.text for shape in (first, second) if shape.has_text_frame]
    return "" if texts == [_FREE_TEXT] * 2 else _box_differs(first, second, tolerance)


def _image_size(first: Any, second: Any, number: int, tolerance: float) -> str:
    if not _both_are(MSO_SHAPE_TYPE.PICTURE, first, second):
        return _box_differs(first, second, tolerance)
    for side in ("width", "height"):
        if not _is_near(getattr(first, side), getattr(second, side), tolerance):
            return f"{side} is {getattr(first, side)} instead of {getattr(second, side)}"
    return ""


def _height(first: Any, second: Any, number: int, tolerance: float) -> str:
    without_text = not first.has_text_frame and not second.has_text_frame
    if not without_text and not _both_are(MSO_SHAPE_TYPE.FREEFORM, first, second):
        return _box_differs(first, second, tolerance)
    is_near = _is_near(first.height, second.height, tolerance)
    return "" if is_near else f"height is {first.height} instead of {second.height}"


def _both_are(shape_type: MSO_SHAPE_TYPE, first: Any, second: Any) -> bool:
    return bool(first.shape_type == shape_type and second.shape_type == shape_type)


_RULES: Final[Mapping[str, _Rule]] = {
    "title_bottom_position": _title_bottom,
    "table_bottom_position": _table_bottom,
    "right_position": _right,
    "top_position": _top,
    "shape_for_shift_size": _shift,
    "shape": _shape,
    "image_size": _image_size,
    "modify_height": _height,
}

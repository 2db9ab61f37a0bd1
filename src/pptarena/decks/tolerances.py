"""Tolerances for equal values: larger than rounding by saving, smaller than what is visible."""

from typing import Final

__all__ = [
    "ANGLE_TOLERANCE_DEG",
    "COLOR_TOLERANCE",
    "LENGTH_TOLERANCE_EMU",
    "OPACITY_TOLERANCE_PCT",
    "TIME_TOLERANCE_SEC",
    "TYPE_TOLERANCE_PT",
]

# Two pixels at 96 dpi (19,050 EMU), an invisible difference. Rounding by applications that store
# hundredths of a millimeter (360 EMU) stays far below, even if repeated.
LENGTH_TOLERANCE_EMU: Final = 19_100
COLOR_TOLERANCE: Final = 6.0  # distance in RGB space, as in `rgb_distance`
TYPE_TOLERANCE_PT: Final = 0.3
TIME_TOLERANCE_SEC: Final = 0.05
ANGLE_TOLERANCE_DEG: Final = 0.2
OPACITY_TOLERANCE_PCT: Final = 1.0

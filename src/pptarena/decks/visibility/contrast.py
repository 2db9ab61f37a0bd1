"""Color contrast as defined by WCAG 2.

Source: Web Content Accessibility Guidelines 2.2, https://www.w3.org/TR/WCAG22/, definitions of
"relative luminance" and "contrast ratio", and success criterion 1.4.3 for the limits.
"""

from functools import lru_cache
from typing import Final

__all__ = [
    "LARGE_BOLD_PT",
    "LARGE_PT",
    "blend",
    "contrast_ratio",
    "least_contrast",
    "relative_luminance",
]

LARGE_PT: Final = 18.0
"""Minimum size of large-scale text."""
LARGE_BOLD_PT: Final = 14.0
"""Minimum size of bold large-scale text."""


@lru_cache(maxsize=4096)
def relative_luminance(color: str) -> float:
    """Return the relative luminance of ``#RRGGBB``, 0 for black to 1 for white."""
    red, green, blue = (_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast ratio of two colors ``#RRGGBB``, 1 to 21."""
    low, high = sorted((relative_luminance(first), relative_luminance(second)))
    return (high + 0.05) / (low + 0.05)


def least_contrast(size_pt: float, bold: bool) -> float:
    """Return the ratio that level AA requires: 3 for large-scale text, else 4.5."""
    large = size_pt >= LARGE_PT or (bold and size_pt >= LARGE_BOLD_PT)
    return 3.0 if large else 4.5


def blend(front: str, back: str, opacity_pct: float) -> str:
    """Return the color of a semitransparent color in front of another one."""
    share = min(100.0, max(0.0, opacity_pct)) / 100
    parts = ((int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in parts)


def _linear(part: float) -> float:
    # WCAG specifies 0.03928, sRGB 0.04045; no 8-bit color is between the two.
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

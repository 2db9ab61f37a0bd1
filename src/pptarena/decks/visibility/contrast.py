"""Color contrast as defined by WCAG 2.

Source: Web Content Accessibility Guidelines 2.2, https://www.w3.org/TR/WCAG22/, definitions of
"relative luminance" and "contrast ratio", and success criterion 1.4.3 for the limits.
"""

import re
from functools import lru_cache
from typing import Final

from pptarena.decks import RunStyle
from pptarena.decks.read.color import linear, rgb_distance

__all__ = [
    "LARGE_BOLD_PT",
    "LARGE_PT",
    "MIN_OPACITY_PCT",
    "blend",
    "contrast_ratio",
    "relative_luminance",
    "required_contrast",
    "why_indistinguishable",
    "why_unreadable",
    "with_highlight",
]

LARGE_PT: Final = 18.0
"""Minimum size of large-scale text."""
LARGE_BOLD_PT: Final = 14.0
"""Minimum size of bold large-scale text."""


@lru_cache(maxsize=4096)
def relative_luminance(color: str) -> float:
    """Return the relative luminance of ``#RRGGBB``, 0 for black to 1 for white."""
    # WCAG specifies the bound 0.03928, sRGB 0.04045; no 8-bit color is between the two.
    red, green, blue = (linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast ratio of two colors ``#RRGGBB``, 1 to 21."""
    low, high = sorted((relative_luminance(first), relative_luminance(second)))
    return (high + 0.05) / (low + 0.05)


def required_contrast(size_pt: float, bold: bool) -> float:
    """Return the ratio that level AA requires: 3 for large-scale text, else 4.5."""
    is_large = size_pt >= LARGE_PT or (bold and size_pt >= LARGE_BOLD_PT)
    return 3.0 if is_large else 4.5


def blend(front: str, back: str, opacity_pct: float) -> str:
    """Return the result of blending a semitransparent color over another."""
    share = min(100.0, max(0.0, opacity_pct)) / 100
    parts = ((int(front[i : i + 2], 16), int(back[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in parts)


MIN_CONTRAST: Final = 1.6
# Text of a different hue is readable at any contrast.
MIN_DISTANCE: Final = 120.0
MIN_OPACITY_PCT: Final = 10
MIN_SIZE_PT: Final = 6.0
MIN_SHRUNK_PT: Final = 3.0
MAX_SPACING: Final = 1.0
MIN_SPACING: Final = -0.5
MAX_BASELINE_PCT: Final = 100
_COLOR = re.compile(r"#[0-9A-F]{6}")
_BACKWARDS = "\N{RIGHT-TO-LEFT OVERRIDE}"


def why_unreadable(text: str, style: RunStyle, scale: float) -> str:
    """Return why text is unreadable regardless of its background; empty if it is readable."""
    # The size as set is exact; the font scale is an estimate.
    if style.size_pt < MIN_SIZE_PT or style.size_pt * scale <= MIN_SHRUNK_PT:
        return "its text is too small to read"
    if style.opacity_pct < MIN_OPACITY_PCT and not style.outlined:
        return "its text is transparent"
    if not MIN_SPACING <= style.spacing_pt / style.size_pt <= MAX_SPACING and len(text) > 1:
        return "its characters are too far apart or overlap"
    if abs(style.baseline) > MAX_BASELINE_PCT:
        return "its characters are off the baseline"
    if _BACKWARDS in text:
        return "its text runs backwards"
    return ""


def why_indistinguishable(style: RunStyle, backgrounds: frozenset[str] | None) -> str:
    """Return why text is indistinguishable from its background; empty if it is readable."""
    text_colors = _text_colors(style)
    if backgrounds is None or not text_colors:
        return ""
    for color, opacity in text_colors:
        for back in backgrounds:
            blended = blend(color, back, opacity)
            ratio, distance = contrast_ratio(blended, back), rgb_distance(blended, back)
            if ratio >= MIN_CONTRAST or distance >= MIN_DISTANCE:
                return ""
    return "its text has the color of the background"


def _text_colors(style: RunStyle) -> list[tuple[str, float]]:
    """Return colors with opacity of fill, outline and effects of text; empty if unknown."""
    fill_colors = [] if style.color is None else [(style.color, float(style.opacity_pct))]
    detail_colors = _COLOR.findall(style.detail)
    if (style.outlined or style.detail) and not detail_colors:
        return []
    return fill_colors + [(color, 100.0) for color in detail_colors]


def with_highlight(style: RunStyle, backgrounds: frozenset[str] | None) -> frozenset[str] | None:
    """Return the colors behind text: the highlight color, if there is one."""
    return backgrounds if style.highlight is None else frozenset((style.highlight,))

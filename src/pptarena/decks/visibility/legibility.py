"""Check whether text is readable, from its formatting and the colors behind it."""

import re
from typing import Final

from pptarena.decks import RunStyle
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.visibility.contrast import blend, contrast_ratio

__all__ = ["LEAST_OPACITY_PCT", "lost", "unreadable", "with_highlight"]

LEAST_CONTRAST: Final = 1.6
# Text of a different hue is readable at any contrast.
LEAST_DISTANCE: Final = 120.0
LEAST_OPACITY_PCT: Final = 10
LEAST_SIZE_PT: Final = 6.0
LEAST_SHRUNK_PT: Final = 3.0
MOST_SPACING: Final = 1.0
LEAST_SPACING: Final = -0.5
MOST_BASELINE_PCT: Final = 100
_COLOR = re.compile(r"#[0-9A-F]{6}")
_BACKWARDS = "\N{RIGHT-TO-LEFT OVERRIDE}"


def unreadable(text: str, style: RunStyle, scale: float) -> str:
    """Return why text is unreadable regardless of its background; empty if it is readable.

    Args:
        text: The text.
        style: Its formatting.
        scale: Font scale applied by autofit.
    """
    # The size as set is exact; the font scale is an estimate.
    if style.size_pt < LEAST_SIZE_PT or style.size_pt * scale <= LEAST_SHRUNK_PT:
        return "its text is too small to read"
    if style.opacity_pct < LEAST_OPACITY_PCT and not style.outlined:
        return "its text is transparent"
    if not LEAST_SPACING <= style.spacing_pt / style.size_pt <= MOST_SPACING and len(text) > 1:
        return "its characters are too far apart or overlap"
    if abs(style.baseline) > MOST_BASELINE_PCT:
        return "its characters are off the baseline"
    if _BACKWARDS in text:
        return "its text runs backwards"
    return ""


def lost(style: RunStyle, behind: frozenset[str] | None) -> str:
    """Return why text is indistinguishable from its background; empty if it is readable.

    Args:
        style: Its formatting.
        behind: All background colors, as ``#RRGGBB``; None if unknown.
    """
    inks = _inks(style)
    if behind is None or not inks:
        return ""
    for color, opacity in inks:
        for back in behind:
            ink = blend(color, back, opacity)
            if _differ(ink, back):
                return ""
    return "its text has the color of the background"


def _inks(style: RunStyle) -> list[tuple[str, float]]:
    """Return colors with opacity of fill, outline and effects of text; empty if unknown."""
    found = [] if style.color is None else [(style.color, float(style.opacity_pct))]
    unusual = _COLOR.findall(style.detail)
    if (style.outlined or style.detail) and not unusual:
        return []
    return found + [(color, 100.0) for color in unusual]


def _differ(ink: str, back: str) -> bool:
    return contrast_ratio(ink, back) >= LEAST_CONTRAST or rgb_distance(ink, back) >= LEAST_DISTANCE


def with_highlight(style: RunStyle, behind: frozenset[str] | None) -> frozenset[str] | None:
    """Return the colors behind text: the highlight color, if there is one."""
    return behind if style.highlight is None else frozenset((style.highlight,))

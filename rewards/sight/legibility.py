"""Whether letters can be read, from their own look and the colours behind them."""

from typing import Final

from pptarena.rewards.deck import RunStyle
from pptarena.rewards.deck.color import rgb_distance
from pptarena.rewards.sight.contrast import blend, contrast_ratio

__all__ = ["LEAST_OPACITY_PCT", "lost", "too_small_or_clear", "with_highlight"]

LEAST_CONTRAST: Final = 1.3
LEAST_DISTANCE: Final = 60.0
LEAST_OPACITY_PCT: Final = 10
LEAST_SIZE_PT: Final = 3.0


def too_small_or_clear(style: RunStyle, scale: float) -> str:
    """Return why letters cannot be read whatever is behind them; empty if they can.

    Args:
        style: What they look like.
        scale: What the application multiplies their size by to make text fit.
    """
    if style.size_pt * scale <= LEAST_SIZE_PT:
        return "its letters are too small to read"
    if style.opacity_pct < LEAST_OPACITY_PCT and not style.outlined:
        return "its letters are transparent"
    return ""


def lost(style: RunStyle, behind: frozenset[str] | None) -> str:
    """Return why letters cannot be told from what is behind them; empty if they can.

    Args:
        style: What they look like.
        behind: All colours there, as ``#RRGGBB``; None if they are not known.
    """
    if behind is None or style.color is None or style.outlined or style.detail:
        return ""
    for back in behind:
        ink = blend(style.color, back, style.opacity_pct)
        if contrast_ratio(ink, back) >= LEAST_CONTRAST or rgb_distance(ink, back) >= LEAST_DISTANCE:
            return ""
    return "its letters have the colour of what is behind them"


def with_highlight(style: RunStyle, behind: frozenset[str] | None) -> frozenset[str] | None:
    """Return the colours behind letters: that of their highlight, if they have one."""
    return behind if style.highlight is None else frozenset((style.highlight,))

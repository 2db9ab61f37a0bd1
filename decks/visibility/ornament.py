"""Looks that nobody gives to a whole text by intention: struck through, raised, far apart."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pptarena.decks import Run, RunStyle

__all__ = ["is_broken_up", "odd_looks"]

_MOST = 0.5
_FAR_APART_PT = 3.0
_BROKEN_LINES = 4
_FEW_WORDS = 1.34
_GAP: Final = re.compile(r"\S(?:\t{3,}|[ \u00a0]{8,})\S")
_PLAIN_LINES: Final = frozenset(("none", "sng"))


def odd_looks(runs: Sequence[Run]) -> Iterator[tuple[str, str]]:
    """Yield what is odd about the look of most letters of a text: a name and plain words for it."""
    every = sum(len(run.text.strip()) for run in runs)
    found: dict[tuple[str, str], int] = {}
    for run in runs:
        for look in _odd(run.style):
            found[look] = found.get(look, 0) + len(run.text.strip())
    yield from (look for look, letters in found.items() if letters > _MOST * every)


def is_broken_up(text: str) -> bool:
    """Return whether a paragraph has gaps in its lines, or hardly more than a word in each line.

    Args:
        text: The text; lines within it end with a vertical tab.
    """
    if _GAP.search(text):
        return True
    lines = [line.split() for line in text.split("\v") if line.strip()]
    return len(lines) >= _BROKEN_LINES and sum(map(len, lines)) <= _FEW_WORDS * len(lines)


def _odd(style: RunStyle) -> Iterator[tuple[str, str]]:
    if style.strike or style.double_strike:
        yield "struck through", "its text is struck through"
    if style.baseline:
        how = "raised" if style.baseline > 0 else "lowered"
        yield "baseline", f"its text is {how} by {abs(style.baseline)}%"
    if style.underline not in _PLAIN_LINES:
        yield "underline", f"its text has an underline of the kind {style.underline!r}"
    if abs(style.spacing_pt) >= _FAR_APART_PT:
        apart = "apart" if style.spacing_pt > 0 else "together"
        yield "spacing", f"its characters are moved {apart} by {abs(style.spacing_pt):.3g} pt"

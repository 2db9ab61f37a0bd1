"""Faults of a changed theme: typefaces of signs, text in nearly the color of the paper."""

from collections.abc import Iterator, Sequence

from pptarena.decks import Deck
from pptarena.decks.diff.masters import match_masters
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.decks.visibility.fitness import Fault, is_symbol_font

__all__ = ["theme_faults"]

_READABLE = 4.5
_UNREADABLE = 3.0
_PAPER_AND_TEXT = (("tx1", "bg1"), ("dk1", "lt1"))


def theme_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield what a theme's typefaces and colors do to the text of all slides."""
    for before, now in match_masters(match):
        old, new = match.original.masters[before], match.current.masters[now]
        if old is new or old.theme == new.theme:
            continue
        fonts = {font for deck in targets for each in deck.masters for font in each.fonts}
        for was, font in zip(old.fonts, new.fonts, strict=True):
            if is_symbol_font(font) and not is_symbol_font(was) and font not in fonts:
                yield Fault("symbols", 0.8, f"the theme's typeface {font} is a symbol font")
        for text, paper in _PAPER_AND_TEXT:
            colors = [_contrast(each.colors, text, paper) for each in (old, new)]
            meant = [_contrast(m.colors, text, paper) for deck in targets for m in deck.masters]
            usual = min([colors[0], *meant])
            if colors[1] < _UNREADABLE and usual >= _READABLE:
                yield Fault("pale", 0.7, "the theme's text hardly differs from its background")
                break


def _contrast(colors: dict[str, str], text: str, paper: str) -> float:
    if text not in colors or paper not in colors:
        return _READABLE
    return contrast_ratio(colors[text], colors[paper])

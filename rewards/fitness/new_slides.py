"""Faults of new slides as such: a background that nothing else in the deck has."""

from collections.abc import Iterator, Sequence

from pptarena.decks import Deck, Paint
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.visibility.fitness import Fault
from pptarena.decks.visibility.layers import paint_colors

__all__ = ["new_slide_faults"]

_OTHER_COLOR = 100.0
_GLARING = 0.6


def new_slide_faults(match: DeckMatch, targets: Sequence[Deck]) -> Iterator[Fault]:
    """Yield new slides whose background neither the deck nor a target has.

    Without a target nobody knows which background was asked for.
    """
    if not targets:
        return
    for index in match.added:
        slide = match.current.slides[index]
        layout = match.current.layout_of(slide)
        known = [each.background for each in match.original.slides]
        known += [] if layout is None else [layout.background]
        known += [each for deck in targets for each in _in_target(match.current, deck, index)]
        if not any(_alike(slide.background, each) for each in known):
            yield Fault(
                "background",
                _GLARING,
                f"new slide {index + 1}: its background differs from the other slides",
            )


def _in_target(current: Deck, target: Deck, index: int) -> list[Paint]:
    at = match_decks(target, current).to_original.get(index)
    # A slide that no slide of the target is like may be any of them.
    return (
        [each.background for each in target.slides]
        if at is None
        else [target.slides[at].background]
    )


def _alike(first: Paint, second: Paint) -> bool:
    if first == second:
        return True
    one, other = paint_colors(first), paint_colors(second)
    if one is None or other is None or first.kind != second.kind:
        return False
    away = (min(rgb_distance(color, back) for back, _ in other) for color, _ in one)
    return max(away) <= _OTHER_COLOR

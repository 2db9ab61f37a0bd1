"""Faults that only pictures of the slides show: what is new or changed does not appear on them."""

from collections.abc import Iterator
from typing import Final

from pptarena.decks import Shape
from pptarena.decks.diff.shapes import shape_differences
from pptarena.decks.edits import Spot
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import Fault
from pptarena.decks.visibility.visibility import LEAST_SHARE, visibility_of
from pptarena.rewards.fitness.work import WorkedShape
from pptarena.rewards.looks.looked import Looked

__all__ = ["RENDERED", "is_as_in_target", "rendered_faults"]

RENDERED: Final = frozenset(("not rendered", "illegible"))
"""Kinds of faults that are yielded here."""

_NOTHING = 0.9
_ILLEGIBLE = 0.7


def rendered_faults(match: DeckMatch, work: WorkedShape, looked: Looked) -> Iterator[Fault]:
    """Yield why a shape cannot be seen or read on the picture of its slide.

    Args:
        match: The original and the deck now.
        work: A shape that is new or was changed.
        looked: What the pictures show; nothing is yielded if no pictures were taken.
    """
    slide, shape = work.slide, work.shape
    if _was_unseen(match, work):
        return
    share = looked.shares.get((slide.index, shape.index), 1.0)
    if share < LEAST_SHARE:
        yield Fault("not rendered", _NOTHING, "the rendered slide does not show it")
    unseen = [each for each in looked.unseen.get(slide.index, ()) if each.spot.shape == shape.index]
    letters = len("".join(shape.all_text.split()))
    if unseen and letters:
        lost = sum(_length(each.spot, letters) for each in unseen)
        yield Fault("illegible", _ILLEGIBLE * min(1.0, lost / letters), unseen[0].reason)


def is_as_in_target(target: Shape, shape: Shape) -> bool:
    """Return whether a shape is the same as in a target, which then shows as much of it."""
    return not any(True for _ in shape_differences(target, shape, lambda link: link))


def _length(spot: Spot, letters: int) -> int:
    """Return how many characters are meant; all letters of the shape for an open end."""
    return letters if spot.end is None else spot.end - spot.start


def _was_unseen(match: DeckMatch, work: WorkedShape) -> bool:
    if work.before is None or work.slide_before is None:
        return False
    visibility, index = visibility_of(match.original), work.slide_before.index
    unseen = work.before.index in visibility.hidden(index)
    return unseen or not visibility.is_visible(index, work.before.index)

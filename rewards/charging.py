"""One harm is charged once: by a leaf of the rubric, or by the price of the damage.

A leaf that the original fulfills and the deck does not asks for nothing: it guards what was right.
What breaks it is damage, and damage has a price of its own. The same holds for what is missing of a
leaf that is nearly fulfilled and is about the very shape that was harmed. Both together would
charge it twice.
"""

from collections.abc import Collection, Iterable

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.view import View
from pptarena.rewards.rubric import RubricNode
from pptarena.rewards.scored import ALMOST_ONE, ScoredNode
from pptarena.rewards.strategies import combine

__all__ = ["Place", "harmed_places", "score_without_harm"]

_NEARLY = 0.75

Place = tuple[int, int | None]
"""Slide of the original, from 1, and index of its shape; None for the slide itself."""


def harmed_places(outside: Iterable[Change]) -> frozenset[Place]:
    """Return where something changed that nobody asked for."""
    return frozenset((c.slide, c.shape_index) for c in outside if c.slide is not None)


def score_without_harm(
    node: RubricNode, scored: ScoredNode, strategy: str, before: View, harmed: Collection[Place]
) -> float | None:
    """Return what a tree would score if no leaf charged for damage.

    Args:
        node: The rubric, or a part of it.
        scored: What it scored.
        strategy: How parents score from their children.
        before: The original, compared with itself.
        harmed: Where something changed that nobody asked for.
    """
    if scored.score is None or node.file:
        return scored.score
    if node.check is not None:
        is_harm = _is_guard(node, scored.score, before) or (
            scored.score >= _NEARLY and _place_of(node, before.original) in harmed
        )
        return 1.0 if is_harm else scored.score
    values = [
        score_without_harm(child, found, strategy, before, harmed)
        for child, found in zip(node.children, scored.children, strict=True)
    ]
    if node.is_any:
        return max((value for value in values if value is not None), default=None)
    scores = [(child.critical, value) for child, value in zip(node.children, values, strict=True)]
    weights = [child.weight for child in node.children]
    return combine(strategy, scores, weights=weights, sequential=node.sequential)


def _is_guard(node: RubricNode, value: float, before: View) -> bool:
    if node.check is None or value >= ALMOST_ONE:
        return False
    if not node.check.is_goal:
        return True
    try:
        return node.check.run(before, node.args).score >= ALMOST_ONE
    except UnscoredError:
        return False


def _place_of(node: RubricNode, original: Deck) -> Place | None:
    """Return the one place of the original that a leaf is about; None for others."""
    slide, selector = node.args.get("slide"), node.args.get("shape")
    if not isinstance(slide, int) or not 1 <= slide <= len(original.slides):
        return None
    if selector is None:
        return slide, None
    shape = find_shape(original.slides[slide - 1], selector)
    return None if shape is None else (slide, shape.index)

"""Charge each harm once: as a rubric leaf or as damage, not as both.

A guard is a leaf that the original deck passes and the submission fails. It requests no edit, so
breaking it is damage, and damage has its own price. The same applies to the missing part of a
nearly fulfilled leaf whose shape was harmed.
"""

from collections.abc import Collection, Iterable

from pptarena.decks import Deck
from pptarena.decks.diff.change import Change
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.view import View
from pptarena.rewards.rubric import Rubric, RubricNode
from pptarena.rewards.scored import ALMOST_ONE, ScoredNode
from pptarena.rewards.strategies import combine

__all__ = ["Place", "harmed_places", "score_without_harm"]

_NEARLY = 0.75

Place = tuple[int, int | None]
"""Slide of the original (1-based) and shape index; None as index stands for the slide itself."""


def harmed_places(outside: Iterable[Change]) -> frozenset[Place]:
    """Return the places of the original where an unrequested change was made."""
    return frozenset((c.slide, c.shape_index) for c in outside if c.slide is not None)


def score_without_harm(
    rubric: Rubric, scored: ScoredNode, before: View, harmed: Collection[Place]
) -> float | None:
    """Return the score of a rubric tree if no leaf charged for damage.

    Args:
        rubric: The rubric.
        scored: The scored tree of its root.
        before: The original deck compared with itself.
        harmed: Places with unrequested changes.
    """
    return _without_harm(rubric.root, scored, rubric, before, harmed)


def _without_harm(
    node: RubricNode, scored: ScoredNode, rubric: Rubric, before: View, harmed: Collection[Place]
) -> float | None:
    if scored.score is None or node.file:
        return scored.score
    if node.check is not None:
        is_harm = _is_guard(node, scored.score, before) or (
            scored.score >= _NEARLY and _place_of(node, before.original) in harmed
        )
        return 1.0 if is_harm else scored.score
    values = [
        _without_harm(child, found, rubric, before, harmed)
        for child, found in zip(node.children, scored.children, strict=True)
    ]
    if node.is_any:
        return max((value for value in values if value is not None), default=None)
    scores = [(child.critical, value) for child, value in zip(node.children, values, strict=True)]
    weights = [child.weight for child in node.children]
    return combine(rubric.strategy, scores, weights=weights, penalty=rubric.penalty)


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
    """Return the place of the original that a leaf refers to, or None if it is not a single one."""
    slide, selector = node.args.get("slide"), node.args.get("shape")
    if not isinstance(slide, int) or not 1 <= slide <= len(original.slides):
        return None
    if selector is None:
        return slide, None
    shape = find_shape(original.slides[slide - 1], selector)
    return None if shape is None else (slide, shape.index)

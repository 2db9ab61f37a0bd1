"""How far shapes stand in an order."""

from collections.abc import Sequence
from itertools import combinations

from pptarena.rewards.checks.pairs import SlidePair
from pptarena.rewards.checks.result import CheckResult

__all__ = ["in_order"]


def in_order(pair: SlidePair, shapes: Sequence[str], order: Sequence[int | None]) -> CheckResult:
    """Return the share of pairs of shapes that come in the right order.

    Args:
        pair: The slide, which is there now.
        shapes: Two or more shapes, as they should follow one another.
        order: Indexes of shapes as they do follow one another; None stands for no shape.
    """
    found = pair.follow_all(shapes)
    places = [
        None if shape is None or shape.index not in order else order.index(shape.index)
        for shape in found
    ]
    pairs = list(combinations(places, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return CheckResult(
        right / len(pairs), f"{pair.label}: {right} of {len(pairs)} pairs are in order"
    )

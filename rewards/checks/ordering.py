"""How far shapes stand in an order."""

from collections.abc import Sequence
from itertools import combinations

from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import SlideView, View

__all__ = ["in_order"]


def in_order(
    view: View, seen: SlideView, shapes: Sequence[str], order: Sequence[int | None]
) -> CheckResult:
    """Return the share of pairs of shapes that come in the right order.

    Args:
        view: Finds the shapes.
        seen: The slide, which is there now.
        shapes: Two or more shapes, as they should follow one another.
        order: Indexes of shapes as they do follow one another; None stands for no shape.
    """
    found = [view.follow(seen, spec) for spec in shapes]
    places = [
        None if shape is None or shape.index not in order else order.index(shape.index)
        for shape in found
    ]
    pairs = list(combinations(places, 2))
    right = sum(a is not None and b is not None and a < b for a, b in pairs)
    return CheckResult(
        right / len(pairs), f"{seen.label}: {right} of {len(pairs)} pairs are in order"
    )

"""Checks of connectors and diagrams (SmartArt)."""

from collections.abc import Sequence
from typing import Literal

from pptarena.decks import Box, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Selector, Texts
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, require
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import ShapePair, SlidePair
from pptarena.rewards.checks.arrangement import EDGES, common_sides
from pptarena.rewards.checks.text import score_texts


@slide_check()
def connector_joins(
    pair: SlidePair,
    from_shape: Selector,
    to_shape: Selector,
    directed: bool = True,
    between: bool = False,
    towards: Literal["left", "right", "up", "down"] | None = None,
) -> CheckResult:
    """Measure whether a connector is glued to two shapes; one end, or the wrong way, earns half.

    A connector whose other end is glued to a third shape earns nothing.

    Args:
        between: Whether the connector must run between the shapes; one that crosses them earns
            half.
        towards: Where the second shape must be, as seen from the first shape.
    """
    missing = f"{pair.label} lacks one of the two shapes"
    ends = (
        require(_current_shape(pair, from_shape), missing),
        require(_current_shape(pair, to_shape), missing),
    )
    target_indexes = ends[0].index, ends[1].index
    if towards is not None and _direction(ends[0].box, ends[1].box) != towards:
        return CheckResult(0.0, f"{to_shape} is not {towards} of {from_shape} on {pair.label}")
    shapes = [shape for shape in pair.after.shapes if pair.counts(shape)]
    best = max(
        (
            _join_score(shape.connects, target_indexes, directed)
            * _clearance_factor(shape, ends if between else ())
            for shape in shapes
        ),
        default=0.0,
    )
    phrases = {1.0: "a connector joins", 0.5: "a connector only partly joins"}
    phrase = phrases.get(best, "no connector joins")
    return CheckResult(best, f"{phrase} {from_shape} and {to_shape} on {pair.label}")


@shape_check(shape="@diagram")
def diagram_contains(pair: ShapePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a diagram contains, as `text_contains` does."""
    diagram = require(pair.visible.smart_art, f"{pair.label} is not a diagram")
    return score_texts(diagram.text, texts, match_case, pair.label)


def _current_shape(pair: SlidePair, selector: str) -> Shape | None:
    """Return the current version of a shape; new shapes are looked up on the current slide."""
    try:
        return pair.follow(selector)
    except UnscoredError:
        return find_shape(pair.after, selector)


def _join_score(
    actual: tuple[int | None, int | None], expected: tuple[int, int], directed: bool
) -> float:
    if actual == expected or (not directed and actual == expected[::-1]):
        return 1.0
    if actual == expected[::-1]:
        return 0.5
    if None not in actual:
        return 0.0
    directions = (expected,) if directed else (expected, expected[::-1])
    return 0.5 if any(actual[0] == one or actual[1] == other for one, other in directions) else 0.0


def _direction(box: Box, other: Box) -> str:
    """Return the direction from one box to another, along the longer distance."""
    across = EDGES["center"](other) - EDGES["center"](box)
    down = EDGES["middle"](other) - EDGES["middle"](box)
    if abs(across) >= abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def _clearance_factor(line: Shape, ends: Sequence[Shape]) -> float:
    """Return 1, or 0.5 for a line that runs across one of the shapes that it joins."""
    return 0.5 if any(_length_within(line.box, end.box) > TOLERANCE_EMU for end in ends) else 1.0


def _length_within(line: Box, box: Box) -> float:
    """Return how far a line extends inside a box; a horizontal line has no area."""
    width, height = common_sides(line, box)
    return max(width, height) if min(width, height) >= 0 else 0.0

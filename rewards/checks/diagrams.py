"""Checks of connectors and diagrams (SmartArt)."""

from collections.abc import Sequence
from typing import Literal

from pptarena.decks import Box, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Selector, Texts
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, needed
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import ShapePair, SlidePair
from pptarena.rewards.checks.arrangement import EDGES, common_sides
from pptarena.rewards.checks.text import found_texts


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
    ends = needed(_find(pair, from_shape), missing), needed(_find(pair, to_shape), missing)
    wanted = ends[0].index, ends[1].index
    if towards is not None and _way(ends[0].box, ends[1].box) != towards:
        return CheckResult(0.0, f"{to_shape} is not {towards} of {from_shape} on {pair.label}")
    shapes = [shape for shape in pair.after.shapes if pair.counts(shape)]
    best = max(
        (
            _joining(shape.connects, wanted, directed) * _clear(shape, ends if between else ())
            for shape in shapes
        ),
        default=0.0,
    )
    found = {1.0: "a connector joins", 0.5: "a connector only partly joins"}
    joins = found.get(best, "no connector joins")
    return CheckResult(best, f"{joins} {from_shape} and {to_shape} on {pair.label}")


@shape_check(shape="@diagram")
def diagram_contains(pair: ShapePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a diagram contains, as `text_contains` does."""
    diagram = needed(pair.visible.smart_art, f"{pair.label} is not a diagram")
    return found_texts(diagram.text, texts, match_case, pair.label)


def _find(pair: SlidePair, selector: str) -> Shape | None:
    """Return a shape as it is now; a new shape is looked up on the current slide."""
    try:
        return pair.follow(selector)
    except UnscoredError:
        return find_shape(pair.after, selector)


def _joining(
    found: tuple[int | None, int | None], wanted: tuple[int, int], directed: bool
) -> float:
    if found == wanted or (not directed and found == wanted[::-1]):
        return 1.0
    if found == wanted[::-1]:
        return 0.5
    if None not in found:
        return 0.0
    ways = (wanted,) if directed else (wanted, wanted[::-1])
    return 0.5 if any(found[0] == one or found[1] == other for one, other in ways) else 0.0


def _way(box: Box, other: Box) -> str:
    """Return the direction from one box to another, along the longer distance."""
    across = EDGES["center"](other) - EDGES["center"](box)
    down = EDGES["middle"](other) - EDGES["middle"](box)
    if abs(across) >= abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"


def _clear(line: Shape, ends: Sequence[Shape]) -> float:
    """Return 1, or 0.5 for a line that runs across one of the shapes that it joins."""
    return 0.5 if any(_within(line.box, end.box) > TOLERANCE_EMU for end in ends) else 1.0


def _within(line: Box, box: Box) -> float:
    """Return how far a line extends inside a box; a horizontal line has no area."""
    width, height = common_sides(line, box)
    return max(width, height) if min(width, height) >= 0 else 0.0

"""Checks of connectors and diagrams (SmartArt)."""

from pptarena.decks import Shape, SmartArt
from pptarena.decks.selectors import find_shape
from pptarena.decks.text_match import folded
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Selector, Texts, as_many
from pptarena.rewards.checking.compare import same, same_sequence
from pptarena.rewards.checking.pairs import ShapePair, SlidePair
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, needed
from pptarena.rewards.checks.text import found_texts


@slide_check("diagrams", "shapes")
def connector_joins(
    pair: SlidePair, from_shape: Selector, to_shape: Selector, directed: bool = True
) -> CheckResult:
    """Measure whether a connector is glued to two shapes; one end, or the wrong way, is half."""
    missing = f"{pair.label} lacks one of the two shapes"
    ends = needed(_find(pair, from_shape), missing), needed(_find(pair, to_shape), missing)
    wanted = ends[0].index, ends[1].index
    shapes = [shape for shape in pair.after.shapes if pair.counts(shape)]
    best = max((_joining(shape.connects, wanted, directed) for shape in shapes), default=0.0)
    found = {1.0: "a connector joins", 0.5: "a connector only half joins"}
    joins = found.get(best, "no connector joins")
    return CheckResult(best, f"{joins} {from_shape} and {to_shape} on {pair.label}")


@shape_check("diagrams", "text", shape="@diagram")
def diagram_contains(pair: ShapePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a diagram has, as `slide_text_contains` does."""
    return found_texts(_diagram(pair).text, texts, match_case, pair.label)


@shape_check("diagrams", shape="@diagram", more=as_many("levels", "nodes"))
def diagram_nodes_are(
    pair: ShapePair, nodes: Texts, levels: tuple[int, ...] | None = None
) -> CheckResult:
    """Measure the share of a diagram's nodes that stand in the right order, at their levels.

    Args:
        nodes: All, in order.
        levels: From 0.
    """
    depths: tuple[int | None, ...] = levels or (None,) * len(nodes)
    wanted = list(zip(depths, map(folded, nodes), strict=True))
    present = [
        (None if levels is None else level, folded(text))
        for level, text in _diagram(pair).nodes
        if text.strip()
    ]
    return same_sequence(present, wanted, f"nodes of {pair.label}")


@shape_check("diagrams", is_binary=True, shape="@diagram")
def diagram_layout_is(pair: ShapePair, layout: str) -> CheckResult:
    """Measure whether a diagram has a layout, such as ``process1``.

    Args:
        layout: Such as `process1`.
    """
    return same(f"the layout of {pair.label}", _diagram(pair).layout or None, layout)


def _diagram(pair: ShapePair) -> SmartArt:
    return needed(pair.visible.smart_art, f"{pair.label} is not a diagram")


def _find(pair: SlidePair, selector: str) -> Shape | None:
    """Return a shape as it is now; one that is new is looked up on the current slide."""
    try:
        return pair.follow(selector)
    except UnscoredError:
        return find_shape(pair.after, selector)


def _joining(
    found: tuple[int | None, int | None], wanted: tuple[int, int], directed: bool
) -> float:
    if found == wanted or (not directed and found == wanted[::-1]):
        return 1.0
    if found == wanted[::-1] or found[0] == wanted[0] or found[1] == wanted[1]:
        return 0.5
    either = not directed and (found[0] == wanted[1] or found[1] == wanted[0])
    return 0.5 if either else 0.0

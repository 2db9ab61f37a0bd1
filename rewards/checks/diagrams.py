"""Checks of connectors and diagrams (SmartArt)."""

from collections.abc import Mapping
from typing import Any

from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.selectors import find_shape
from pptarena.decks.text_match import folded
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.arguments import Selector, Texts
from pptarena.rewards.checks.pairs import ShapePair, SlidePair
from pptarena.rewards.checks.registry import shape_check, slide_check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.text import found_texts


@slide_check("diagrams", "shapes")
def connector_joins(
    pair: SlidePair, from_shape: Selector, to_shape: Selector, directed: bool = True
) -> CheckResult:
    """Measure whether a connector is glued to two shapes; one end, or the wrong way, is half."""
    ends = tuple(_find(pair, spec) for spec in (from_shape, to_shape))
    if ends[0] is None or ends[1] is None:
        return CheckResult(0.0, f"{pair.label} lacks one of the two shapes")
    best = 0.0
    for shape in pair.after.shapes:
        if pair.counts(shape):
            best = max(best, _joining(shape.connects, (ends[0], ends[1]), directed))
    names = f"{from_shape} and {to_shape}"
    how = {1.0: "joins", 0.5: "only half joins"}.get(best)
    found = f"a connector {how}" if how else "no connector joins"
    return CheckResult(best, f"{found} {names} on {pair.label}")


@shape_check("diagrams", "text", shape="@diagram")
def diagram_contains(pair: ShapePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a diagram has, as `slide_text_contains` does."""
    art = pair.visible.smart_art
    if art is None:
        return CheckResult(0.0, f"{pair.label} is no diagram")
    return found_texts(art.text, texts, match_case, pair.label)


def _as_many_levels(values: Mapping[str, Any]) -> None:
    levels, nodes = values["levels"], values["nodes"]
    if levels is not None and len(levels) != len(nodes):
        raise ValueError(f"expected as many levels as nodes, got {len(levels)}")


@shape_check("diagrams", shape="@diagram", more=_as_many_levels)
def diagram_nodes_are(
    pair: ShapePair, nodes: Texts, levels: tuple[int, ...] | None = None
) -> CheckResult:
    """Measure the share of a diagram's nodes that stand in the right order, at their levels.

    Args:
        nodes: All, in order.
        levels: From 0.
    """
    art = pair.visible.smart_art
    if art is None:
        return CheckResult(0.0, f"{pair.label} is no diagram")
    depths: tuple[int | None, ...] = levels or (None,) * len(nodes)
    wanted = list(zip(depths, map(folded, nodes), strict=True))
    present = [
        (None if levels is None else level, folded(text))
        for level, text in art.nodes
        if text.strip()
    ]
    places = [present.index(node) for node in dict.fromkeys(wanted) if node in present]
    right = len(longest_increasing(places))
    if present == wanted:
        return CheckResult(1.0, f"{pair.label} has its {len(wanted)} nodes in order")
    value = right / max(len(wanted), len(present), 1)
    reason = f"{pair.label} has {right} of {len(wanted)} nodes right, {len(present)} in all"
    return CheckResult(min(value, 0.9), reason)


@shape_check("diagrams", is_binary=True, shape="@diagram")
def diagram_layout_is(pair: ShapePair, layout: str) -> CheckResult:
    """Measure whether a diagram has a layout, such as ``process1``.

    Args:
        layout: Such as `process1`.
    """
    found = "" if pair.after.smart_art is None else pair.after.smart_art.layout
    return verdict(
        bool(found) and folded(found) == folded(layout),
        f"{pair.label} has the layout {layout}",
        f"{pair.label} has the layout {found or 'none'} instead of {layout}",
    )


def _find(pair: SlidePair, spec: str) -> int | None:
    """Return a shape's index now; one that is new is looked up on the current slide."""
    try:
        shape = pair.follow(spec)
    except UnscoredError:
        shape = find_shape(pair.after, spec)
    return None if shape is None else shape.index


def _joining(
    found: tuple[int | None, int | None], wanted: tuple[int, int], directed: bool
) -> float:
    if found == wanted or (not directed and found == wanted[::-1]):
        return 1.0
    if found == wanted[::-1] or found[0] == wanted[0] or found[1] == wanted[1]:
        return 0.5
    either = not directed and (found[0] == wanted[1] or found[1] == wanted[0])
    return 0.5 if either else 0.0

"""Checks of connectors and diagrams (SmartArt)."""

from dataclasses import dataclass

from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.selectors import find_shape, require_spec
from pptarena.decks.text_match import folded
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import found_texts, require_texts
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, SlideView, View


@dataclass(frozen=True, kw_only=True)
class Joined(SlideArgs):
    """Two shapes that a connector should join."""

    from_shape: str
    to_shape: str
    directed: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        require_spec(self.from_shape)
        require_spec(self.to_shape)


@dataclass(frozen=True, kw_only=True)
class DiagramArgs(ShapeArgs):
    """Names a diagram; by default the first one of the slide."""

    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@diagram")
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class DiagramTexts(DiagramArgs):
    """Texts that a diagram should have."""

    texts: tuple[str, ...]
    match_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self.texts)


@dataclass(frozen=True, kw_only=True)
class DiagramNodes(DiagramArgs):
    """All nodes of a diagram in order, perhaps with their levels from 0."""

    nodes: tuple[str, ...]
    levels: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self.nodes)
        if self.levels is not None and len(self.levels) != len(self.nodes):
            raise ValueError("expected as many levels as nodes")


@dataclass(frozen=True, kw_only=True)
class DiagramLayout(DiagramArgs):
    """How a diagram should be laid out."""

    layout: str


@check("connector_joins", "diagrams", "shapes")
def connector_joins(view: View, args: Joined) -> CheckResult:
    """Measure whether a connector is glued to two shapes; one end, or the wrong way, is half."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        ends = tuple(_find(view, seen, spec) for spec in (args.from_shape, args.to_shape))
        if ends[0] is None or ends[1] is None:
            return CheckResult(0.0, f"{seen.label} lacks one of the two shapes")
        best = 0.0
        for shape in seen.current.shapes:
            if not args.visible or view.is_seen(seen.current, shape):
                best = max(best, _joining(shape.connects, (ends[0], ends[1]), args.directed))
        names = f"{args.from_shape} and {args.to_shape}"
        how = {1.0: "joins", 0.5: "only half joins"}.get(best)
        found = f"a connector {how}" if how else "no connector joins"
        return CheckResult(best, f"{found} {names} on {seen.label}")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("diagram_contains", "diagrams", "text")
def diagram_contains(view: View, args: DiagramTexts) -> CheckResult:
    """Measure the share of texts that a diagram has."""

    def judge(seen: ShapeView) -> CheckResult:
        art = seen.seen.smart_art
        if art is None:
            return CheckResult(0.0, f"{seen.label} is no diagram")
        return found_texts(art.text, args.texts, args.match_case, seen.label)

    return view.on_shapes(args, judge)


@check("diagram_nodes_are", "diagrams")
def diagram_nodes_are(view: View, args: DiagramNodes) -> CheckResult:
    """Measure the share of a diagram's nodes that stand in the right order, at their levels."""

    def judge(seen: ShapeView) -> CheckResult:
        art = seen.seen.smart_art
        if art is None:
            return CheckResult(0.0, f"{seen.label} is no diagram")
        levels: tuple[int | None, ...] = args.levels or (None,) * len(args.nodes)
        wanted = list(zip(levels, map(folded, args.nodes), strict=True))
        present = [
            (None if args.levels is None else level, folded(text))
            for level, text in art.nodes
            if text.strip()
        ]
        places = [present.index(node) for node in dict.fromkeys(wanted) if node in present]
        right = len(longest_increasing(places))
        if present == wanted:
            return CheckResult(1.0, f"{seen.label} has its {len(wanted)} nodes in order")
        value = right / max(len(wanted), len(present), 1)
        reason = f"{seen.label} has {right} of {len(wanted)} nodes right, {len(present)} in all"
        return CheckResult(min(value, 0.9), reason)

    return view.on_shapes(args, judge)


@check("diagram_layout_is", "diagrams", is_binary=True)
def diagram_layout_is(view: View, args: DiagramLayout) -> CheckResult:
    """Measure whether a diagram has a layout, such as ``process1``."""

    def judge(seen: ShapeView) -> CheckResult:
        found = "" if seen.current.smart_art is None else seen.current.smart_art.layout
        return verdict(
            bool(found) and folded(found) == folded(args.layout),
            f"{seen.label} has the layout {args.layout}",
            f"{seen.label} has the layout {found or 'none'} instead of {args.layout}",
        )

    return view.on_shapes(args, judge)


def _find(view: View, seen: SlideView, spec: str) -> int | None:
    """Return a shape's index now; one that is new is looked up on the current slide."""
    try:
        shape = view.follow(seen, spec)
    except UnscoredError:
        shape = None if seen.current is None else find_shape(seen.current, spec)
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

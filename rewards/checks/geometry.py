"""Checks of where shapes are and how large, alone and beside each other."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Box, Shape
from pptarena.decks.diff.content import content_differences
from pptarena.rewards.checks.addressing import SeveralShapesArgs
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.relations import EDGES, RELATIONS, Edge, Relation
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, SlideView, View

_INCH = 914_400
_STRETCH = 0.03
_STRETCHED = 0.5
_SPOILED = 0.25


@dataclass(frozen=True, kw_only=True)
class Position(ShapeArgs):
    """Where a shape's edges should be, in EMU."""

    left_emu: int | None = None
    top_emu: int | None = None
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.left_emu is None and self.top_emu is None:
            raise ValueError("expected left_emu or top_emu")


@dataclass(frozen=True, kw_only=True)
class Size(ShapeArgs):
    """How large a shape should be, in EMU."""

    width_emu: int | None = None
    height_emu: int | None = None
    keep_ratio: bool = False
    same_picture: bool = False
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width_emu is None and self.height_emu is None:
            raise ValueError("expected width_emu or height_emu")


@dataclass(frozen=True, kw_only=True)
class Scale(ShapeArgs):
    """How wide a shape should be, as to the original."""

    factor_min: float | None = None
    factor_max: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.factor_min is None and self.factor_max is None:
            raise ValueError("expected factor_min or factor_max")


@dataclass(frozen=True, kw_only=True)
class Rotation(ShapeArgs):
    """How far a shape should be turned, clockwise."""

    degrees: float
    tolerance: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Related(ShapeArgs):
    """How a shape should be placed as to another one, or to the slide."""

    relation: Relation
    other: str | None = None
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        super().__post_init__()
        beside = ("left_of", "right_of", "above", "below", "no_overlap", "beside", "stacked")
        if self.other is None and self.relation in beside:
            raise ValueError(f"expected other with {self.relation}; nothing is beside the slide")


@dataclass(frozen=True, kw_only=True)
class Aligned(SeveralShapesArgs):
    """Shapes that should share an edge or a middle line."""

    edge: Edge
    tolerance_emu: int = TOLERANCE_EMU


@dataclass(frozen=True, kw_only=True)
class Spaced(SeveralShapesArgs):
    """Shapes that should have equal gaps between them, perhaps of a size in EMU."""

    axis: Literal["horizontal", "vertical"]
    gap_emu: int | None = None
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        if len(self.shapes) < 3:
            raise ValueError("expected three or more shapes")
        super().__post_init__()


@check("shape_position", "arrangement")
def shape_position(view: View, args: Position) -> CheckResult:
    """Measure how far a shape is from where it should be."""

    def judge(seen: ShapeView) -> CheckResult:
        box = seen.current.box
        pairs = ((box.left, args.left_emu), (box.top, args.top_emu))
        away = max(abs(found - wanted) for found, wanted in pairs if wanted is not None)
        return _by_distance(away, args.tolerance_emu, f"{seen.label} from its place")

    return view.on_shapes(args, judge)


@check("shape_size", "arrangement")
def shape_size(view: View, args: Size) -> CheckResult:
    """Measure how far a shape is from the size that it should have."""

    def judge(seen: ShapeView) -> CheckResult:
        box = seen.current.box
        pairs = ((box.width, args.width_emu), (box.height, args.height_emu))
        away = max(abs(found - wanted) for found, wanted in pairs if wanted is not None)
        found = _by_distance(away, args.tolerance_emu, f"{seen.label} from its size")
        if seen.original is None:
            return found
        if args.same_picture and _another_picture(seen.original, seen.current):
            said = f"{seen.label} does not show what it did"
            return CheckResult(_made(found, seen.original.box, args, _SPOILED), said)
        if args.keep_ratio:
            return _unstretched(found, seen.original.box, box, args, seen.label)
        return found

    return view.on_shapes(args, judge)


@check("shape_scaled", "arrangement")
def shape_scaled(view: View, args: Scale) -> CheckResult:
    """Measure how far a shape's width is from the range that it should be in."""

    def judge(seen: ShapeView) -> CheckResult:
        if seen.original is None or not seen.original.box.width:
            return CheckResult(0.0, f"{seen.label} has no width in the original to compare with")
        factor = seen.current.box.width / seen.original.box.width
        low = factor if args.factor_min is None else args.factor_min
        high = factor if args.factor_max is None else args.factor_max
        value = nearness(max(low - factor, factor - high, 0.0), 0.005, 0.25)
        return CheckResult(value, f"{seen.label} is {factor:.2f} times as wide as before")

    return view.on_shapes(args, judge)


@check("shape_rotation", "shapes")
def shape_rotation(view: View, args: Rotation) -> CheckResult:
    """Measure how far a shape is from the angle that it should be turned by."""

    def judge(seen: ShapeView) -> CheckResult:
        turned = seen.current.box.rotation_deg
        away = abs(turned - args.degrees) % 360
        value = nearness(min(away, 360 - away), args.tolerance, 30.0)
        return CheckResult(value, f"{seen.label} is turned by {turned:g}°")

    return view.on_shapes(args, judge)


@check("shape_relation", "arrangement")
def shape_relation(view: View, args: Related) -> CheckResult:
    """Measure how far a shape is from standing as it should to another one."""
    slide_box = Box(0, 0, view.current.width_emu, view.current.height_emu)
    others = {
        seen.current.index: seen
        for seen in view.slides(args)
        if seen.current is not None and args.other is not None
    }

    def judge(seen: ShapeView) -> CheckResult:
        box, name = slide_box, "the slide"
        if args.other is not None:
            other = view.follow(others[seen.slide.index], args.other)
            if other is None:
                return CheckResult(0.0, f"{args.other} is not there")
            box, name = other.box, other.label
        away = RELATIONS[args.relation](seen.current.box, box)
        what = f"{seen.label} from {args.relation.replace('_', ' ')} {name}"
        return _by_distance(max(0.0, away), args.tolerance_emu, what)

    return view.on_shapes(args, judge)


@check("shapes_aligned", "arrangement")
def shapes_aligned(view: View, args: Aligned) -> CheckResult:
    """Measure how far the edges of some shapes are apart."""

    def judge(boxes: list[Box]) -> float:
        places = [EDGES[args.edge](box) for box in boxes]
        return max(places) - min(places)

    return _on_boxes(view, args, args.shapes, judge, f"{args.edge} edges apart", args.tolerance_emu)


@check("shapes_spaced_evenly", "arrangement")
def shapes_spaced_evenly(view: View, args: Spaced) -> CheckResult:
    """Measure how far the gaps between some shapes differ."""

    def judge(boxes: list[Box]) -> float:
        flat = args.axis == "horizontal"
        spans = sorted((b.left, b.right) if flat else (b.top, b.bottom) for b in boxes)
        gaps = [after[0] - before[1] for before, after in itertools.pairwise(spans)]
        if args.gap_emu is not None:
            return float(max(abs(gap - args.gap_emu) for gap in gaps))
        return float(max(gaps) - min(gaps))

    return _on_boxes(view, args, args.shapes, judge, "gaps different", args.tolerance_emu)


def _unstretched(found: CheckResult, before: Box, box: Box, args: Size, label: str) -> CheckResult:
    """Return the way made towards a size, of which a stretched shape keeps a part only."""
    stretch = _ratio(box) / _ratio(before) - 1
    if abs(stretch) <= _STRETCH:
        return found
    value = _made(found, before, args, _STRETCHED)
    return CheckResult(value, f"{label} is stretched by {stretch:+.0%}")


def _made(found: CheckResult, before: Box, args: Size, part: float) -> float:
    """Return the score of a part of the way that was made towards a size."""
    pairs = ((before.width, args.width_emu), (before.height, args.height_emu))
    away = max(abs(was - wanted) for was, wanted in pairs if wanted is not None)
    start = nearness(away, args.tolerance_emu, _INCH)
    # What is left of the score must be more than what the original has, or it earns nothing.
    made = (found.score - start) / (1 - start) if start < 1 else 1.0
    return min(start + (1 - start) * part * max(0.0, made), found.score)


def _another_picture(old: Shape, new: Shape) -> bool:
    """Return whether a picture is another one, or cut, faint or recoloured."""
    return any(each.aspect == "pictures" for each in content_differences(old, new))


def _on_boxes(
    view: View,
    args: SlideArgs,
    specs: tuple[str, ...],
    judge: Callable[[list[Box]], float],
    what: str,
    tolerance_emu: int,
) -> CheckResult:
    def on_slide(seen: SlideView) -> CheckResult:
        shapes = [view.follow(seen, spec) for spec in specs]
        boxes = [shape.box for shape in shapes if shape is not None]
        if len(boxes) < len(specs):
            return CheckResult(0.0, f"{seen.label} has {len(boxes)} of the {len(specs)} shapes")
        return _by_distance(judge(boxes), tolerance_emu, f"{seen.label}: {what}")

    return mean_of([on_slide(seen) for seen in view.slides(args)], "slides")


def _by_distance(away_emu: float, tolerance_emu: int, what: str) -> CheckResult:
    value = nearness(away_emu, tolerance_emu, _INCH)
    if value == 1.0:
        return CheckResult(1.0, f"{what}: within the tolerance")
    return CheckResult(value, f"{what}: off by {away_emu / _INCH:.2f} in")


def _ratio(box: Box) -> float:
    return max(box.width, 1) / max(box.height, 1)

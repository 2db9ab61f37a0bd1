"""Checks of how all shapes of a slide stand: inside it, apart, of one size, in groups."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from pptarena.decks import Box, Shape, Slide
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.addressing import SeveralShapesArgs
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.relations import RELATIONS
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.checks.view import ShapeArgs, SlideArgs, SlideView, View

_INCH = 914_400


@dataclass(frozen=True, kw_only=True)
class InsideSlide(SlideArgs):
    """Slides whose shapes should not stick out, perhaps with a margin."""

    margin_emu: int = 0
    tolerance_emu: int = TOLERANCE_EMU


@dataclass(frozen=True, kw_only=True)
class NoOverlap(SlideArgs):
    """Shapes that should not overlap; all of the slide if none are named.

    Attributes:
        shapes: Some shapes, or None.
        allow_inside: Whether one may lie wholly within another, as a label on a panel does.
    """

    shapes: tuple[str, ...] | None = None
    allow_inside: bool = True
    tolerance_emu: int = TOLERANCE_EMU


@dataclass(frozen=True, kw_only=True)
class SameSize(SeveralShapesArgs):
    """Shapes that should be equally wide or high."""

    sides: Literal["width", "height", "both"] = "both"
    tolerance_emu: int = TOLERANCE_EMU


@dataclass(frozen=True, kw_only=True)
class Grouped(SeveralShapesArgs):
    """Shapes that should be one group, with nothing else in it."""


@dataclass(frozen=True, kw_only=True)
class Ungrouped(ShapeArgs):
    """A group of the original that should be taken apart; by default the first one."""

    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@group")
        super().__post_init__()


@check("shapes_inside_slide", "arrangement")
def shapes_inside_slide(view: View, args: InsideSlide) -> CheckResult:
    """Measure how far shapes stick out of their slide, the mean over all of them."""
    margin = args.margin_emu
    area = Box(
        margin, margin, view.current.width_emu - 2 * margin, view.current.height_emu - 2 * margin
    )

    def judge(slide: Slide) -> CheckResult:
        results = []
        for shape in _outermost(slide):
            out = RELATIONS["inside"](_around(shape.box), area)
            value = nearness(out, args.tolerance_emu, _INCH)
            results.append(CheckResult(value, f"{shape.label} sticks out by {out / _INCH:.2f} in"))
        empty = CheckResult(0.0, f"slide {slide.index + 1} has no shapes")
        return mean_of(results, "shapes") if results else empty

    return view.on_slides(args, judge)


@check("shapes_no_overlap", "arrangement")
def shapes_no_overlap(view: View, args: NoOverlap) -> CheckResult:
    """Measure how far shapes overlap, the mean over all of them."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        if args.shapes is None:
            shapes: list[Shape | None] = [s for s in _outermost(seen.current) if s.kind != "line"]
        else:
            shapes = [view.follow(seen, spec) for spec in args.shapes]
        present = [shape for shape in shapes if shape is not None]
        if not present:
            return CheckResult(0.0, f"{seen.label} has none of the shapes")
        worst = dict.fromkeys((shape.index for shape in present), (0.0, ""))
        for first, second in combinations(present, 2):
            away = _overlap(_around(first.box), _around(second.box), args.allow_inside)
            for one, other in ((first, second), (second, first)):
                worst[one.index] = max(worst[one.index], (away, other.label))
        results = [
            CheckResult(
                nearness(worst[shape.index][0], args.tolerance_emu, _INCH / 2),
                f"{shape.label} overlaps {worst[shape.index][1]}",
            )
            for shape in present
        ]
        results += [CheckResult(0.0, "a shape is gone")] * (len(shapes) - len(present))
        return mean_of(results, "shapes")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("shapes_same_size", "arrangement", "shapes")
def shapes_same_size(view: View, args: SameSize) -> CheckResult:
    """Measure how far the widths and heights of some shapes differ."""

    def judge(seen: SlideView) -> CheckResult:
        shapes = [view.follow(seen, spec) for spec in args.shapes]
        boxes = [shape.box for shape in shapes if shape is not None]
        if len(boxes) < len(shapes):
            return CheckResult(0.0, f"{seen.label} has {len(boxes)} of the {len(shapes)} shapes")
        results = []
        for side in ("width", "height"):
            if args.sides in (side, "both"):
                sizes = [getattr(box, side) for box in boxes]
                away = max(sizes) - min(sizes)
                reason = f"{seen.label}: {side}s differ by {away / _INCH:.2f} in"
                results.append(CheckResult(nearness(away, args.tolerance_emu, _INCH), reason))
        return mean_of(results, "sides")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("shapes_grouped", "arrangement")
def shapes_grouped(view: View, args: Grouped) -> CheckResult:
    """Measure the share of pairs of shapes that share a group; other members of it cost."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        slide = seen.current
        shapes = [view.follow(seen, spec) for spec in args.shapes]
        groups = [set() if s is None else set(_groups(slide, s)) for s in shapes]
        pairs = list(combinations(groups, 2))
        share = sum(bool(a & b) for a, b in pairs) / len(pairs)
        common = set.intersection(*groups)
        extra = 0
        if common:
            inner = max(common)
            named = {shape.index for shape in shapes if shape is not None}
            extra = sum(
                inner in _groups(slide, shape) and shape.index not in named
                for shape in slide.shapes
                if shape.kind != "group" and not named.intersection(_groups(slide, shape))
            )
        value = share * len(groups) / (len(groups) + extra)
        found = f"{seen.label}: {share:.0%} of the pairs are in one group"
        return CheckResult(value, f"{found}, with {extra} other shapes" if extra else found)

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("shapes_ungrouped", "arrangement")
def shapes_ungrouped(view: View, args: Ungrouped) -> CheckResult:
    """Measure the share of a group's members that are on the slide and in no group any more."""
    results = []
    for seen in view.slides(args):
        if seen.original is None:
            results.append(CheckResult(0.0, f"{seen.label} is not of the original"))
            continue
        group = find_shape(seen.original, args.shape or args.shape_now or "")
        if group is None or group.kind != "group":
            raise UnscoredError(f"{seen.label} of the original has no such group")
        members = [s.index for s in seen.original.shapes if s.group == group.index]
        if seen.current is None or not members:
            results.append(CheckResult(0.0, f"{seen.label} has no members of the group"))
            continue
        now = view.match.shapes(seen.original.index).to_current
        places = [now.get(index) for index in members]
        free = sum(at is not None and seen.current.shapes[at].group is None for at in places)
        reason = f"{free} of {len(members)} members of {group.label} are free"
        results.append(CheckResult(free / len(members), reason))
    return mean_of(results, "groups")


def _outermost(slide: Slide) -> Iterator[Shape]:
    """Yield the shapes that are shown and in no group; placeholders only with something in them."""
    for shape in slide.shapes:
        empty = shape.kind == "placeholder" and not shape.paragraphs
        if shape.group is None and not shape.hidden and not shape.shows_nothing and not empty:
            yield shape


def _groups(slide: Slide, shape: Shape) -> list[int]:
    found = []
    while shape.group is not None:
        found.append(shape.group)
        shape = slide.shapes[shape.group]
    return found


def _around(box: Box) -> Box:
    """Return the upright box around a turned one."""
    if not box.rotation_deg % 180:
        return box
    angle = math.radians(box.rotation_deg)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width = round(box.width * cos + box.height * sin)
    height = round(box.width * sin + box.height * cos)
    left = round(box.left + (box.width - width) / 2)
    return Box(left, round(box.top + (box.height - height) / 2), width, height)


def _overlap(first: Box, second: Box, allow_inside: bool) -> float:
    inside = RELATIONS["inside"]
    if allow_inside and min(inside(first, second), inside(second, first)) <= TOLERANCE_EMU:
        return 0.0
    return RELATIONS["no_overlap"](first, second)

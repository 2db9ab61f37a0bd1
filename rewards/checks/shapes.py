"""Checks of which shapes there are and what they look like."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Paint, Shape
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.diff.text import clip
from pptarena.decks.selectors import KINDS, is_kind, require_spec
from pptarena.decks.text_match import folded, share_found
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import (
    ShapeArgs,
    ShapeView,
    SlideArgs,
    SlideView,
    View,
)

_LINE_TOLERANCE_PT = 0.3


@dataclass(frozen=True, kw_only=True)
class Exists(SlideArgs):
    """Shapes that a slide should have; what is left out does not matter."""

    kind: str | None = None
    text: str | None = None
    name: str | None = None
    geometry: str | None = None
    count: int = 1
    new: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind is not None and self.kind not in KINDS:
            raise ValueError(f"expected kind to be one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.count < 1:
            raise ValueError(f"expected a count from 1, got {self.count}")


@dataclass(frozen=True, kw_only=True)
class Deleted(ShapeArgs):
    """A shape that should be gone."""


@dataclass(frozen=True, kw_only=True)
class ZOrder(ShapeArgs):
    """Where a shape should be in the stack: at an end of it, or as to another shape."""

    to: Literal["front", "back"] | None = None
    over: str | None = None
    under: str | None = None
    # What is sent to the back may well be covered there.
    visible: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_spec(self.over)
        require_spec(self.under)
        if sum(each is not None for each in (self.to, self.over, self.under)) != 1:
            raise ValueError("expected exactly one of to, over, under")


@dataclass(frozen=True, kw_only=True)
class FillColor(ShapeArgs):
    """What a shape should be filled with."""

    color: str
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color, none_allowed=True)


@dataclass(frozen=True, kw_only=True)
class Outline(ShapeArgs):
    """What outline a shape should have.

    `start` and `end` are arrow heads such as ``triangle``, ``none`` for none. A `dash` is ``solid``
    or the name of its pattern, such as ``dash`` or ``sysDot``.
    """

    color: str | None = None
    width_pt: float | None = None
    dash: str | None = None
    start: str | None = None
    end: str | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color, none_allowed=True)
        given = (self.color, self.width_pt, self.dash, self.start, self.end)
        if all(each is None for each in given):
            raise ValueError("expected at least one of color, width_pt, dash, start, end")


@dataclass(frozen=True, kw_only=True)
class Name(ShapeArgs):
    """What a shape should be called."""

    name: str


@check("shape_exists", "shapes")
def shape_exists(view: View, args: Exists) -> CheckResult:
    """Measure how well the best fitting shapes of a slide fit."""
    return mean_of([_judge_existence(view, seen, args) for seen in view.slides(args)], "slides")


@check("shape_deleted", "shapes", is_binary=True)
def shape_deleted(view: View, args: Deleted) -> CheckResult:
    """Measure whether a shape is gone while its slide is still there."""
    results = []
    for seen in view.slides(args):
        if seen.current is None:
            results.append(CheckResult(0.0, f"{seen.label} is gone as a whole"))
            continue
        spec = args.shape if args.shape is not None else args.shape_now or ""
        gone = view.follow(seen, spec) is None
        results.append(
            verdict(gone, f"{spec} is gone from {seen.label}", f"{spec} is still on {seen.label}")
        )
    return mean_of(results, "slides")


@check("shape_z_order", "arrangement")
def shape_z_order(view: View, args: ZOrder) -> CheckResult:
    """Measure the share of the slide's other shapes that a shape has passed, or of one other."""
    places = {seen.current.index: seen for seen in view.slides(args) if seen.current is not None}

    def judge(seen: ShapeView) -> CheckResult:
        if args.to is None:
            spec = args.over or args.under or ""
            other = view.follow(places[seen.slide.index], spec)
            side = "over" if args.over else "under"
            above = other is not None and seen.current.index > other.index
            right = other is not None and above == (args.over is not None)
            return verdict(
                right,
                f"{seen.label} lies {side} {spec}",
                f"{seen.label} does not lie {side} {spec}",
            )
        others = [s for s in seen.slide.shapes if s.group is None and s is not seen.current]
        in_front = args.to == "front"
        passed = sum((s.index < seen.current.index) == in_front for s in others)
        value = passed / len(others) if others else 1.0
        side = "in front of" if in_front else "behind"
        return CheckResult(value, f"{seen.label} is {side} {passed} of {len(others)} other shapes")

    return view.on_shapes(args, judge)


@check("shape_fill_color", "shapes", is_binary=True)
def shape_fill_color(view: View, args: FillColor) -> CheckResult:
    """Measure whether a shape is filled with a colour, or with nothing."""

    def judge(seen: ShapeView) -> CheckResult:
        right = _has_color(view, seen.current.fill, args.color, args.color_tolerance)
        found = describe_paint(seen.current.fill)
        return verdict(
            right, f"{seen.label} is filled {args.color}", f"{seen.label} is filled {found}"
        )

    return view.on_shapes(args, judge)


@check("shape_line", "shapes")
def shape_line(view: View, args: Outline) -> CheckResult:
    """Measure the share of right properties of an outline."""

    def judge(seen: ShapeView) -> CheckResult:
        line = seen.current.line
        results = []
        if args.color is not None:
            right = _has_color(view, line.paint, args.color, args.color_tolerance)
            found = describe_paint(line.paint)
            results.append(
                verdict(right, f"its line is {args.color}", f"the line of {seen.label} is {found}")
            )
        if args.width_pt is not None:
            right = abs(line.width_pt - args.width_pt) <= _LINE_TOLERANCE_PT
            found = f"{line.width_pt:g} pt"
            results.append(
                verdict(right, f"its line has {found}", f"the line of {seen.label} has {found}")
            )
        for name, found in (("dash", line.dash), ("start", line.ends[0]), ("end", line.ends[1])):
            wanted = getattr(args, name)
            if wanted is not None:
                right = line.paint.kind != "none" and found.casefold() == wanted.casefold()
                results.append(
                    CheckResult(float(right), f"the {name} of the line of {seen.label} is {found}")
                )
        return mean_of(results, "properties of the line")

    return view.on_shapes(args, judge)


@check("shape_name_is", "shapes", is_binary=True)
def shape_name_is(view: View, args: Name) -> CheckResult:
    """Measure whether a shape has a name."""
    return view.on_shapes(
        args,
        lambda seen: verdict(
            folded(seen.current.name) == folded(args.name),
            f"the shape is called {clip(args.name)}",
            f"{seen.label} is called {clip(seen.current.name)}",
        ),
    )


def _judge_existence(view: View, seen: SlideView, args: Exists) -> CheckResult:
    if seen.current is None:
        return CheckResult(0.0, f"{seen.label} is not there")
    shapes = list(view.new_shapes(seen)) if args.new else list(seen.current.shapes)
    if args.visible:
        seen_slide = view.as_seen(seen.current)
        shapes = [seen_slide.shapes[s.index] for s in shapes if view.is_seen(seen.current, s)]
    judged = sorted((_fit(shape, args) for shape in shapes), reverse=True)[: args.count]
    value = sum(judged) / args.count
    fitting = sum(each == 1.0 for each in judged)
    new = "new " if args.new else ""
    wanted = ", ".join(
        f"{name} {getattr(args, name)!r}"
        for name in ("kind", "text", "name", "geometry")
        if getattr(args, name) is not None
    )
    reason = f"{seen.label} has {fitting} of {args.count} {new}shapes"
    return CheckResult(value, f"{reason} with {wanted}" if wanted else reason)


def _fit(shape: Shape, args: Exists) -> float:
    conditions = list(_conditions(shape, args))
    # A shape of another kind is another thing, whatever else is right about it.
    if args.kind is not None and not conditions[0]:
        return 0.0
    return sum(conditions) / len(conditions) if conditions else 1.0


def _conditions(shape: Shape, args: Exists) -> Iterator[float]:
    if args.kind is not None:
        yield float(is_kind(shape, args.kind))
    if args.text is not None:
        yield share_found(shape.all_text, args.text, match_case=False)
    if args.name is not None:
        yield float(folded(shape.name) == folded(args.name))
    if args.geometry is not None:
        yield float(shape.geometry == args.geometry)


def _has_color(view: View, paint: Paint, color: str, tolerance: float) -> bool:
    if color == "none":
        return paint.kind == "none"
    wanted = wanted_color(color, view.current)
    return paint.kind == "solid" and color_matches(paint.color, wanted, tolerance)

"""Checks of which shapes there are and what they look like."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    letters,
    matching_runs,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import (
    OptionalShapeArgs,
    ShapeArgs,
    ShapeView,
    SlideArgs,
    SlideView,
    View,
)
from pptarena.rewards.deck import Paint, Shape
from pptarena.rewards.diff_content import describe_paint
from pptarena.rewards.diff_text import clip
from pptarena.rewards.lookup import KINDS, is_kind
from pptarena.rewards.wording import folded, share_found

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
    """Where a shape should be in the stack."""

    to: Literal["front", "back"]


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
    """What outline a shape should have."""

    color: str | None = None
    width_pt: float | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color, none_allowed=True)
        if self.color is None and self.width_pt is None:
            raise ValueError("expected color or width_pt")


@dataclass(frozen=True, kw_only=True)
class Name(ShapeArgs):
    """What a shape should be called."""

    name: str


@dataclass(frozen=True, kw_only=True)
class AltText(ShapeArgs):
    """The description that a shape should have."""

    text: str
    match_case: bool = False


@dataclass(frozen=True, kw_only=True)
class Hyperlink(OptionalShapeArgs):
    """Where a text, or a shape, should lead."""

    text: str | None = None
    url: str | None = None
    to_slide: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.url is None) == (self.to_slide is None):
            raise ValueError("expected exactly one of url, to_slide")


@check("shape_exists")
def shape_exists(view: View, args: Exists) -> CheckResult:
    """Measure how well the best fitting shapes of a slide fit."""
    return mean_of([_judge_existence(view, seen, args) for seen in view.slides(args)], "slides")


@check("shape_deleted")
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


@check("shape_z_order")
def shape_z_order(view: View, args: ZOrder) -> CheckResult:
    """Measure the share of the slide's other shapes that a shape has passed."""

    def judge(seen: ShapeView) -> CheckResult:
        others = [s for s in seen.slide.shapes if s.group is None and s is not seen.current]
        in_front = args.to == "front"
        passed = sum((s.index < seen.current.index) == in_front for s in others)
        value = passed / len(others) if others else 1.0
        side = "in front of" if in_front else "behind"
        return CheckResult(value, f"{seen.label} is {side} {passed} of {len(others)} other shapes")

    return view.on_shapes(args, judge)


@check("shape_fill_color")
def shape_fill_color(view: View, args: FillColor) -> CheckResult:
    """Measure whether a shape is filled with a colour, or with nothing."""

    def judge(seen: ShapeView) -> CheckResult:
        right = _has_color(view, seen.current.fill, args.color, args.color_tolerance)
        found = describe_paint(seen.current.fill)
        return verdict(
            right, f"{seen.label} is filled {args.color}", f"{seen.label} is filled {found}"
        )

    return view.on_shapes(args, judge)


@check("shape_line")
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
        return mean_of(results, "properties of the line")

    return view.on_shapes(args, judge)


@check("shape_name_is")
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


@check("alt_text_is")
def alt_text_is(view: View, args: AltText) -> CheckResult:
    """Measure whether a shape's description reads as it should."""
    return view.on_shapes(
        args,
        lambda seen: same_words(
            seen.current.alt_text, args.text, args.match_case, f"the description of {seen.label}"
        ),
    )


@check("hyperlink_is")
def hyperlink_is(view: View, args: Hyperlink) -> CheckResult:
    """Measure the share of letters that lead where they should; a linked shape counts whole."""
    if args.to_slide is not None:
        target = view.current_of(view.original_slide(args.to_slide))
        wanted = "" if target is None else f"slide:{target.index + 1}"
    else:
        wanted = _plain_url(args.url or "")

    def judge(shapes: tuple[Shape, ...], where: str) -> CheckResult:
        if args.text is None and any(_leads(shape.link, wanted) for shape in shapes):
            return CheckResult(1.0, f"{where} leads to {wanted}")
        runs = matching_runs(shapes, args.text)
        total = sum(letters(run.text) for run in runs)
        right = sum(letters(run.text) for run in runs if _leads(run.link, wanted))
        if args.text is None and args.shape is None and args.shape_now is None:
            # Anywhere on the slide will do.
            total = right
        share = right / total if total else 0.0
        what = where if args.text is None else f"{clip(args.text)} in {where}"
        return CheckResult(share, f"{share:.0%} of {what} leads to {wanted or 'the slide'}")

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, lambda slide: judge(slide.shapes, f"slide {slide.index + 1}"))
    return view.on_shapes(args, lambda seen: judge((seen.current,), seen.label))


def _judge_existence(view: View, seen: SlideView, args: Exists) -> CheckResult:
    if seen.current is None:
        return CheckResult(0.0, f"{seen.label} is not there")
    shapes = list(view.new_shapes(seen)) if args.new else list(seen.current.shapes)
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


def _plain_url(url: str) -> str:
    return url.strip().rstrip("/").casefold()


def _leads(link: str, wanted: str) -> bool:
    return bool(wanted) and _plain_url(link) == wanted

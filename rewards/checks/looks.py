"""Checks of effects, outlines, fills and flips of shapes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks.visibility.layers import paint_colors
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    nearness,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, View

_OPACITY_TOLERANCE_PCT = 3


@dataclass(frozen=True, kw_only=True)
class EffectIs(ShapeArgs):
    """An effect that a shape should have, or should not have."""

    kind: Literal[
        "any", "shadow", "inner_shadow", "glow", "reflection", "soft_edge", "blur", "bevel",
        "3d_rotation",
    ] = "any"  # fmt: skip
    color: str | None = None
    present: bool = True
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)


@dataclass(frozen=True, kw_only=True)
class GeometryIs(ShapeArgs):
    """The outline that a shape should have."""

    geometry: str


@dataclass(frozen=True, kw_only=True)
class Adjusted(ShapeArgs):
    """A handle of a shape's outline, such as ``adj``, and where it should be."""

    value: int
    name: str = "adj"
    tolerance: int = 2500


@dataclass(frozen=True, kw_only=True)
class FillIs(ShapeArgs):
    """The sort of fill that a shape should have; what is left out does not matter."""

    kind: Literal["none", "solid", "gradient", "pattern", "picture"]
    colors: tuple[str, ...] = ()
    opacity_pct: int | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        for color in self.colors:
            require_color(color)


@dataclass(frozen=True, kw_only=True)
class Flipped(ShapeArgs):
    """Whether a shape should be mirrored."""

    horizontal: bool | None = None
    vertical: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.horizontal is None and self.vertical is None:
            raise ValueError("expected horizontal or vertical")


@check("shape_effect", "shapes", "images")
def shape_effect(view: View, args: EffectIs) -> CheckResult:
    """Measure whether a shape has an effect, or has none; another colour than wanted costs half."""

    def judge(seen: ShapeView) -> CheckResult:
        found = [e for e in seen.current.effects if args.kind in ("any", e.kind)]
        name = "effect" if args.kind == "any" else args.kind.replace("_", " ")
        if not args.present:
            return verdict(
                not found, f"{seen.label} has no {name}", f"{seen.label} still has the {name}"
            )
        if not found:
            return CheckResult(0.0, f"{seen.label} has no {name}")
        if args.color is not None:
            wanted = wanted_color(args.color, view.current)
            if not any(color_matches(e.color, wanted, args.color_tolerance) for e in found):
                return CheckResult(
                    0.5, f"the {name} of {seen.label} has the colour {found[0].color}"
                )
        return CheckResult(1.0, f"{seen.label} has the {name}")

    return view.on_shapes(args, judge)


@check("shape_geometry_is", "shapes", is_binary=True)
def shape_geometry_is(view: View, args: GeometryIs) -> CheckResult:
    """Measure whether a shape has an outline."""

    def judge(seen: ShapeView) -> CheckResult:
        found = seen.current.geometry
        return verdict(
            found.casefold() == args.geometry.casefold(),
            f"{seen.label} is a {args.geometry}",
            f"{seen.label} is a {found or 'shape without outline'} instead of {args.geometry}",
        )

    return view.on_shapes(args, judge)


@check("shape_adjusted", "shapes")
def shape_adjusted(view: View, args: Adjusted) -> CheckResult:
    """Measure how far a handle of a shape's outline is from where it should be."""

    def judge(seen: ShapeView) -> CheckResult:
        values = dict(seen.current.adjustments)
        if args.name not in values:
            return CheckResult(0.0, f"{seen.label} has no handle {args.name}")
        away = abs(values[args.name] - args.value)
        reason = f"{args.name} of {seen.label} is {values[args.name]}, {args.value} wanted"
        return CheckResult(nearness(away, args.tolerance, 10_000), reason)

    return view.on_shapes(args, judge)


@check("shape_fill_is", "shapes")
def shape_fill_is(view: View, args: FillIs) -> CheckResult:
    """Measure whether a shape has a sort of fill; colours and opacity then share the score."""

    def judge(seen: ShapeView) -> CheckResult:
        fill = seen.current.fill
        if fill.kind != args.kind:
            return CheckResult(0.0, f"the fill of {seen.label} is {fill.kind}")
        return mean_of(list(_fill_results(view, seen, args)), "properties of the fill")

    return view.on_shapes(args, judge)


@check("shape_flipped", "shapes", "images")
def shape_flipped(view: View, args: Flipped) -> CheckResult:
    """Measure whether a shape is mirrored as it should be."""

    def judge(seen: ShapeView) -> CheckResult:
        box = seen.current.box
        sides = (
            ("horizontally", box.flip_h, args.horizontal),
            ("vertically", box.flip_v, args.vertical),
        )
        results = []
        for name, found, wanted in sides:
            if wanted is not None:
                state = f"{seen.label} is {'' if found else 'not '}mirrored {name}"
                results.append(CheckResult(float(found == wanted), state))
        return mean_of(results, "directions")

    return view.on_shapes(args, judge)


def _fill_results(view: View, seen: ShapeView, args: FillIs) -> Iterator[CheckResult]:
    fill = seen.current.fill
    yield CheckResult(1.0, f"{seen.label} has a {args.kind} fill")
    found = [color for color, _ in paint_colors(fill) or ()]
    for color in args.colors:
        wanted = wanted_color(color, view.current)
        right = any(color_matches(each, wanted, args.color_tolerance) for each in found)
        yield verdict(right, f"its fill has {color}", f"the fill of {seen.label} lacks {color}")
    if args.opacity_pct is not None:
        right = abs(fill.opacity_pct - args.opacity_pct) <= _OPACITY_TOLERANCE_PCT
        found_pct = f"the fill of {seen.label} is {fill.opacity_pct} % opaque"
        yield verdict(right, "its opacity is right", found_pct)

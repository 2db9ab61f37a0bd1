"""Checks of effects, outlines, fills and flips of shapes."""

from typing import Literal

from pptarena.decks.visibility.layers import paint_colors
from pptarena.rewards.checks.arguments import Color
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, nearness, wanted_color

_OPACITY_TOLERANCE_PCT = 3


@shape_check("shapes", "images")
def shape_effect(
    pair: ShapePair,
    kind: Literal[
        "any",
        "shadow",
        "inner_shadow",
        "glow",
        "reflection",
        "soft_edge",
        "blur",
        "bevel",
        "3d_rotation",
    ] = "any",
    color: Color | None = None,
    present: bool = True,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a shape has an effect, or has none; another colour than wanted costs half."""
    found = [e for e in pair.after.effects if kind in ("any", e.kind)]
    name = "effect" if kind == "any" else kind.replace("_", " ")
    if not present:
        return verdict(
            not found, f"{pair.label} has no {name}", f"{pair.label} still has the {name}"
        )
    if not found:
        return CheckResult(0.0, f"{pair.label} has no {name}")
    if color is not None:
        wanted = wanted_color(color, pair.deck)
        if not any(color_matches(e.color, wanted, color_tolerance) for e in found):
            return CheckResult(0.5, f"the {name} of {pair.label} has the colour {found[0].color}")
    return CheckResult(1.0, f"{pair.label} has the {name}")


@shape_check("shapes", is_binary=True)
def shape_geometry_is(pair: ShapePair, geometry: str) -> CheckResult:
    """Measure whether a shape has an outline."""
    found = pair.after.geometry
    return verdict(
        found.casefold() == geometry.casefold(),
        f"{pair.label} is a {geometry}",
        f"{pair.label} is a {found or 'shape without outline'} instead of {geometry}",
    )


@shape_check("shapes")
def shape_adjusted(
    pair: ShapePair, value: int, name: str = "adj", tolerance: int = 2500
) -> CheckResult:
    """Measure how far a handle of a shape's outline is from where it should be.

    Args:
        name: The handle.
    """
    values = dict(pair.after.adjustments)
    if name not in values:
        return CheckResult(0.0, f"{pair.label} has no handle {name}")
    away = abs(values[name] - value)
    reason = f"{name} of {pair.label} is {values[name]}, {value} wanted"
    return CheckResult(nearness(away, tolerance, 10_000), reason)


@shape_check("shapes")
def shape_fill_is(
    pair: ShapePair,
    kind: Literal["none", "solid", "gradient", "pattern", "picture"],
    colors: tuple[Color, ...] = (),
    opacity_pct: int | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a shape has a sort of fill; colours and opacity then share the score."""
    fill, where = pair.after.fill, f"the fill of {pair.label}"
    if fill.kind != kind:
        return CheckResult(0.0, f"{where} is {fill.kind}")
    results = [CheckResult(1.0, f"{pair.label} has a {kind} fill")]
    found = [color for color, _ in paint_colors(fill) or ()]
    for color in colors:
        wanted = wanted_color(color, pair.deck)
        right = any(color_matches(each, wanted, color_tolerance) for each in found)
        results.append(verdict(right, f"its fill has {color}", f"{where} lacks {color}"))
    if opacity_pct is not None:
        right = abs(fill.opacity_pct - opacity_pct) <= _OPACITY_TOLERANCE_PCT
        results.append(CheckResult(float(right), f"{where} is {fill.opacity_pct} % opaque"))
    return mean_of(results, "properties of the fill")


@shape_check("shapes", "images", at_least_one=("horizontal", "vertical"))
def shape_flipped(
    pair: ShapePair, horizontal: bool | None = None, vertical: bool | None = None
) -> CheckResult:
    """Measure whether a shape is mirrored as asked; each direction counts the same."""
    box = pair.after.box
    sides = (
        ("horizontally", box.flip_h, horizontal),
        ("vertically", box.flip_v, vertical),
    )
    results = []
    for name, found, wanted in sides:
        if wanted is not None:
            state = f"{pair.label} is {'' if found else 'not '}mirrored {name}"
            results.append(CheckResult(float(found == wanted), state))
    return mean_of(results, "directions")

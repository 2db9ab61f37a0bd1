"""Checks of effects, outlines, fills and flips of shapes."""

from typing import Literal

from pptarena.decks.equivalence.outlines import fits_outline
from pptarena.rewards.checking.arguments import Color
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of
from pptarena.rewards.checking.values import COLOR_TOLERANCE, paint_has

Effect = Literal[
    "any", "shadow", "inner_shadow", "glow", "reflection", "soft_edge", "blur", "bevel",
    "3d_rotation",
]  # fmt: skip

_OPACITY_TOLERANCE_PCT = 3


@shape_check("shapes", is_binary=True)
def shape_geometry_is(pair: ShapePair, geometry: str) -> CheckResult:
    """Measure whether a shape has a geometry.

    Args:
        geometry: Preset such as `rect`, or a family such as `right_arrows`.
    """
    now = geometry if fits_outline(pair.after.geometry, geometry) else pair.after.geometry
    return same(f"the outline of {pair.label}", now, geometry)


@shape_check("shapes")
def shape_fill_is(
    pair: ShapePair,
    kind: Literal["none", "solid", "gradient", "pattern", "picture"],
    colors: tuple[Color, ...] = (),
    opacity_pct: int | None = None,
    opacity_min_pct: int | None = None,
    opacity_max_pct: int | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a shape has a type of fill; colors and opacity then share the score."""
    fill, what = pair.after.fill, f"the fill of {pair.label}"
    opacity, low, high = fill.opacity_pct, opacity_min_pct, opacity_max_pct
    within = [
        near(f"the opacity of {what}", opacity, min(max(opacity, low or 0), high or 100), 0, 20)
        for each in (low, high)
        if each is not None
    ]
    return mean_of(
        [
            *paint_has(what, fill, kind, colors, pair.deck, color_tolerance),
            near(f"the opacity of {what}", opacity, opacity_pct, _OPACITY_TOLERANCE_PCT),
            *within[:1],
        ],
        "properties of the fill",
    )


@shape_check("shapes", "images", at_least_one=("horizontal", "vertical"))
def shape_flipped(
    pair: ShapePair, horizontal: bool | None = None, vertical: bool | None = None
) -> CheckResult:
    """Measure whether a shape is mirrored as asked; each direction counts the same."""
    box, what = pair.after.box, f"flip of {pair.label}"
    results = [
        same(f"the horizontal {what}", box.flip_h, horizontal),
        same(f"the vertical {what}", box.flip_v, vertical),
    ]
    return mean_of(results, "directions")

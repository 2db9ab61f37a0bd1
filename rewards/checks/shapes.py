"""Checks of which shapes exist, and of their outline, fill and lines."""

from typing import Literal

from pptarena.decks import Shape
from pptarena.decks.equivalence.equivalences import matches_outline
from pptarena.decks.text_match import normalize_caseless
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.rewards.checking.arguments import (
    Color,
    ColorOrNone,
    Count,
    Kind,
    Selector,
    require_old,
)
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    nearness,
    pass_or_fail,
    pluralize,
    score_equal,
    score_near,
)
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    condition_share,
    score_fill,
    score_paint,
)
from pptarena.rewards.checking.view import ShapePair, SlidePair

_LINE_TOLERANCE_PT = 0.3
_TEXT_FRAME_PROPERTIES = ("anchor", "wrap", "columns", "vertical")
_EXTRA_SHAPE_COST = 0.5


@slide_check()
def shape_exists(
    pair: SlidePair,
    kind: Kind | None = None,
    text: str | None = None,
    name: str | None = None,
    geometry: str | None = None,
    count: Count = 1,
    new: bool = True,
) -> CheckResult:
    """Measure how well the best matching shapes of a slide fit: the share of conditions.

    If there are fewer than `count` shapes, the missing shapes count as 0.

    Args:
        geometry: Preset such as `rect`, `rightArrow`, or a family such as `right_arrows`.
        new: Whether only shapes count that the original slide lacks.
    """

    def fit(shape: Shape) -> float:
        name_score = (
            None
            if name is None
            else float(normalize_caseless(shape.name) == normalize_caseless(name))
        )
        geometry_score = (
            None if geometry is None else float(matches_outline(shape.geometry, geometry))
        )
        return condition_share(shape, kind, text, name_score, geometry_score)

    shapes = pair.new_shapes if new else pair.after.shapes
    fits = (fit(pair.visible.shapes[shape.index]) for shape in shapes if pair.counts(shape))
    best = sorted(fits, reverse=True)[:count]
    criteria = {"kind": kind, "text": text, "name": name, "geometry": geometry}
    description = ", ".join(
        f"{criterion} {value!r}" for criterion, value in criteria.items() if value is not None
    )
    reason = f"{pair.label} has {best.count(1.0)} of {count} {'new ' if new else ''}shapes"
    return CheckResult(sum(best) / count, f"{reason} with {description}" if description else reason)


@slide_check()
def shape_count(pair: SlidePair, count: Count) -> CheckResult:
    """Measure how near the number of visible shapes of a slide is to the wanted number.

    Too few shapes earn their share of the number; each extra shape costs half. Shapes that show
    nothing, footers, dates and numbers do not count. A group counts as one.
    """
    shown_count = sum(
        shape.group is None
        and not shape.shows_nothing
        and shape.placeholder not in SMALL_PLACEHOLDERS
        and (shape.kind != "placeholder" or bool(shape.paragraphs))
        for shape in pair.after.shapes
        if not shape.hidden
    )
    score = (
        shown_count / count
        if shown_count < count
        else max(0.0, 1 - _EXTRA_SHAPE_COST * (shown_count - count))
    )
    correction = "" if shown_count == count else f" instead of {count}"
    return CheckResult(
        score, f"{pair.current_label} has {pluralize(shown_count, 'shape')}{correction}"
    )


@slide_check(shape="required", validate=require_old)
def shape_deleted(pair: SlidePair) -> CheckResult:
    """Measure whether a shape was deleted while its slide remains."""
    selector, where = pair.address.selector or "", pair.label
    return pass_or_fail(
        pair.follow(selector) is None,
        f"{selector} is gone from {where}",
        f"{selector} is still on {where}",
    )


@shape_check(visible=False, exactly_one=("to", "over", "under"))
def shape_z_order(
    pair: ShapePair,
    to: Literal["front", "back"] | None = None,
    over: Selector | None = None,
    under: Selector | None = None,
) -> CheckResult:
    """Measure the share of the slide's other shapes that a shape has passed, or of one other."""
    if to is None:
        selector, side = over or under or "", "over" if over else "under"
        other = pair.slide_pair.follow(selector)
        above = other is not None and pair.after.index > other.index
        right = other is not None and above == (over is not None)
        yes, no = (f"{pair.label} {verb} {side} {selector}" for verb in ("is", "is not"))
        return pass_or_fail(right, yes, no)
    others = [s for s in pair.slide.shapes if s.group is None and s is not pair.after]
    passed = sum((s.index < pair.after.index) == (to == "front") for s in others)
    side = "in front of" if to == "front" else "behind"
    score = passed / len(others) if others else 1.0
    return CheckResult(score, f"{pair.label} is {side} {passed} of {len(others)} other shapes")


@shape_check(at_least_one=("color", "width_pt", "dash", "start", "end"))
def shape_line(
    pair: ShapePair,
    color: ColorOrNone | None = None,
    width_pt: float | None = None,
    dash: str | None = None,
    start: str | None = None,
    end: str | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of right properties of an outline.

    Args:
        dash: Such as `sysDot`.
        start: Arrowhead such as `triangle`.
    """
    line, subject = pair.after.line, f"the line of {pair.label}"
    dash_now, *ends = (line.dash, *line.ends) if line.paint.kind != "none" else (None,) * 3
    results = [
        score_paint(subject, line.paint, color, pair.deck, color_tolerance),
        score_near(f"the width of {subject} in pt", line.width_pt, width_pt, _LINE_TOLERANCE_PT),
        score_equal(f"the dash of {subject}", dash_now, dash),
        score_equal(f"the start of {subject}", ends[0], start),
        score_equal(f"the end of {subject}", ends[1], end),
    ]
    return mean_of(results, "properties of the line")


Effect = Literal[
    "any", "shadow", "inner_shadow", "glow", "reflection", "soft_edge", "blur", "bevel",
    "3d_rotation",
]  # fmt: skip

_OPACITY_TOLERANCE_PCT = 3


@shape_check(at_least_one=("geometry", "rotation_deg", "autofit", *_TEXT_FRAME_PROPERTIES))
def shape_format(
    pair: ShapePair,
    geometry: str | None = None,
    rotation_deg: float | None = None,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    autofit: Literal["none", "shape", "text"] | None = None,
    wrap: bool | None = None,
    columns: int | None = None,
    vertical: str | None = None,
    tolerance_deg: float = 1.0,
) -> CheckResult:
    """Measure the share of right properties of a shape and its text frame.

    Args:
        geometry: Preset such as `rect`, or a family such as `right_arrows`.
        vertical: Text direction as in the file: `horz`, `vert270` and so on.
    """
    after, label = pair.after, pair.label
    results = [score_equal(f"the autofit of {label}", after.autofit, autofit)]
    for name, expected in zip(
        _TEXT_FRAME_PROPERTIES, (anchor, wrap, columns, vertical), strict=True
    ):
        now = getattr(after.frame, name, None)
        results.append(score_equal(f"the {name} setting of {label}", now, expected))
    if geometry is not None:
        outline = geometry if matches_outline(after.geometry, geometry) else after.geometry
        results.append(score_equal(f"the outline of {label}", outline, geometry))
    if rotation_deg is not None:
        deviation_deg = abs(after.box.rotation_deg - rotation_deg) % 360
        score = nearness(min(deviation_deg, 360 - deviation_deg), tolerance_deg, 30.0)
        results.append(CheckResult(score, f"{label} is rotated by {after.box.rotation_deg:g}°"))
    return mean_of(results, "properties")


@shape_check(at_least_one=("kind", "color"))
def shape_fill_is(
    pair: ShapePair,
    kind: Literal["none", "solid", "gradient", "pattern", "picture"] | None = None,
    color: ColorOrNone | None = None,
    colors: tuple[Color, ...] = (),
    opacity_pct: int | None = None,
    opacity_min_pct: int | None = None,
    opacity_max_pct: int | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a shape has a color or type of fill; colors and opacity share the score.

    Args:
        color: The only color of the fill.
        colors: Some colors of the fill.
    """
    fill, subject = pair.after.fill, f"the fill of {pair.label}"
    opacity, low, high = fill.opacity_pct, opacity_min_pct, opacity_max_pct
    within = [
        score_near(
            f"the opacity of {subject}", opacity, min(max(opacity, low or 0), high or 100), 0, 20
        )
        for each in (low, high)
        if each is not None
    ]
    return mean_of(
        [
            score_paint(subject, fill, color, pair.deck, color_tolerance),
            *score_fill(subject, fill, kind, colors, pair.deck, color_tolerance),
            score_near(f"the opacity of {subject}", opacity, opacity_pct, _OPACITY_TOLERANCE_PCT),
            *within[:1],
        ],
        "properties of the fill",
    )


@shape_check(at_least_one=("horizontal", "vertical"))
def shape_flipped(
    pair: ShapePair, horizontal: bool | None = None, vertical: bool | None = None
) -> CheckResult:
    """Measure whether a shape is mirrored as asked; each direction counts the same."""
    box, description = pair.after.box, f"flip of {pair.label}"
    results = [
        score_equal(f"the horizontal {description}", box.flip_h, horizontal),
        score_equal(f"the vertical {description}", box.flip_v, vertical),
    ]
    return mean_of(results, "directions")

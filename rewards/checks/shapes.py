"""Checks of which shapes there are and what they look like."""

from typing import Literal

from pptarena.decks import Deck, Paint, Shape
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.diff.text import clip
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import folded, share_found
from pptarena.rewards.checks.arguments import ColorOrNone, Count, Kind, Selector
from pptarena.rewards.checks.pairs import ShapePair, SlidePair, Slides
from pptarena.rewards.checks.registry import shape_check, slide_check, slides_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, wanted_color

_LINE_TOLERANCE_PT = 0.3


@slide_check("shapes")
def shape_exists(
    pair: SlidePair,
    kind: Kind | None = None,
    text: str | None = None,
    name: str | None = None,
    geometry: str | None = None,
    count: Count = 1,
    new: bool = True,
) -> CheckResult:
    """Measure how well the best fitting shapes of a slide fit: the share of conditions, of `count`.

    Args:
        geometry: Preset such as `rect`, `rightArrow`.
        new: Only shapes that the original slide lacks.
    """

    def fit(shape: Shape) -> float:
        # A shape of another kind is another thing, whatever else is right about it.
        if kind is not None and not is_kind(shape, kind):
            return 0.0
        conditions = [] if kind is None else [1.0]
        if text is not None:
            conditions.append(share_found(shape.all_text, text, match_case=False))
        if name is not None:
            conditions.append(float(folded(shape.name) == folded(name)))
        if geometry is not None:
            conditions.append(float(shape.geometry == geometry))
        return sum(conditions) / len(conditions) if conditions else 1.0

    shapes = pair.new_shapes if new else pair.after.shapes
    fits = (fit(pair.visible.shapes[shape.index]) for shape in shapes if pair.counts(shape))
    best = sorted(fits, reverse=True)[:count]
    asked = (("kind", kind), ("text", text), ("name", name), ("geometry", geometry))
    wanted = ", ".join(f"{what} {value!r}" for what, value in asked if value is not None)
    fitting = sum(each == 1.0 for each in best)
    reason = f"{pair.label} has {fitting} of {count} {'new ' if new else ''}shapes"
    return CheckResult(sum(best) / count, f"{reason} with {wanted}" if wanted else reason)


@slides_check("shapes", is_binary=True, shape="required")
def shape_deleted(slides: Slides) -> CheckResult:
    """Measure whether a shape is gone while its slide is still there."""
    results = []
    for pair in slides:
        if pair.now is None:
            results.append(CheckResult(0.0, f"{pair.label} is gone as a whole"))
            continue
        what, is_gone = slides.selector, pair.follow(slides.selector) is None
        yes, no = f"{what} is gone from {pair.label}", f"{what} is still on {pair.label}"
        results.append(verdict(is_gone, yes, no))
    return mean_of(results, "slides")


@shape_check("arrangement", visible=False, exactly_one=("to", "over", "under"))
def shape_z_order(
    pair: ShapePair,
    to: Literal["front", "back"] | None = None,
    over: Selector | None = None,
    under: Selector | None = None,
) -> CheckResult:
    """Measure the share of the slide's other shapes that a shape has passed, or of one other."""
    if to is None:
        selector, side = over or under or "", "over" if over else "under"
        other = pair.on.follow(selector)
        above = other is not None and pair.after.index > other.index
        right = other is not None and above == (over is not None)
        yes, no = (f"{pair.label} {verb} {side} {selector}" for verb in ("lies", "does not lie"))
        return verdict(right, yes, no)
    others = [s for s in pair.slide.shapes if s.group is None and s is not pair.after]
    in_front = to == "front"
    passed = sum((s.index < pair.after.index) == in_front for s in others)
    value = passed / len(others) if others else 1.0
    side = "in front of" if in_front else "behind"
    return CheckResult(value, f"{pair.label} is {side} {passed} of {len(others)} other shapes")


@shape_check("shapes", is_binary=True)
def shape_fill_color(
    pair: ShapePair, color: ColorOrNone, color_tolerance: float = COLOR_TOLERANCE
) -> CheckResult:
    """Measure whether a shape is filled with a colour, or with nothing."""
    right = _has_color(pair.deck, pair.after.fill, color, color_tolerance)
    found = describe_paint(pair.after.fill)
    return verdict(right, f"{pair.label} is filled {color}", f"{pair.label} is filled {found}")


@shape_check("shapes", at_least_one=("color", "width_pt", "dash", "start", "end"))
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
        start: Arrow head such as `triangle`.
    """
    line = pair.after.line
    results = []
    if color is not None:
        right = _has_color(pair.deck, line.paint, color, color_tolerance)
        found = describe_paint(line.paint)
        results.append(
            verdict(right, f"its line is {color}", f"the line of {pair.label} is {found}")
        )
    if width_pt is not None:
        right = abs(line.width_pt - width_pt) <= _LINE_TOLERANCE_PT
        found = f"{line.width_pt:g} pt"
        results.append(
            verdict(right, f"its line has {found}", f"the line of {pair.label} has {found}")
        )
    for name, found, wanted in (
        ("dash", line.dash, dash),
        ("start", line.ends[0], start),
        ("end", line.ends[1], end),
    ):
        if wanted is not None:
            right = line.paint.kind != "none" and found.casefold() == wanted.casefold()
            results.append(
                CheckResult(float(right), f"the {name} of the line of {pair.label} is {found}")
            )
    return mean_of(results, "properties of the line")


@shape_check("shapes", is_binary=True)
def shape_name_is(pair: ShapePair, name: str) -> CheckResult:
    """Measure whether a shape has a name."""
    return verdict(
        folded(pair.after.name) == folded(name),
        f"the shape is called {clip(name)}",
        f"{pair.label} is called {clip(pair.after.name)}",
    )


def _has_color(deck: Deck, paint: Paint, color: str, tolerance: float) -> bool:
    if color == "none":
        return paint.kind == "none"
    wanted = wanted_color(color, deck)
    return paint.kind == "solid" and color_matches(paint.color, wanted, tolerance)

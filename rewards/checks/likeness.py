"""Checks that compare the formatting of an object with another object or the original."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from pptarena.decks import Paragraph, RunStyle, Shape
from pptarena.decks.diff.text import clip
from pptarena.decks.read.color import rgb_distance
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Count, Selector
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, mean_of, pass_or_fail, require
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    TOLERANCE_EMU,
    font_key,
    lightness,
    matching_runs,
)
from pptarena.rewards.checking.view import ShapePair, SlidePair

Property = Literal[
    "width", "height", "rotation", "fill", "line", "geometry", "effects", "font", "font_size",
    "color", "bold", "italic", "align",
]  # fmt: skip
ParagraphProperty = Literal[
    "level", "bullet", "align", "indent", "spacing", "font", "font_size", "color", "bold", "italic"
]
_MIN_LIGHTNESS_DIFFERENCE = 0.05
_PT_TOLERANCE = 0.3


@shape_check()
def looks_like(
    pair: ShapePair,
    other: Selector,
    properties: Annotated[tuple[Property, ...], Field(min_length=1)],
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of properties that a shape shares with another shape of the original.

    Args:
        other: A shape of the slide; one that the original lacks counts as it is now.
    """
    now = require(pair.slide_pair.follow(other), f"{other} is missing")
    if now is pair.after:
        raise UnscoredError(f"{other} is the shape itself")
    model = pair.slide_pair.original_of(now) or now
    results = []
    for name in properties:
        is_equal = _are_alike(
            _PROPERTIES[name](pair.after), _PROPERTIES[name](model), name, color_tolerance
        )
        subject = f"the {name.replace('_', ' ')} of {pair.label}"
        right, wrong = f"{subject} matches {now.label}", f"{subject} does not match {now.label}"
        results.append(pass_or_fail(is_equal, right, wrong))
    return mean_of(results, "properties")


@shape_check()
def paragraphs_look_like(
    pair: ShapePair,
    paragraphs: Annotated[tuple[Count, ...], Field(min_length=1)],
    like: Annotated[tuple[Count, ...], Field(min_length=1)],
    properties: Annotated[tuple[ParagraphProperty, ...], Field(min_length=1)],
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of properties that paragraphs share with other paragraphs of the original.

    Args:
        paragraphs: Their positions, from 1 among the paragraphs with text.
        like: Positions of the paragraphs to match; any one of them is enough.
    """
    models = _paragraphs_at(pair.after if pair.before is None else pair.before, like)
    if len(models) < len(like):
        raise UnscoredError(f"{pair.label} lacks some of the paragraphs {list(like)}")
    selected = _paragraphs_at(pair.after, paragraphs)
    results: list[CheckResult | None] = [CheckResult(0.0, "a paragraph is missing")] * (
        (len(paragraphs) - len(selected)) * len(properties)
    )
    for paragraph in selected:
        for name in properties:
            get_property = _PARAGRAPH_PROPERTIES[name]
            expected_values = (get_property(model) for model in models)
            is_equal = any(
                _are_alike(get_property(paragraph), each, name, color_tolerance)
                for each in expected_values
            )
            subject = f"the {name.replace('_', ' ')} of {clip(paragraph.text)}"
            results.append(pass_or_fail(is_equal, f"{subject} is right", f"{subject} is different"))
    return mean_of(results, "properties of paragraphs")


@shape_check()
def color_compared(
    pair: ShapePair,
    relation: Literal["lighter", "darker", "same", "unlike"],
    of: Literal["fill", "line", "text"] = "fill",
    others: tuple[Selector, ...] = (),
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure how a shape's color relates to its original color, or to the colors of other shapes.

    Args:
        others: By default, the shape itself in the original.
    """
    subject = f"the {of} of {pair.label}"
    color_now = require(_COLORS[of](pair.after), f"{subject} has no color")
    if others:
        compared = [(name, pair.slide_pair.follow(name)) for name in others]
    else:
        if pair.before is None:
            raise UnscoredError(f"{pair.label} is new; name others to compare it with")
        compared = [("before", pair.before)]
    results = []
    for name, shape in compared:
        color = None if shape is None else _COLORS[of](shape)
        right = color is not None and _has_relation(color_now, color, relation, color_tolerance)
        if relation == "unlike" and shape is not None and color is None:
            right = True  # a missing color is unlike any other
        verb = "is" if right else "is not"
        results.append(CheckResult(float(right), f"{subject} {verb} {relation}: {color} of {name}"))
    return mean_of(results, "colours")


@slide_check()
def theme_changed(pair: SlidePair) -> CheckResult:
    """Measure the share of slides whose theme has other colors or typefaces than before."""
    if pair.before is None:
        raise UnscoredError(f"{pair.label} is new: it had no theme")
    old = pair.view.original.master_of(pair.before)
    new = pair.deck.master_of(pair.after)
    themes = [None if m is None else (m.palette, tuple(map(font_key, m.fonts))) for m in (old, new)]
    changed = None not in themes and themes[0] != themes[1]
    where = pair.current_label
    return pass_or_fail(
        changed, f"{where} has a different theme", f"{where} has the same theme as before"
    )


def _paragraphs_at(shape: Shape, positions: Sequence[int]) -> list[Paragraph]:
    paragraphs = [paragraph for paragraph in shape.paragraphs if paragraph.text.strip()]
    return [paragraphs[at - 1] for at in positions if at <= len(paragraphs)]


def _has_relation(color: str, other: str, relation: str, tolerance: float) -> bool:
    if relation in ("same", "unlike"):
        return (rgb_distance(color, other) <= tolerance) == (relation == "same")
    difference = lightness(color) - lightness(other)
    return (difference if relation == "lighter" else -difference) >= _MIN_LIGHTNESS_DIFFERENCE


def _are_alike(first: Any, second: Any, name: str, color_tolerance: float) -> bool:
    if isinstance(first, str) and isinstance(second, str) and first[:1] == second[:1] == "#":
        return rgb_distance(first, second) <= color_tolerance
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        pairs = zip(first, second, strict=True)
        return all(_are_alike(a, b, name, color_tolerance) for a, b in pairs)
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    if numbers and not isinstance(first, bool):
        return bool(abs(first - second) <= (TOLERANCE_EMU if name in _LENGTHS else _PT_TOLERANCE))
    return bool(first == second)


_LENGTHS = ("width", "height", "indent")


def _style(shape: Shape) -> RunStyle | None:
    return next((run.style for run in matching_runs([shape], None)), None)


def _first_style(paragraph: Paragraph) -> RunStyle | None:
    return next((run.style for run in paragraph.runs if run.text.strip()), None)


_STYLES: Mapping[str, Callable[[RunStyle], Any]] = {
    "font": lambda style: font_key(style.font),
    "font_size": lambda style: style.size_pt,
    "color": lambda style: style.color,
    "bold": lambda style: style.bold,
    "italic": lambda style: style.italic,
}


def _shape_style_property(name: str) -> Callable[[Shape], Any]:
    return lambda shape: None if (style := _style(shape)) is None else _STYLES[name](style)


def _paragraph_style_property(name: str) -> Callable[[Paragraph], Any]:
    return lambda p: None if (style := _first_style(p)) is None else _STYLES[name](style)


_COLORS: Mapping[str, Callable[[Shape], str | None]] = {
    "fill": lambda shape: shape.fill.color,
    "line": lambda shape: shape.line.paint.color,
    "text": _shape_style_property("color"),
}
_PROPERTIES: Mapping[str, Callable[[Shape], Any]] = {
    "width": lambda shape: shape.box.width,
    "height": lambda shape: shape.box.height,
    "rotation": lambda shape: shape.box.rotation_deg,
    "fill": lambda shape: (shape.fill.kind, shape.fill.color, shape.fill.description),
    "line": lambda s: (s.line.paint.kind, s.line.paint.color, s.line.width_pt, s.line.dash),
    "geometry": lambda shape: shape.geometry,
    "effects": lambda shape: tuple(sorted(effect.kind for effect in shape.effects)),
    "align": lambda s: next((p.align for p in s.paragraphs if p.text.strip()), None),
    **{name: _shape_style_property(name) for name in _STYLES},
}
_PARAGRAPH_PROPERTIES: Mapping[str, Callable[[Paragraph], Any]] = {
    "level": lambda p: str(p.level),
    "bullet": lambda p: (p.bullet.kind, p.bullet.char),
    "align": lambda p: p.align,
    "indent": lambda p: (p.margin_emu, p.indent_emu),
    "spacing": lambda p: (p.line_spacing_pct, p.space_before_pt, p.space_after_pt),
    **{name: _paragraph_style_property(name) for name in _STYLES},
}

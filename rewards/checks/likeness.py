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
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, verdict
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    TOLERANCE_EMU,
    font_key,
    lightness,
    matching_runs,
)
from pptarena.rewards.checking.view import ShapePair, SlidePair

Look = Literal[
    "width", "height", "rotation", "fill", "line", "geometry", "effects", "font", "font_size",
    "color", "bold", "italic", "align",
]  # fmt: skip
ParagraphLook = Literal[
    "level", "bullet", "align", "indent", "spacing", "font", "font_size", "color", "bold", "italic"
]
_LIGHTER = 0.05
_PT = 0.3


@shape_check()
def looks_like(
    pair: ShapePair,
    other: Selector,
    properties: Annotated[tuple[Look, ...], Field(min_length=1)],
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of properties that a shape shares with another shape of the original.

    Args:
        other: A shape of the slide; one that the original lacks counts as it is now.
    """
    now = needed(pair.on.follow(other), f"{other} is missing")
    if now is pair.after:
        raise UnscoredError(f"{other} is the shape itself")
    model = pair.on.original_of(now) or now
    results = []
    for name in properties:
        alike = _alike(_LOOKS[name](pair.after), _LOOKS[name](model), name, color_tolerance)
        what = f"the {name.replace('_', ' ')} of {pair.label}"
        right, wrong = f"{what} matches {now.label}", f"{what} does not match {now.label}"
        results.append(verdict(alike, right, wrong))
    return mean_of(results, "properties")


@shape_check()
def paragraphs_look_like(
    pair: ShapePair,
    paragraphs: Annotated[tuple[Count, ...], Field(min_length=1)],
    like: Annotated[tuple[Count, ...], Field(min_length=1)],
    properties: Annotated[tuple[ParagraphLook, ...], Field(min_length=1)],
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of properties that paragraphs share with other paragraphs of the original.

    Args:
        paragraphs: Their positions, from 1 among the paragraphs with text.
        like: Positions of the paragraphs to match; any one of them is enough.
    """
    models = _some(pair.after if pair.before is None else pair.before, like)
    if len(models) < len(like):
        raise UnscoredError(f"{pair.label} lacks some of the paragraphs {list(like)}")
    chosen = _some(pair.after, paragraphs)
    results: list[CheckResult | None] = [CheckResult(0.0, "a paragraph is gone")] * (
        (len(paragraphs) - len(chosen)) * len(properties)
    )
    for paragraph in chosen:
        for name in properties:
            look = _PARAGRAPH_LOOKS[name]
            wanted = (look(model) for model in models)
            alike = any(_alike(look(paragraph), each, name, color_tolerance) for each in wanted)
            what = f"the {name.replace('_', ' ')} of {clip(paragraph.text)}"
            results.append(verdict(alike, f"{what} is right", f"{what} is different"))
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
    what = f"the {of} of {pair.label}"
    found = needed(_COLORS[of](pair.after), f"{what} has no color")
    if others:
        named = [(name, pair.on.follow(name)) for name in others]
    else:
        if pair.before is None:
            raise UnscoredError(f"{pair.label} is new; name others to compare it with")
        named = [("before", pair.before)]
    results = []
    for name, shape in named:
        color = None if shape is None else _COLORS[of](shape)
        right = color is not None and _stands(found, color, relation, color_tolerance)
        if relation == "unlike" and shape is not None and color is None:
            right = True  # a missing color is unlike any other
        verb = "is" if right else "is not"
        results.append(CheckResult(float(right), f"{what} {verb} {relation}: {color} of {name}"))
    return mean_of(results, "colours")


@slide_check()
def theme_changed(pair: SlidePair) -> CheckResult:
    """Measure the share of slides whose theme has other colors or typefaces than before."""
    if pair.before is None:
        raise UnscoredError(f"{pair.label} is new: it had no theme")
    old = pair.view.original.master_of(pair.before)
    new = pair.deck.master_of(pair.after)
    looks = [None if m is None else (m.palette, tuple(map(font_key, m.fonts))) for m in (old, new)]
    changed = None not in looks and looks[0] != looks[1]
    where = pair.place
    return verdict(
        changed, f"{where} has a different theme", f"{where} has the same theme as before"
    )


def _some(shape: Shape, positions: Sequence[int]) -> list[Paragraph]:
    said = [paragraph for paragraph in shape.paragraphs if paragraph.text.strip()]
    return [said[at - 1] for at in positions if at <= len(said)]


def _stands(found: str, other: str, relation: str, tolerance: float) -> bool:
    if relation in ("same", "unlike"):
        return (rgb_distance(found, other) <= tolerance) == (relation == "same")
    more = lightness(found) - lightness(other)
    return (more if relation == "lighter" else -more) >= _LIGHTER


def _alike(first: Any, second: Any, name: str, color_tolerance: float) -> bool:
    if isinstance(first, str) and isinstance(second, str) and first[:1] == second[:1] == "#":
        return rgb_distance(first, second) <= color_tolerance
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        pairs = zip(first, second, strict=True)
        return all(_alike(a, b, name, color_tolerance) for a, b in pairs)
    numbers = isinstance(first, int | float) and isinstance(second, int | float)
    if numbers and not isinstance(first, bool):
        return bool(abs(first - second) <= (TOLERANCE_EMU if name in _LENGTHS else _PT))
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


def _of_shape(name: str) -> Callable[[Shape], Any]:
    return lambda shape: None if (style := _style(shape)) is None else _STYLES[name](style)


def _of_paragraph(name: str) -> Callable[[Paragraph], Any]:
    return lambda p: None if (style := _first_style(p)) is None else _STYLES[name](style)


_COLORS: Mapping[str, Callable[[Shape], str | None]] = {
    "fill": lambda shape: shape.fill.color,
    "line": lambda shape: shape.line.paint.color,
    "text": _of_shape("color"),
}
_LOOKS: Mapping[str, Callable[[Shape], Any]] = {
    "width": lambda shape: shape.box.width,
    "height": lambda shape: shape.box.height,
    "rotation": lambda shape: shape.box.rotation_deg,
    "fill": lambda shape: (shape.fill.kind, shape.fill.color, shape.fill.words),
    "line": lambda s: (s.line.paint.kind, s.line.paint.color, s.line.width_pt, s.line.dash),
    "geometry": lambda shape: shape.geometry,
    "effects": lambda shape: tuple(sorted(effect.kind for effect in shape.effects)),
    "align": lambda s: next((p.align for p in s.paragraphs if p.text.strip()), None),
    **{name: _of_shape(name) for name in _STYLES},
}
_PARAGRAPH_LOOKS: Mapping[str, Callable[[Paragraph], Any]] = {
    "level": lambda p: str(p.level),
    "bullet": lambda p: (p.bullet.kind, p.bullet.char),
    "align": lambda p: p.align,
    "indent": lambda p: (p.margin_emu, p.indent_emu),
    "spacing": lambda p: (p.line_spacing_pct, p.space_before_pt, p.space_after_pt),
    **{name: _of_paragraph(name) for name in _STYLES},
}

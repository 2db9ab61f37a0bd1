"""Checks of themes, masters and layouts.

LibreOffice writes an empty master, white with 18 pt text, and moves all master content into the
layouts. For a master without shapes, the layouts in use are examined instead.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, Any, Literal, Unpack

from pydantic import Field

from pptarena.decks import Box, Deck, Layout, Master, Paint, Paragraph, RunStyle, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.text_match import normalize_caseless
from pptarena.rewards.checking.arguments import Color, Count, Kind, Level, ThemeColor
from pptarena.rewards.checking.registry import deck_check, slide_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    mean_of,
    nearness,
    require,
    score_equal,
    score_share,
    with_note,
)
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    TOLERANCE_EMU,
    condition_share,
    same_font,
    score_fill,
    score_paint,
)
from pptarena.rewards.checking.view import SlidePair, View
from pptarena.rewards.checks.arrangement import common_sides
from pptarena.rewards.checks.formatting import TargetStyle, require_style, style_tests
from pptarena.rewards.relative import HeightEmu, LengthEmu, SeveralSlides, WidthEmu

_PLACEHOLDERS = {"title": ("title", "ctrTitle"), "body": ("body", "obj", "subTitle")}


def backgrounds(deck: Deck) -> list[Paint]:
    """Return the backgrounds of each master."""
    return [holder.background for holder in _masters_or_layouts(deck)]


def sample_paragraphs(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph of a text style for each master, or None if there is none.

    Args:
        deck: The deck.
        kind: ``title``, ``body`` or ``other``.
        level: Outline level, from 0.
    """
    for holder in _masters_or_layouts(deck):
        if isinstance(holder, Master) or kind not in _PLACEHOLDERS:
            master = holder if isinstance(holder, Master) else _master_of(deck, holder)
            yield dict(master.text_styles).get(f"{kind} {level + 1}")
            continue
        yield from _samples_in_layout(holder, kind, level)


def layout_sample_paragraphs(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph for each layout in use; nothing for the kind ``other``."""
    for index, master in enumerate(deck.masters):
        for layout in _used_layouts(deck, index, master) if kind in _PLACEHOLDERS else ():
            yield from _samples_in_layout(layout, kind, level)


def _samples_in_layout(layout: Layout, kind: str, level: int) -> Iterator[Paragraph | None]:
    boxes = [s for s in layout.shapes if s.placeholder in _PLACEHOLDERS[kind]]
    paragraphs = (p for shape in boxes for p in shape.paragraphs if p.level == level and p.runs)
    if boxes:  # a layout without the placeholder has no sample text
        yield next(paragraphs, None)


def shape_groups(deck: Deck) -> list[list[Shape]]:
    """Return the shapes that appear on all slides, by master or by layout in use."""
    holders = _masters_or_layouts(deck)
    master_shapes = [shape for each in holders if isinstance(each, Master) for shape in each.shapes]
    groups = [list(each.shapes) for each in holders if isinstance(each, Layout)]
    return [master_shapes, *groups] if master_shapes or not groups else groups


def _masters_or_layouts(deck: Deck) -> list[Master | Layout]:
    result: list[Master | Layout] = []
    for index, master in enumerate(deck.masters):
        layouts = _used_layouts(deck, index, master)
        result += [master] if master.shapes or not layouts else layouts
    return result


def _used_layouts(deck: Deck, index: int, master: Master) -> list[Layout]:
    of_it = (slide for slide in deck.slides if slide.master == index)
    used = {slide.layout_index for slide in of_it} - {None}
    return [each for at, each in enumerate(master.layouts) if at in used]


def _master_of(deck: Deck, layout: Layout) -> Master:
    return next(master for master in deck.masters if layout in master.layouts)


_INCH = 914_400
_MIN_KEPT_FACTOR = 0.3
_NEAR_COLOR_CREDIT = 0.3
_COLOR_DECAY = 60.0
_TITLES = ("title", "ctrTitle")


@deck_check()
def theme_colors_are(
    view: View,
    colors: Annotated[tuple[ThemeColor, ...], Field(min_length=1)],
    color_tolerance: float = 12.0,
    only: bool = False,
) -> CheckResult:
    """Measure the share of colors that the theme of every master has.

    Another color earns up to 0.3, depending on its distance from the wanted color.

    Args:
        colors: Pairs such as `["accent1", "#1F4E79"]`.
        only: Whether the other accents must be as before; the score is multiplied by their share,
            at least by 0.3.
    """
    results = []
    for master in view.current.masters:
        for name, color in colors:
            now = master.colors.get(name)
            distance = None if now is None else rgb_distance(now, color.upper())
            fit = 0.0 if distance is None else nearness(distance, color_tolerance, _COLOR_DECAY)
            score = fit if fit == 1.0 else _NEAR_COLOR_CREDIT * fit
            results.append(CheckResult(score, f"{name} of the theme is {now}"))
    result = mean_of(results, "theme colors")
    unchanged_share = (
        _unchanged_accent_share(view, {name for name, _ in colors}, color_tolerance)
        if only
        else 1.0
    )
    note = "" if unchanged_share == 1 else f"{1 - unchanged_share:.0%} of the other accents changed"
    return with_note(
        CheckResult(result.score * max(_MIN_KEPT_FACTOR, unchanged_share), result.reason), note
    )


def _unchanged_accent_share(view: View, changed_names: Collection[str], tolerance: float) -> float:
    """Return the share of the other accents that are as before."""
    pairs = [
        (old.colors.get(name), new.colors.get(name))
        for old, new in zip(view.original.masters, view.current.masters, strict=False)
        for name in sorted({*old.colors, *new.colors} - {*changed_names})
        if name.startswith("accent")
    ]
    right = sum(
        old is not None and new is not None and rgb_distance(old, new) <= tolerance
        for old, new in pairs
    )
    return right / len(pairs) if pairs else 1.0


@deck_check(at_least_one=("heading", "body"))
def theme_fonts_are(view: View, heading: str | None = None, body: str | None = None) -> CheckResult:
    """Measure the share of right typefaces of the theme of every master."""
    results = []
    for master in view.current.masters:
        for role, now, expected in zip(
            ("heading", "body"), master.fonts, (heading, body), strict=True
        ):
            is_same = expected is not None and same_font(now, expected)
            results.append(score_equal(f"the {role} font", expected if is_same else now, expected))
    return mean_of(results, "theme fonts")


@deck_check()
def theme_is(view: View, name: str, slides: SeveralSlides | None = None) -> CheckResult:
    """Measure the share of slides with a theme, by its name or that of its master.

    Args:
        slides: Slides of the original; by default all current slides.
    """
    if slides is None:
        selected: list[Slide | None] = list(require(view.current.slides, "there are no slides"))
    else:
        selected = [view.current_of(slide) for slide in view.select_slides(slides)]
    right = sum(
        s is not None and normalize_caseless(name) in _theme_names(view.current, s)
        for s in selected
    )
    return score_share(right, len(selected), f"slides have the theme {name!r}")


def _require_property(values: Mapping[str, Any]) -> None:
    if values["align"] is None:
        require_style(values)


@deck_check(validate=_require_property)
def master_text_style(
    view: View,
    kind: Literal["title", "body", "other"],
    level: Level = 0,
    align: Literal["left", "center", "right", "justify"] | None = None,
    **style: Unpack[TargetStyle],
) -> CheckResult:
    """Measure the share of right properties of a text style, over all masters.

    The layouts that slides use count instead of the masters if their share is higher.
    """
    tests = list(style_tests(view.current, style))
    samples_by_source = (
        sample_paragraphs(view.current, kind, level),
        layout_sample_paragraphs(view.current, kind, level),
    )
    return best_of(
        _style_result(list(samples), f"{kind} {level + 1}", tests, align)
        for samples in samples_by_source
    )


def _style_result(
    samples: list[Paragraph | None],
    name: str,
    tests: list[tuple[str, Callable[[RunStyle], bool]]],
    align: str | None,
) -> CheckResult:
    results: list[CheckResult | None] = []
    for sample in samples:
        if sample is None or not sample.runs:
            results.append(CheckResult(0.0, f"the master has no style for {name}"))
            continue
        for property_name, test in tests:
            right = test(sample.runs[0].style)
            results.append(
                CheckResult(float(right), f"{name} is {'' if right else 'not '}{property_name}")
            )
        results.append(score_equal(f"the alignment of {name}", sample.align, align))
    return mean_of(results, "properties of masters")


@deck_check(at_least_one=("kind", "text", "sha256"))
def master_shape(
    view: View,
    layout: str | None = None,
    kind: Kind | None = None,
    text: str | None = None,
    sha256: str | None = None,
    count: Count = 1,
    left_emu: WidthEmu | None = None,
    top_emu: HeightEmu | None = None,
    width_emu: WidthEmu | None = None,
    height_emu: HeightEmu | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how well the best matching shapes of a layout, or of a master, fit.

    If a master has no shapes, as LibreOffice writes it, all layouts that slides use count instead.

    Args:
        layout: By default the master.
    """
    edges = (("left", left_emu), ("top", top_emu), ("width", width_emu), ("height", height_emu))

    def fit(shape: Shape) -> float:
        file = "" if shape.picture is None else shape.picture.sha256
        same_file = None if sha256 is None else float(file == sha256.lower())
        position_scores = [
            nearness(getattr(shape.box, name) - expected, tolerance_emu, _INCH)
            for name, expected in edges
            if expected is not None
        ]
        content = condition_share(shape, kind, text, same_file)
        return condition_share(shape, kind, text, same_file, *position_scores) if content else 0.0

    where = f"the layout {layout!r}" if layout is not None else "the master"
    results = []
    for shapes in _common_shapes(view.current, layout):
        fits = sorted((fit(s) for s in shapes if not s.hidden), reverse=True)[:count]
        reason = f"{where} has {fits.count(1.0)} of {count} matching shapes"
        results.append(CheckResult(sum(fits) / count, reason))
    return mean_of(results, "masters")


@deck_check()
def layout_shape_clear(view: View, layout: str, text: str) -> CheckResult:
    """Measure the share of a layout's slides on which its text box covers nothing.

    Titles, whose text seldom fills their box, and empty placeholders are left out.

    Args:
        text: Text of the text box on the layout, or nearly that text.
    """
    boxes = [
        shape.box
        for shapes in _common_shapes(view.current, layout)
        for shape in shapes
        if not shape.hidden and condition_share(shape, None, text)
    ]
    require(boxes, f"the layout {layout!r} has no text box with {clip(text)}")
    slides = [
        each
        for each in view.current.slides
        if normalize_caseless(each.layout) == normalize_caseless(layout)
    ]
    require(slides, f"no slide has the layout {layout!r}")
    clear_count = sum(
        not any(_covers(box, each) for box in boxes for each in s.shapes) for s in slides
    )
    return score_share(
        clear_count, len(slides), f"slides have nothing overlapping {text!r} of their layout"
    )


@slide_check(at_least_one=("kind", "color"))
def background_is(
    pair: SlidePair,
    kind: Literal["solid", "gradient", "pattern", "picture"] | None = None,
    color: Color | None = None,
    colors: tuple[Color, ...] = (),
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure the share of slides with a color or type of background; colors share the score.

    Args:
        color: The only color of the background.
        colors: Some colors of the background.
    """
    subject, paint = f"the background of {pair.current_label}", pair.after.background
    results = [
        score_paint(subject, paint, color, pair.deck, color_tolerance),
        *score_fill(subject, paint, kind, colors, pair.deck, color_tolerance),
    ]
    return mean_of(results, "properties of the background")


def _theme_names(deck: Deck, slide: Slide) -> set[str]:
    masters = deck.masters[slide.master : slide.master + 1]
    return {
        normalize_caseless(name) for master in masters for name in (master.theme_name, master.name)
    }


def _common_shapes(deck: Deck, layout: str | None) -> list[list[Shape]]:
    if layout is None:
        return shape_groups(deck)
    layouts = (each for master in deck.masters for each in master.layouts)
    same_name = (
        each for each in layouts if normalize_caseless(each.name) == normalize_caseless(layout)
    )
    return [[shape for each in same_name for shape in each.shapes]]


def _covers(box: Box, shape: Shape) -> bool:
    """Return whether a box overlaps a shape with visible content by more than its edge."""
    has_text = bool(shape.all_text.strip())
    is_placeholder = bool(shape.placeholder) and shape.kind in ("placeholder", "text_box")
    if shape.hidden or shape.placeholder in _TITLES or (is_placeholder and not has_text):
        return False
    return min(common_sides(box, shape.box)) > TOLERANCE_EMU

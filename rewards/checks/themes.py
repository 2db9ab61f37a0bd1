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
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.arguments import Color, Count, Kind, Level, ThemeColor
from pptarena.rewards.checking.registry import deck_check, slide_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    mean_of,
    nearness,
    needed,
    noted,
    same,
    share,
)
from pptarena.rewards.checking.values import (
    COLOR_TOLERANCE,
    TOLERANCE_EMU,
    fit_of,
    paint_has,
    paint_is,
    same_font,
)
from pptarena.rewards.checking.view import SlidePair, View
from pptarena.rewards.checks.arrangement import common_sides
from pptarena.rewards.checks.formatting import WantedStyle, require_style, style_tests
from pptarena.rewards.relative import HeightEmu, LengthEmu, SeveralSlides, WidthEmu

_PLACEHOLDERS = {"title": ("title", "ctrTitle"), "body": ("body", "obj", "subTitle")}


def backgrounds(deck: Deck) -> list[Paint]:
    """Return the backgrounds of each master."""
    return [holder.background for holder in _holders(deck)]


def samples(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph of a text style for each master, or None if there is none.

    Args:
        deck: The deck.
        kind: ``title``, ``body`` or ``other``.
        level: Outline level, from 0.
    """
    for holder in _holders(deck):
        if isinstance(holder, Master) or kind not in _PLACEHOLDERS:
            master = holder if isinstance(holder, Master) else _master_of(deck, holder)
            yield dict(master.text_styles).get(f"{kind} {level + 1}")
            continue
        yield from _samples_of(holder, kind, level)


def layout_samples(deck: Deck, kind: str, level: int) -> Iterator[Paragraph | None]:
    """Yield a sample paragraph for each layout in use; nothing for the kind ``other``."""
    for index, master in enumerate(deck.masters):
        for layout in _used_layouts(deck, index, master) if kind in _PLACEHOLDERS else ():
            yield from _samples_of(layout, kind, level)


def _samples_of(layout: Layout, kind: str, level: int) -> Iterator[Paragraph | None]:
    boxes = [s for s in layout.shapes if s.placeholder in _PLACEHOLDERS[kind]]
    said = (p for shape in boxes for p in shape.paragraphs if p.level == level and p.runs)
    if boxes:  # a layout without such a placeholder shows no such text
        yield next(said, None)


def shape_groups(deck: Deck) -> list[list[Shape]]:
    """Return the shapes that appear on all slides, by master or by layout in use."""
    holders = _holders(deck)
    own = [shape for each in holders if isinstance(each, Master) for shape in each.shapes]
    groups = [list(each.shapes) for each in holders if isinstance(each, Layout)]
    return [own, *groups] if own or not groups else groups


def _holders(deck: Deck) -> list[Master | Layout]:
    found: list[Master | Layout] = []
    for index, master in enumerate(deck.masters):
        layouts = _used_layouts(deck, index, master)
        found += [master] if master.shapes or not layouts else layouts
    return found


def _used_layouts(deck: Deck, index: int, master: Master) -> list[Layout]:
    of_it = (slide for slide in deck.slides if slide.master == index)
    used = {slide.layout_index for slide in of_it} - {None}
    return [each for at, each in enumerate(master.layouts) if at in used]


def _master_of(deck: Deck, layout: Layout) -> Master:
    return next(master for master in deck.masters if layout in master.layouts)


_INCH = 914_400
_NONE_KEPT = 0.3
_NEAR_COLOR = 0.3
_HALF_AS_NEAR = 60.0
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
            away = None if now is None else rgb_distance(now, color.upper())
            fit = 0.0 if away is None else nearness(away, color_tolerance, _HALF_AS_NEAR)
            score = fit if fit == 1.0 else _NEAR_COLOR * fit
            results.append(CheckResult(score, f"{name} of the theme is {now}"))
    result = mean_of(results, "theme colors")
    kept = _kept_accents(view, {name for name, _ in colors}, color_tolerance) if only else 1.0
    note = "" if kept == 1 else f"{1 - kept:.0%} of the other accents changed"
    return noted(CheckResult(result.score * max(_NONE_KEPT, kept), result.reason), note)


def _kept_accents(view: View, meant: Collection[str], tolerance: float) -> float:
    """Return the share of the other accents that are as before."""
    pairs = [
        (old.colors.get(name), new.colors.get(name))
        for old, new in zip(view.original.masters, view.current.masters, strict=False)
        for name in sorted({*old.colors, *new.colors} - {*meant})
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
        for what, now, wanted in zip(
            ("heading", "body"), master.fonts, (heading, body), strict=True
        ):
            alike = wanted is not None and same_font(now, wanted)
            results.append(same(f"the {what} font", wanted if alike else now, wanted))
    return mean_of(results, "theme fonts")


@deck_check()
def theme_is(view: View, name: str, slides: SeveralSlides | None = None) -> CheckResult:
    """Measure the share of slides with a theme, by its name or that of its master.

    Args:
        slides: Slides of the original; by default all current slides.
    """
    if slides is None:
        shown: list[Slide | None] = list(needed(view.current.slides, "there are no slides"))
    else:
        shown = [view.current_of(slide) for slide in view.chosen(slides)]
    right = sum(s is not None and folded(name) in _theme_names(view.current, s) for s in shown)
    return share(right, len(shown), f"slides have the theme {name!r}")


def _need_property(values: Mapping[str, Any]) -> None:
    if values["align"] is None:
        require_style(values)


@deck_check(more=_need_property)
def master_text_style(
    view: View,
    kind: Literal["title", "body", "other"],
    level: Level = 0,
    align: Literal["left", "center", "right", "justify"] | None = None,
    **style: Unpack[WantedStyle],
) -> CheckResult:
    """Measure the share of right properties of a text style, over all masters.

    The layouts that slides use count instead of the masters if their share is higher.
    """
    tests = list(style_tests(view.current, style))
    ways = samples(view.current, kind, level), layout_samples(view.current, kind, level)
    return best_of(_style_result(list(way), f"{kind} {level + 1}", tests, align) for way in ways)


def _style_result(
    found: list[Paragraph | None],
    name: str,
    tests: list[tuple[str, Callable[[RunStyle], bool]]],
    align: str | None,
) -> CheckResult:
    results: list[CheckResult | None] = []
    for sample in found:
        if sample is None or not sample.runs:
            results.append(CheckResult(0.0, f"the master has no style for {name}"))
            continue
        for what, test in tests:
            right = test(sample.runs[0].style)
            results.append(CheckResult(float(right), f"{name} is {'' if right else 'not '}{what}"))
        results.append(same(f"the alignment of {name}", sample.align, align))
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
        places = [
            nearness(getattr(shape.box, name) - wanted, tolerance_emu, _INCH)
            for name, wanted in edges
            if wanted is not None
        ]
        content = fit_of(shape, kind, text, same_file)
        return fit_of(shape, kind, text, same_file, *places) if content else 0.0

    where = f"the layout {layout!r}" if layout is not None else "the master"
    results = []
    for shapes in _shared_shapes(view.current, layout):
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
        for shapes in _shared_shapes(view.current, layout)
        for shape in shapes
        if not shape.hidden and fit_of(shape, None, text)
    ]
    needed(boxes, f"the layout {layout!r} has no text box with {clip(text)}")
    slides = [each for each in view.current.slides if folded(each.layout) == folded(layout)]
    needed(slides, f"no slide has the layout {layout!r}")
    clear = sum(not any(_covers(box, each) for box in boxes for each in s.shapes) for s in slides)
    return share(clear, len(slides), f"slides have nothing overlapping {text!r} of their layout")


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
    what, paint = f"the background of {pair.place}", pair.after.background
    results = [
        paint_is(what, paint, color, pair.deck, color_tolerance),
        *paint_has(what, paint, kind, colors, pair.deck, color_tolerance),
    ]
    return mean_of(results, "properties of the background")


def _theme_names(deck: Deck, slide: Slide) -> set[str]:
    masters = deck.masters[slide.master : slide.master + 1]
    return {folded(name) for master in masters for name in (master.theme_name, master.name)}


def _shared_shapes(deck: Deck, layout: str | None) -> list[list[Shape]]:
    if layout is None:
        return shape_groups(deck)
    layouts = (each for master in deck.masters for each in master.layouts)
    same_name = (each for each in layouts if folded(each.name) == folded(layout))
    return [[shape for each in same_name for shape in each.shapes]]


def _covers(box: Box, shape: Shape) -> bool:
    """Return whether a box overlaps a shape with visible content by more than its edge."""
    says = bool(shape.all_text.strip())
    is_place = bool(shape.placeholder) and shape.kind in ("placeholder", "text_box")
    if shape.hidden or shape.placeholder in _TITLES or (is_place and not says):
        return False
    return min(common_sides(box, shape.box)) > TOLERANCE_EMU

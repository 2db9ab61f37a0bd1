"""Checks of themes, masters and layouts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Deck, Layout, Master, Shape, Slide
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.selectors import KINDS, is_kind
from pptarena.decks.text_match import folded, share_found
from pptarena.decks.visibility.layers import paint_colors
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.run_look import RunLook, run_tests
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    TOLERANCE_EMU,
    color_matches,
    nearness,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import SlideArgs, View

_INCH = 914_400
_EDGES = ("left_emu", "top_emu", "width_emu", "height_emu")


@dataclass(frozen=True, kw_only=True)
class ThemeColors:
    """Colours that the theme should have: pairs of a name such as ``accent1`` and ``#RRGGBB``."""

    colors: tuple[tuple[str, ...], ...]
    color_tolerance: float = 12.0

    def __post_init__(self) -> None:
        if not self.colors or any(len(pair) != 2 for pair in self.colors):
            raise ValueError("expected colors as pairs [name, colour]")
        for name, color in self.colors:
            require_color(color)
            if name.startswith("#"):
                raise ValueError(f"expected a name such as accent1, got {name!r}")


@dataclass(frozen=True, kw_only=True)
class ThemeFonts:
    """The typefaces that the theme should have."""

    heading: str | None = None
    body: str | None = None

    def __post_init__(self) -> None:
        if self.heading is None and self.body is None:
            raise ValueError("expected heading or body")


@dataclass(frozen=True, kw_only=True)
class ThemeName:
    """The theme that the slides should have."""

    name: str


@dataclass(frozen=True, kw_only=True)
class MasterText(RunLook):
    """How a master's text of a kind and level (from 0) should look."""

    kind: Literal["title", "body", "other"]
    level: int = 0
    align: Literal["left", "center", "right", "justify"] | None = None

    def __post_init__(self) -> None:
        require_color(self.color)
        if not 0 <= self.level <= 8 or (self.align is None and not self.says_something):
            raise ValueError("expected a level from 0 to 8, and a property such as bold or align")


@dataclass(frozen=True, kw_only=True)
class MasterShape:
    """A shape that a layout should have, or the master if no layout is named.

    Attributes:
        layout: Name of the layout.
        kind: As after ``@``.
        text: Words in it.
        sha256: Of a picture.
        count: How many of them.
        left_emu: Where it should be; so do the other three.
    """

    layout: str | None = None
    kind: str | None = None
    text: str | None = None
    sha256: str | None = None
    count: int = 1
    left_emu: int | None = None
    top_emu: int | None = None
    width_emu: int | None = None
    height_emu: int | None = None
    tolerance_emu: int = TOLERANCE_EMU

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in KINDS:
            raise ValueError(f"expected kind to be one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.count < 1 or (self.kind, self.text, self.sha256) == (None, None, None):
            raise ValueError("expected kind, text or sha256, and a count from 1")


@dataclass(frozen=True, kw_only=True)
class LayoutExists:
    """A layout that there should be."""

    layout: str


@dataclass(frozen=True, kw_only=True)
class BackgroundIs(SlideArgs):
    """What should be behind everything; what is left out does not matter."""

    kind: Literal["solid", "gradient", "pattern", "picture"]
    colors: tuple[str, ...] = ()
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        for color in self.colors:
            require_color(color)


@dataclass(frozen=True, kw_only=True)
class MasterBackground:
    """The colour behind everything on the slides of the first master."""

    color: str
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        require_color(self.color)


@check("theme_colors_are", "themes")
def theme_colors_are(view: View, args: ThemeColors) -> CheckResult:
    """Measure the share of colours that the theme of every master has."""
    results = []
    for master in view.current.masters:
        palette = master.colors
        for name, color in args.colors:
            found = palette.get(name)
            right = color_matches(found, color.upper(), args.color_tolerance)
            results.append(CheckResult(float(right), f"{name} of the theme is {found}"))
    return mean_of(results, "colours") if results else CheckResult(0.0, "there is no theme")


@check("theme_fonts_are", "themes")
def theme_fonts_are(view: View, args: ThemeFonts) -> CheckResult:
    """Measure the share of right typefaces of the theme of every master."""
    results = []
    for master in view.current.masters:
        pairs = zip(("heading", "body"), master.fonts, (args.heading, args.body), strict=True)
        for name, found, wanted in pairs:
            if wanted is not None:
                right = found.casefold() == wanted.casefold()
                results.append(CheckResult(float(right), f"the {name} font is {found or 'none'}"))
    return mean_of(results, "typefaces") if results else CheckResult(0.0, "there is no theme")


@check("theme_is", "themes", is_binary=True)
def theme_is(view: View, args: ThemeName) -> CheckResult:
    """Measure the share of slides with a theme, by its name or that of its master."""
    slides = view.current.slides
    wanted = folded(args.name)
    right = sum(wanted in _theme_names(_master_of(view.current, slide)) for slide in slides)
    value = right / len(slides) if slides else 0.0
    return CheckResult(value, f"{right} of {len(slides)} slides have the theme {args.name!r}")


@check("master_text_style", "masters")
def master_text_style(view: View, args: MasterText) -> CheckResult:
    """Measure the share of right properties of a text style, over all masters."""
    tests = run_tests(view, args)
    name = f"{args.kind} {args.level + 1}"
    results = []
    for master in view.current.masters:
        sample = dict(master.text_styles).get(name)
        if sample is None or not sample.runs:
            results.append(CheckResult(0.0, f"the master has no style for {name}"))
            continue
        style = sample.runs[0].style
        for what, test in tests:
            right = test(style)
            state = f"{name} is {'' if right else 'not '}{what}"
            results.append(CheckResult(float(right), state))
        if args.align is not None:
            right = sample.align == args.align
            results.append(CheckResult(float(right), f"{name} is aligned {sample.align}"))
    return mean_of(results, "properties") if results else CheckResult(0.0, "there is no master")


@check("master_shape", "masters", "layouts")
def master_shape(view: View, args: MasterShape) -> CheckResult:
    """Measure how well the best fitting shapes of a layout, or of a master, fit."""
    shapes = list(_shared_shapes(view.current, args.layout))
    where = f"the layout {args.layout!r}" if args.layout is not None else "the master"
    fits = sorted((_fit(shape, args) for shape in shapes), reverse=True)[: args.count]
    value = sum(fits) / args.count
    right = sum(fit == 1.0 for fit in fits)
    return CheckResult(value, f"{where} has {right} of {args.count} such shapes")


@check("layout_exists", "layouts", is_binary=True)
def layout_exists(view: View, args: LayoutExists) -> CheckResult:
    """Measure whether there is a layout of a name."""
    names = {folded(name) for name in view.current.layouts}
    names |= {folded(each.name) for master in view.current.masters for each in master.layouts}
    return verdict(
        folded(args.layout) in names,
        f"there is a layout {args.layout!r}",
        f"there is no layout {args.layout!r}",
    )


@check("background_is", "masters", "slides")
def background_is(view: View, args: BackgroundIs) -> CheckResult:
    """Measure the share of slides with a sort of background; colours of it share the score."""

    def judge(slide: Slide) -> CheckResult:
        paint = slide.background
        where = f"the background of slide {slide.index + 1}"
        if paint.kind != args.kind:
            return CheckResult(0.0, f"{where} is {paint.kind}")
        found = [color for color, _ in paint_colors(paint) or ()]
        results = [CheckResult(1.0, f"{where} is {args.kind}")]
        for color in args.colors:
            wanted = wanted_color(color, view.current)
            right = any(color_matches(each, wanted, args.color_tolerance) for each in found)
            results.append(CheckResult(float(right), f"{where} lacks {color}"))
        return mean_of(results, "properties of the background")

    return view.on_slides(args, judge)


@check("master_background", "masters", is_binary=True)
def master_background(view: View, args: MasterBackground) -> CheckResult:
    """Measure the share of masters whose background has a colour."""
    color = wanted_color(args.color, view.current)
    masters = view.current.masters
    right = [
        color_matches(master.background.color, color, args.color_tolerance) for master in masters
    ]
    found = ", ".join(describe_paint(master.background) for master in masters)
    return CheckResult(sum(right) / max(1, len(right)), f"the master's background is {found}")


def _master_of(deck: Deck, slide: Slide) -> Master | None:
    return deck.masters[slide.master] if slide.master < len(deck.masters) else None


def _theme_names(master: Master | None) -> set[str]:
    return set() if master is None else {folded(master.theme_name), folded(master.name)}


def _shared_shapes(deck: Deck, layout: str | None) -> Iterator[Shape]:
    for master in deck.masters:
        holders: list[Master | Layout] = [master]
        if layout is not None:
            holders = [each for each in master.layouts if folded(each.name) == folded(layout)]
        for holder in holders:
            yield from (shape for shape in holder.shapes if not shape.hidden)


def _fit(shape: Shape, args: MasterShape) -> float:
    if args.kind is not None and not is_kind(shape, args.kind):
        return 0.0
    conditions = [] if args.kind is None else [1.0]
    if args.text is not None:
        conditions.append(share_found(shape.all_text, args.text, match_case=False))
    if args.sha256 is not None:
        found = "" if shape.picture is None else shape.picture.sha256
        conditions.append(float(found == args.sha256.lower()))
    if not any(conditions):
        return 0.0
    for name in _EDGES:
        wanted = getattr(args, name)
        if wanted is not None:
            away = getattr(shape.box, name.removesuffix("_emu")) - wanted
            conditions.append(nearness(away, args.tolerance_emu, _INCH))
    return sum(conditions) / len(conditions)

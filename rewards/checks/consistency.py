"""Checks that what belongs together looks the same: typefaces, places, colours, transitions."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Shape, Slide
from pptarena.decks.selectors import find_shape
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import (
    TOLERANCE_EMU,
    color_matches,
    letters,
    matching_runs,
)
from pptarena.rewards.checks.view import OptionalShapeArgs, ShapeArgs, SlideArgs, View

Look = Literal["position", "size", "font", "font_size", "color", "bold", "align", "fill"]

_PALETTE_TOLERANCE = 12.0


@dataclass(frozen=True, kw_only=True)
class Fonts(SlideArgs):
    """Slides that should use one typeface, or a few."""

    font: str | None = None
    fonts_max: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fonts_max < 1:
            raise ValueError(f"expected fonts_max from 1, got {self.fonts_max}")


@dataclass(frozen=True, kw_only=True)
class SameLook(ShapeArgs):
    """What a shape should have in common on all slides that have it."""

    properties: tuple[Look, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.properties:
            raise ValueError("expected at least one property")


@dataclass(frozen=True, kw_only=True)
class SameTransition(SlideArgs):
    """Slides that should come in alike."""


@dataclass(frozen=True, kw_only=True)
class ThemeColors(OptionalShapeArgs):
    """Text and fills that should have colours of the theme."""

    fills: bool = True


@check("fonts_consistent", "text", "themes")
def fonts_consistent(view: View, args: Fonts) -> CheckResult:
    """Measure the share of letters in one typeface, or in the few that are used most."""
    counts: Counter[str] = Counter()
    for seen in view.slides(args):
        for run in matching_runs(seen.current.shapes if seen.current is not None else (), None):
            counts[run.style.font.casefold()] += letters(run.text)
    total = counts.total()
    if not total:
        return CheckResult(0.0, "there is no text")
    if args.font is not None:
        right, wanted = counts[args.font.casefold()], args.font
    else:
        most = counts.most_common(args.fonts_max)
        right, wanted = sum(count for _, count in most), " or ".join(name for name, _ in most)
    names = ", ".join(sorted(counts)[:4])
    return CheckResult(
        right / total, f"{right / total:.0%} of the letters are in {wanted} ({names})"
    )


@check("same_look", "layouts", "arrangement", "text")
def same_look(view: View, args: SameLook) -> CheckResult:
    """Measure the share of slides where a shape looks as it does on most of them."""
    shapes = []
    missing = 0
    for seen in view.slides(args):
        spec = args.shape if args.shape is not None else args.shape_now or ""
        if seen.current is None:
            missing += 1
        elif args.shape_now is not None or seen.original is None:
            found = find_shape(seen.current, spec)
            shapes += [] if found is None else [found]
        elif find_shape(seen.original, spec) is not None:
            now = view.follow(seen, spec)
            missing += now is None
            shapes += [] if now is None else [now]
    if len(shapes) < 2:
        return CheckResult(0.0, f"fewer than two slides have {args.shape or args.shape_now!r}")
    results = []
    for name in args.properties:
        same = _most_alike([_look(shape, name) for shape in shapes])
        share = same / (len(shapes) + missing)
        reason = f"the {name.replace('_', ' ')} is the same on {same} of {len(shapes)} slides"
        # One slide is always like itself.
        results.append(CheckResult(share if same > 1 else 0.0, reason))
    return mean_of(results, "properties")


@check("transitions_consistent", "transitions")
def transitions_consistent(view: View, args: SameTransition) -> CheckResult:
    """Measure the share of slides with the transition that most slides have."""
    slides = view.slides(args)
    counts = Counter(
        (seen.current.transition.type, seen.current.transition.variant)
        for seen in slides
        if seen.current is not None and seen.current.transition.type != "none"
    )
    if not counts:
        return CheckResult(0.0, "no slide has a transition")
    (name, _), most = counts.most_common(1)[0]
    return CheckResult(most / len(slides), f"{most} of {len(slides)} slides come in by {name}")


@check("theme_colors_used", "themes")
def theme_colors_used(view: View, args: ThemeColors) -> CheckResult:
    """Measure the share of letters and filled shapes whose colour is one of the theme's."""

    def judge(slide: Slide, shapes: Sequence[Shape], where: str) -> CheckResult:
        masters = view.current.masters
        palette = masters[slide.master].colors.values() if slide.master < len(masters) else ()
        colors: list[tuple[str, int]] = [
            (run.style.color, letters(run.text))
            for run in matching_runs(shapes, None)
            if run.style.color is not None
        ]
        if args.fills:
            weight = max(1, sum(count for _, count in colors) // max(1, len(shapes)))
            solid = (shape.fill.color for shape in shapes if shape.fill.color is not None)
            colors += [(color, weight) for color in solid]
        total = sum(count for _, count in colors)
        if not total:
            return CheckResult(0.0, f"{where} has nothing with a colour")
        right = sum(
            count
            for color, count in colors
            if any(color_matches(color, each, _PALETTE_TOLERANCE) for each in palette)
        )
        return CheckResult(right / total, f"{right / total:.0%} of {where} has theme colours")

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, lambda s: judge(s, s.shapes, f"slide {s.index + 1}"))
    return view.on_shapes(args, lambda seen: judge(seen.slide, [seen.current], seen.label))


def _look(shape: Shape, name: Look) -> Hashable:
    if name == "position":
        return shape.box.left, shape.box.top
    if name == "size":
        return shape.box.width, shape.box.height
    if name == "fill":
        return shape.fill
    if name == "align":
        return next((p.align for p in shape.paragraphs if p.text.strip()), None)
    style = next((run.style for run in matching_runs([shape], None)), None)
    if style is None:
        return None
    names = {"font": style.font, "font_size": style.size_pt, "color": style.color}
    return names.get(name, style.bold)


def _most_alike(looks: Sequence[Hashable]) -> int:
    """Return how many looks are like the one that most others are like."""
    return max(sum(_alike(first, second) for second in looks) for first in looks)


def _alike(first: Hashable, second: Hashable) -> bool:
    if isinstance(first, tuple) and isinstance(second, tuple):
        return all(abs(a - b) <= TOLERANCE_EMU for a, b in zip(first, second, strict=True))
    return first == second

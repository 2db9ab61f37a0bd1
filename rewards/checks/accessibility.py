"""Checks of what people need who cannot see, or not well: descriptions, order, titles, contrast."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.decks import Run, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.selectors import KINDS, is_kind
from pptarena.decks.text_match import folded
from pptarena.decks.visibility.contrast import blend, contrast_ratio, least_contrast
from pptarena.decks.visibility.visibility import sight_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.addressing import SeveralShapesArgs
from pptarena.rewards.checks.ordering import in_order
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.values import letters
from pptarena.rewards.checks.view import (
    OptionalShapeArgs,
    ShapeArgs,
    ShapeView,
    SlideArgs,
    SlideView,
    View,
)

# What applications write by themselves, and names of files, describe nothing.
_NO_DESCRIPTION = re.compile(
    r"(picture|image|photo|graphic|chart|diagram|img|object|screenshot)?[\s_-]*\d*"
    r"|.*\.(png|jpe?g|gif|svg|emf|wmf|bmp|tiff?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class AltText(ShapeArgs):
    """The description that a shape should have."""

    text: str
    match_case: bool = False


@dataclass(frozen=True, kw_only=True)
class AltTexts(SlideArgs):
    """Kinds of shapes that should all be described."""

    kinds: tuple[str, ...] = ("picture", "media", "chart", "graphic")
    decorative: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        unknown = sorted(set(self.kinds) - set(KINDS))
        if unknown or not self.kinds:
            raise ValueError(f"expected kinds out of {', '.join(KINDS)}, got {unknown}")


@dataclass(frozen=True, kw_only=True)
class ReadingOrder(SeveralShapesArgs):
    """Shapes in the order in which they should be read out."""


@dataclass(frozen=True, kw_only=True)
class Titled(SlideArgs):
    """Slides that should have a title, each another one."""

    unique: bool = True


@dataclass(frozen=True, kw_only=True)
class Contrast(OptionalShapeArgs):
    """The contrast that text should have to what is behind it; by default that of WCAG AA."""

    ratio: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ratio is not None and not 1 <= self.ratio <= 21:
            raise ValueError(f"expected a ratio from 1 to 21, got {self.ratio}")


@check("alt_text_is", "accessibility", "images")
def alt_text_is(view: View, args: AltText) -> CheckResult:
    """Measure whether a shape's description reads as it should."""
    return view.on_shapes(
        args,
        lambda seen: same_words(
            seen.current.alt_text,
            args.text,
            args.match_case,
            f"the description of {seen.label}",
            prose=True,
        ),
    )


@check("alt_text_present", "accessibility", "images", "media")
def alt_text_present(view: View, args: AltTexts) -> CheckResult:
    """Measure the share of shapes that have a description worth the name.

    Names of files and words such as ``Picture 3`` are none, nor is the text of another picture.
    """
    shapes = [
        shape
        for seen in view.slides(args)
        if seen.current is not None
        for shape in seen.current.shapes
        if any(is_kind(shape, kind) for kind in args.kinds) and not shape.hidden
    ]
    if not shapes:
        return CheckResult(0.0, "there is nothing to describe")
    used: dict[str, str] = {}
    missing = [shape for shape in shapes if not _is_described(shape, args, used)]
    value = 1 - len(missing) / len(shapes)
    if not missing:
        return CheckResult(1.0, f"all {len(shapes)} shapes have a description")
    named = ", ".join(shape.label for shape in missing[:3])
    return CheckResult(value, f"{len(missing)} of {len(shapes)} lack a description: {named}")


@check("reading_order", "accessibility")
def reading_order(view: View, args: ReadingOrder) -> CheckResult:
    """Measure the share of pairs of shapes that are read out in the right order."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        return in_order(view, seen, args.shapes, seen.current.reading_order)

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("slides_titled", "accessibility", "slides")
def slides_titled(view: View, args: Titled) -> CheckResult:
    """Measure the share of slides with a title that can be seen and that no other one has."""
    titles: set[str] = set()
    results = []
    for seen in view.slides(args):
        if seen.current is None:
            results.append(CheckResult(0.0, f"{seen.label} is not there"))
            continue
        slide = view.as_seen(seen.current) if args.visible else seen.current
        title = folded(slide.title)
        twice = args.unique and title in titles
        titles.add(title)
        reason = "has no title" if not title else f"has the title {clip(slide.title)}"
        again = " of another slide" if twice else ""
        results.append(
            CheckResult(float(bool(title) and not twice), f"{seen.label} {reason}{again}")
        )
    return mean_of(results, "slides")


@check("text_contrast", "accessibility", "text", "themes")
def text_contrast(view: View, args: Contrast) -> CheckResult:
    """Measure the share of letters with enough contrast to what is behind them.

    Letters on pictures and the like, where that is not known, are left out.
    """
    sight = sight_of(view.current)

    def judge(slide: Slide, shapes: tuple[Shape, ...], where: str) -> CheckResult:
        right = total = 0
        worst: tuple[float, str] = (21.0, "")
        for shape in shapes:
            for run, ratio in _ratios(sight.backdrops(slide.index, shape.index)):
                count = letters(run.text)
                wanted = args.ratio or least_contrast(run.style.size_pt, run.style.bold)
                total += count
                right += count if ratio >= wanted else 0
                if count and ratio < wanted:
                    worst = min(worst, (ratio, run.text))
        if not total:
            if any(shape.all_text.strip() for shape in shapes):
                raise UnscoredError(f"what is behind the text of {where} is not known")
            return CheckResult(0.0, f"{where} has no text")
        if right == total:
            return CheckResult(1.0, f"all text of {where} has enough contrast")
        reason = f"{right / total:.0%} of the letters of {where} have enough contrast"
        return CheckResult(right / total, f"{reason}; {clip(worst[1])} has {worst[0]:.1f} : 1")

    def judge_shape(seen: ShapeView) -> CheckResult:
        return judge(seen.slide, (seen.current,), seen.label)

    if args.shape is None and args.shape_now is None:
        return view.on_slides(args, lambda s: judge(s, s.shapes, f"slide {s.index + 1}"))
    return view.on_shapes(args, judge_shape)


def _is_described(shape: Shape, args: AltTexts, used: dict[str, str]) -> bool:
    if shape.decorative:
        return args.decorative
    text = folded(shape.alt_text)
    if _NO_DESCRIPTION.fullmatch(text):
        return False
    content = shape.picture.sha256 if shape.picture is not None else f"{shape.kind} {shape.index}"
    return used.setdefault(text, content) == content


def _ratios(
    runs: Iterator[tuple[Run, frozenset[str] | None]],
) -> Iterator[tuple[Run, float]]:
    """Yield runs with their least contrast, those left out of which it is not known."""
    for run, behind in runs:
        color = run.style.color
        if not behind or color is None:
            continue
        opacity = run.style.opacity_pct
        yield run, min(contrast_ratio(blend(color, back, opacity), back) for back in behind)

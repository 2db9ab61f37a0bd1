"""Checks of which slides there are, and in what order."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    nearness,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import SlideArgs, View
from pptarena.rewards.deck import Slide
from pptarena.rewards.diff_content import describe_paint
from pptarena.rewards.diff_text import clip
from pptarena.rewards.likeness import slide_likeness
from pptarena.rewards.wording import folded, share_found, text_share

_COPY_LIKENESS = 0.5
_COPY_ELSEWHERE = 0.8


@dataclass(frozen=True, kw_only=True)
class Count:
    """How many slides there should be."""

    count: int

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError(f"expected a count that is not negative, got {self.count}")


@dataclass(frozen=True, kw_only=True)
class Deleted(SlideArgs):
    """Slides of the original that should be gone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.slide is None and self.slides is None:
            raise ValueError("expected slide or slides")


@dataclass(frozen=True, kw_only=True)
class Added:
    """Slides that should be new; what is left out does not matter."""

    at: int | None = None
    after: int | None = None
    title: str | None = None
    texts: tuple[str, ...] = ()
    layout: str | None = None
    count: int = 1

    def __post_init__(self) -> None:
        if self.at is not None and self.after is not None:
            raise ValueError("expected at most one of at, after")
        if self.count < 1 or (self.at or 1) < 1 or (self.after or 0) < 0:
            raise ValueError("expected count and at from 1, after from 0")


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Where a slide of the original should be; exactly one of the places is given."""

    slide: int
    to: int | None = None
    after: int | None = None
    before: int | None = None

    def __post_init__(self) -> None:
        if sum(each is not None for each in (self.to, self.after, self.before)) != 1:
            raise ValueError("expected exactly one of to, after, before")


@dataclass(frozen=True, kw_only=True)
class Order:
    """All slides of the original in the order that they should have."""

    order: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(set(self.order)) != len(self.order) or len(self.order) < 2:
            raise ValueError("expected two or more different slides")


@dataclass(frozen=True, kw_only=True)
class Duplicated:
    """A slide of the original that there should be a copy of."""

    slide: int
    after: bool = True
    at: int | None = None


@dataclass(frozen=True, kw_only=True)
class LayoutName(SlideArgs):
    """The layout that slides should have."""

    layout: str


@dataclass(frozen=True, kw_only=True)
class Hidden(SlideArgs):
    """Whether slides should be hidden."""

    hidden: bool = True


@dataclass(frozen=True, kw_only=True)
class BackgroundColor(SlideArgs):
    """The colour that should be behind everything."""

    color: str
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)


@check("slide_count")
def slide_count(view: View, args: Count) -> CheckResult:
    """Measure how near the number of slides is to the right one."""
    now = len(view.current.slides)
    value = nearness(now - args.count, 0, 1)
    return CheckResult(value, f"there are {now} slides, {args.count} wanted")


@check("slide_deleted")
def slide_deleted(view: View, args: Deleted) -> CheckResult:
    """Measure the right ones among all slides that are gone."""
    wanted = {seen.original.index for seen in view.slides(args) if seen.original is not None}
    gone = set(view.match.removed)
    right, wrong = len(wanted & gone), len(gone - wanted)
    return CheckResult(
        right / (len(wanted) + wrong) if wanted else 0.0,
        f"{right} of {len(wanted)} slides to delete are gone"
        + (f", and {wrong} that should have stayed" if wrong else ""),
    )


@check("slide_added")
def slide_added(view: View, args: Added) -> CheckResult:
    """Measure how well new slides fit, the best ones first."""
    if args.after:
        view.original_slide(args.after)
    new = [view.current.slides[index] for index in view.match.added]
    if not new:
        return CheckResult(0.0, "there is no new slide")
    judged = [list(_added_conditions(view, slide, args)) for slide in new]
    ranked = sorted(judged, key=_mean_score, reverse=True)[: args.count]
    value = sum(map(_mean_score, ranked)) / args.count
    short = [result.reason for result in ranked[0] if result.score < 1]
    found = f"{len(new)} new slides, {args.count} wanted"
    return CheckResult(value, "; ".join([found, *short]))


@check("slide_moved")
def slide_moved(view: View, args: Moved) -> CheckResult:
    """Measure how near a slide is to where it should be."""
    now = view.current_of(view.original_slide(args.slide))
    if now is None:
        return CheckResult(0.0, f"slide {args.slide} is gone")
    if args.to is not None:
        target, where = args.to - 1, f"position {args.to}"
    else:
        neighbour = args.after if args.after is not None else args.before or 0
        other = view.current_of(view.original_slide(neighbour))
        side = "after" if args.after is not None else "before"
        if other is None:
            return CheckResult(0.0, f"slide {neighbour}, {side} which it belongs, is gone")
        step = 1 if args.after is not None else -1
        target, where = other.index + step, f"{side} slide {neighbour}"
        if (other.index - now.index) * step > 0:
            # Taking it out from where it is moves the neighbour by one.
            target -= step
    value = nearness(now.index - target, 0, 1)
    return CheckResult(value, f"slide {args.slide} is at position {now.index + 1}, wanted {where}")


@check("slide_order")
def slide_order(view: View, args: Order) -> CheckResult:
    """Measure the share of pairs of slides that stand in the right order."""
    slides = [view.current_of(view.original_slide(number)) for number in args.order]
    pairs = list(combinations(slides, 2))
    right = sum(a is not None and b is not None and a.index < b.index for a, b in pairs)
    return CheckResult(
        right / len(pairs), f"{right} of {len(pairs)} pairs of slides are in the right order"
    )


@check("slide_duplicated")
def slide_duplicated(view: View, args: Duplicated) -> CheckResult:
    """Measure how like the slide its best copy is, and whether it stands in the right place."""
    original = view.original_slide(args.slide)
    new = [view.current.slides[index] for index in view.match.added]
    if not new:
        return CheckResult(0.0, "there is no new slide")
    source = view.current_of(original)
    ranked = []
    for slide in new:
        likeness = slide_likeness(original, slide)
        if args.at is not None:
            placed = slide.index == args.at - 1
        else:
            # Of two equal neighbours nobody can tell which one is the copy.
            beside = source is not None and abs(slide.index - source.index) == 1
            placed = beside or not args.after
        value = likeness if likeness >= _COPY_LIKENESS else 0.0
        ranked.append((value * (1.0 if placed else _COPY_ELSEWHERE), likeness, placed, slide))
    value, likeness, placed, slide = max(ranked, key=lambda each: each[0])
    place = "in the right place" if placed else "in another place"
    return CheckResult(
        value,
        f"new slide {slide.index + 1} is {likeness:.0%} like slide {args.slide} and stands {place}",
    )


@check("slide_layout_is")
def slide_layout_is(view: View, args: LayoutName) -> CheckResult:
    """Measure the share of slides with a layout."""
    return view.on_slides(
        args,
        lambda slide: verdict(
            folded(slide.layout) == folded(args.layout),
            f"slide {slide.index + 1} has the layout {clip(args.layout)}",
            f"slide {slide.index + 1} has the layout {clip(slide.layout)}",
        ),
    )


@check("slide_hidden")
def slide_hidden(view: View, args: Hidden) -> CheckResult:
    """Measure the share of slides that are hidden, or are not."""
    words = {True: "hidden", False: "not hidden"}
    return view.on_slides(
        args,
        lambda slide: verdict(
            slide.hidden == args.hidden,
            f"slide {slide.index + 1} is {words[args.hidden]}",
            f"slide {slide.index + 1} is {words[not args.hidden]}",
        ),
    )


@check("slide_background")
def slide_background(view: View, args: BackgroundColor) -> CheckResult:
    """Measure the share of slides whose background has a colour."""
    color = wanted_color(args.color, view.current)
    return view.on_slides(
        args,
        lambda slide: verdict(
            color_matches(slide.background.color, color, args.color_tolerance),
            f"the background of slide {slide.index + 1} is {args.color}",
            f"the background of slide {slide.index + 1} is {describe_paint(slide.background)}",
        ),
    )


def _added_conditions(view: View, slide: Slide, args: Added) -> Iterator[CheckResult]:
    yield CheckResult(1.0, "it is new")
    if args.at is not None:
        value = nearness(slide.index - (args.at - 1), 0, 1)
        yield CheckResult(value, f"it is at position {slide.index + 1}, wanted {args.at}")
    if args.after is not None:
        yield _stands_after(view, slide, args.after)
    if args.title is not None:
        share = text_share(slide.title, args.title, match_case=True)
        yield CheckResult(share, f"its title is {clip(slide.title)}, wanted {clip(args.title)}")
    for text in args.texts:
        yield CheckResult(share_found(slide.text, text, False), f"it lacks {clip(text)}")
    if args.layout is not None:
        right = folded(slide.layout) == folded(args.layout)
        yield verdict(right, "its layout is right", f"its layout is {clip(slide.layout)}")


def _stands_after(view: View, slide: Slide, after: int) -> CheckResult:
    earlier = [
        found.index
        for found in map(view.original_of, view.current.slides[: slide.index])
        if found is not None
    ]
    right = (earlier[-1] + 1 if earlier else 0) == after
    return verdict(
        right, f"it stands after slide {after}", f"it does not stand after slide {after}"
    )


def _mean_score(results: list[CheckResult]) -> float:
    return sum(result.score for result in results) / len(results)

"""Checks of which slides there are, and in what order."""

from dataclasses import dataclass
from itertools import combinations

from pptarena.decks import Slide
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.text_match import folded
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

_SAME_SLIDE = 0.9
_COPY_SHOWN = 0.4


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


@check("slide_count", "slides")
def slide_count(view: View, args: Count) -> CheckResult:
    """Measure how near the number of slides is to the right one."""
    now = len(view.current.slides)
    value = nearness(now - args.count, 0, 1)
    return CheckResult(value, f"there are {now} slides, {args.count} wanted")


@check("slide_deleted", "slides")
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


@check("slide_moved", "slides")
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


@check("slide_order", "slides")
def slide_order(view: View, args: Order) -> CheckResult:
    """Measure the share of pairs of slides that stand in the right order."""
    slides = [view.current_of(view.original_slide(number)) for number in args.order]
    pairs = list(combinations(slides, 2))
    right = sum(a is not None and b is not None and a.index < b.index for a, b in pairs)
    return CheckResult(
        right / len(pairs), f"{right} of {len(pairs)} pairs of slides are in the right order"
    )


@check("slide_layout_is", "layouts", is_binary=True)
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


@check("slide_hidden", "slides")
def slide_hidden(view: View, args: Hidden) -> CheckResult:
    """Measure the share of slides that are hidden, or are not.

    A slide is hidden in part as long as a new copy of it comes up.
    """
    words = {True: "hidden", False: "not hidden"}

    def judge(slide: Slide) -> CheckResult:
        where = f"slide {slide.index + 1}"
        if args.hidden and slide.hidden and (copy := _shown_copy(view, slide)) is not None:
            said = f"{where} is hidden, but slide {copy.index + 1} shows the same"
            return CheckResult(_COPY_SHOWN, said)
        yes, no = (f"{where} is {words[hidden]}" for hidden in (args.hidden, not args.hidden))
        return verdict(slide.hidden == args.hidden, yes, no)

    return view.on_slides(args, judge)


def _shown_copy(view: View, slide: Slide) -> Slide | None:
    """Return a new slide that is not hidden and much like a given one."""
    added = (view.current.slides[index] for index in view.match.added)
    shown = (new for new in added if not new.hidden)
    return next((new for new in shown if slide_likeness(new, slide) >= _SAME_SLIDE), None)


@check("slide_background", "masters", is_binary=True)
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

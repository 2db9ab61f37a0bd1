"""Checks of which slides there are, and in what order."""

from itertools import combinations

from pptarena.decks import Slide
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.arguments import Color, Number, Order
from pptarena.rewards.checks.pairs import SlidePair, Slides
from pptarena.rewards.checks.registry import deck_check, slide_check, slides_check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, nearness, wanted_color
from pptarena.rewards.checks.view import View
from pptarena.rewards.relative import OneSlide

_SAME_SLIDE = 0.9
_COPY_SHOWN = 0.4


@deck_check("slides")
def slide_count(view: View, count: Number) -> CheckResult:
    """Measure how near the number of slides is to the right one."""
    now = len(view.current.slides)
    value = nearness(now - count, 0, 1)
    return CheckResult(value, f"there are {now} slides, {count} wanted")


@slides_check("slides", at_least_one=("slide", "slides"))
def slide_deleted(slides: Slides) -> CheckResult:
    """Measure the right ones among all slides that are gone."""
    wanted = {pair.before.index for pair in slides if pair.before is not None}
    gone = set(slides.view.match.removed)
    right, wrong = len(wanted & gone), len(gone - wanted)
    return CheckResult(
        right / (len(wanted) + wrong) if wanted else 0.0,
        f"{right} of {len(wanted)} slides to delete are gone"
        + (f", and {wrong} that should have stayed" if wrong else ""),
    )


@deck_check("slides", exactly_one=("to", "after", "before"))
def slide_moved(
    view: View,
    slide: OneSlide,
    to: int | None = None,
    after: OneSlide | None = None,
    before: OneSlide | None = None,
) -> CheckResult:
    """Measure how near a slide is to where it should be.

    Args:
        to: Position now.
        after: Position in the original, as `before`.
    """
    now = view.current_of(view.original_slide(slide))
    if now is None:
        return CheckResult(0.0, f"slide {slide} is gone")
    if to is not None:
        target, where = to - 1, f"position {to}"
    else:
        neighbour = after if after is not None else before or 0
        other = view.current_of(view.original_slide(neighbour))
        side = "after" if after is not None else "before"
        if other is None:
            return CheckResult(0.0, f"slide {neighbour}, {side} which it belongs, is gone")
        step = 1 if after is not None else -1
        target, where = other.index + step, f"{side} slide {neighbour}"
        if (other.index - now.index) * step > 0:
            # Taking it out from where it is moves the neighbour by one.
            target -= step
    value = nearness(now.index - target, 0, 1)
    return CheckResult(value, f"slide {slide} is at position {now.index + 1}, wanted {where}")


@deck_check("slides")
def slide_order(view: View, order: Order) -> CheckResult:
    """Measure the share of pairs of slides that stand in the right order."""
    slides = [view.current_of(view.original_slide(number)) for number in order]
    pairs = list(combinations(slides, 2))
    right = sum(a is not None and b is not None and a.index < b.index for a, b in pairs)
    return CheckResult(
        right / len(pairs), f"{right} of {len(pairs)} pairs of slides are in the right order"
    )


@slide_check("layouts", is_binary=True)
def slide_layout_is(pair: SlidePair, layout: str) -> CheckResult:
    """Measure the share of slides with a layout."""
    return verdict(
        folded(pair.after.layout) == folded(layout),
        f"{pair.place} has the layout {clip(layout)}",
        f"{pair.place} has the layout {clip(pair.after.layout)}",
    )


@slide_check("slides")
def slide_hidden(pair: SlidePair, hidden: bool = True) -> CheckResult:
    """Measure the share of slides that are hidden, or are not.

    A slide is hidden in part, 0.4, as long as a new copy of it comes up.
    """
    words, where = {True: "hidden", False: "not hidden"}, pair.place
    if hidden and pair.after.hidden and (copy := _shown_copy(pair.view, pair.after)) is not None:
        said = f"{where} is hidden, but slide {copy.index + 1} shows the same"
        return CheckResult(_COPY_SHOWN, said)
    yes, no = (f"{where} is {words[each]}" for each in (hidden, not hidden))
    return verdict(pair.after.hidden == hidden, yes, no)


def _shown_copy(view: View, slide: Slide) -> Slide | None:
    """Return a new slide that is not hidden and much like a given one."""
    added = (view.current.slides[index] for index in view.match.added)
    shown = (new for new in added if not new.hidden)
    return next((new for new in shown if slide_likeness(new, slide) >= _SAME_SLIDE), None)


@slide_check("masters", is_binary=True)
def slide_background(
    pair: SlidePair, color: Color, color_tolerance: float = COLOR_TOLERANCE
) -> CheckResult:
    """Measure the share of slides whose background has a colour."""
    wanted = wanted_color(color, pair.deck)
    return verdict(
        color_matches(pair.after.background.color, wanted, color_tolerance),
        f"the background of {pair.place} is {color}",
        f"the background of {pair.place} is {describe_paint(pair.after.background)}",
    )

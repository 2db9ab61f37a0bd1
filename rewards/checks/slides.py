"""Checks of which slides exist, and of their order."""

from pptarena.decks import Slide
from pptarena.decks.match.likeness import slide_likeness
from pptarena.rewards.checking.arguments import Color, Number
from pptarena.rewards.checking.compare import near, nearness, same
from pptarena.rewards.checking.pairs import SlidePair, Slides
from pptarena.rewards.checking.registry import deck_check, slide_check, slides_check
from pptarena.rewards.checking.result import CheckResult, counted, needed, noted
from pptarena.rewards.checking.values import COLOR_TOLERANCE, paint_is
from pptarena.rewards.checking.view import View
from pptarena.rewards.relative import OneSlide

_SAME_SLIDE = 0.9
_HIDDEN = 0.4
_COPY_SHOWN = 0.4


@deck_check("slides")
def slide_count(view: View, count: Number) -> CheckResult:
    """Measure how near the number of slides is to the wanted number."""
    return near("the number of slides", len(view.current.slides), count, 0, 1)


@slides_check("slides", at_least_one=("slide", "slides"))
def slide_deleted(slides: Slides) -> CheckResult:
    """Measure the share of wanted slides among all deleted slides; a hidden one earns 0.4."""
    wanted = {pair.before.index for pair in slides if pair.before is not None}
    gone = set(slides.view.match.removed)
    right, wrong = len(wanted & gone), len(gone - wanted)
    hidden = sum(
        pair.now is not None and pair.now.hidden and not pair.before.hidden
        for pair in slides
        if pair.before is not None
    )
    score = (right + _HIDDEN * hidden) / (len(wanted) + wrong) if wanted else 0.0
    extra = f"{counted(wrong, 'other slide')} {'was' if wrong == 1 else 'were'} deleted too"
    reason = f"{right} of {len(wanted)} requested slides are deleted"
    return noted(CheckResult(score, reason), extra if wrong else "")


@deck_check("slides", exactly_one=("to", "after", "before"))
def slide_moved(
    view: View,
    slide: OneSlide,
    to: int | None = None,
    after: OneSlide | None = None,
    before: OneSlide | None = None,
) -> CheckResult:
    """Measure how near a slide is to its wanted position.

    Args:
        to: Position now.
        after: Position in the original, as `before`.
    """
    now = needed(view.current_of(view.original_slide(slide)), f"slide {slide} was deleted")
    if to is not None:
        target, where = to - 1, f"position {to}"
    else:
        neighbour = after if after is not None else before or 0
        side, step = ("after", 1) if after is not None else ("before", -1)
        other = view.current_of(view.original_slide(neighbour))
        missing = f"slide {neighbour}, {side} which it should be, was deleted"
        place = needed(other, missing).index
        target, where = place + step, f"{side} slide {neighbour}"
        if (place - now.index) * step > 0:
            # Removing the slide from its position moves the neighbor by one.
            target -= step
    score = nearness(now.index - target, 0, 1)
    return CheckResult(score, f"slide {slide} is at position {now.index + 1}, expected {where}")


@slide_check("layouts", is_binary=True)
def slide_layout_is(pair: SlidePair, layout: str) -> CheckResult:
    """Measure the share of slides with a layout."""
    return same(f"the layout of {pair.place}", pair.after.layout, layout)


@slide_check("slides")
def slide_hidden(pair: SlidePair, hidden: bool = True) -> CheckResult:
    """Measure the share of slides that are hidden, or not hidden.

    A hidden slide earns 0.4 in both cases if a new copy of it is shown.
    """
    where = pair.place
    if pair.after.hidden and (copy := _shown_copy(pair.view, pair.after)) is not None:
        reason = f"{where} is hidden, but slide {copy.index + 1} has the same content"
        return CheckResult(_COPY_SHOWN, reason)
    found = f"{where} is {'hidden' if pair.after.hidden else 'not hidden'}"
    return CheckResult(float(pair.after.hidden == hidden), found)


def _shown_copy(view: View, slide: Slide) -> Slide | None:
    """Return a new slide that is not hidden and similar to a given one."""
    shown = (new for new in view.added if not new.hidden)
    return next((new for new in shown if slide_likeness(new, slide) >= _SAME_SLIDE), None)


@slide_check("masters", is_binary=True)
def slide_background(
    pair: SlidePair, color: Color, color_tolerance: float = COLOR_TOLERANCE
) -> CheckResult:
    """Measure the share of slides whose background has a color."""
    what = f"the background of {pair.place}"
    return paint_is(what, pair.after.background, color, pair.deck, color_tolerance)

"""Checks of which slides exist, their order, notes, footers and settings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pptarena.decks import Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.match.similarity import slide_similarity
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import containment, text_similarity
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.rewards.checking.arguments import Count, Number, Texts
from pptarena.rewards.checking.registry import deck_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    mean_of,
    nearness,
    pass_or_fail,
    pluralize,
    require,
    score_equal,
    score_near,
    with_note,
)
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import SlidePair, Slides, View
from pptarena.rewards.checks.text import score_text, score_texts
from pptarena.rewards.relative import LengthEmu, OneSlide

_MIN_SLIDE_LIKENESS = 0.9
_HIDDEN_CREDIT = 0.4
_VISIBLE_COPY_CREDIT = 0.4


@deck_check()
def slide_count(view: View, count: Number) -> CheckResult:
    """Measure how near the number of slides is to the wanted number."""
    return score_near("the number of slides", len(view.current.slides), count, 0, 1)


@slides_check(at_least_one=("slide", "slides"))
def slide_deleted(slides: Slides) -> CheckResult:
    """Measure the share of wanted slides among all deleted slides; a hidden one earns 0.4."""
    requested = {pair.before.index for pair in slides if pair.before is not None}
    removed = set(slides.view.match.removed)
    right, wrong = len(requested & removed), len(removed - requested)
    hidden = sum(
        pair.now is not None and pair.now.hidden and not pair.before.hidden
        for pair in slides
        if pair.before is not None
    )
    score = (right + _HIDDEN_CREDIT * hidden) / (len(requested) + wrong) if requested else 0.0
    extra = f"{pluralize(wrong, 'other slide')} {'was' if wrong == 1 else 'were'} deleted too"
    reason = f"{right} of {len(requested)} requested slides are deleted"
    return with_note(CheckResult(score, reason), extra if wrong else "")


@deck_check(exactly_one=("to", "after", "before"))
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
    now = require(view.current_of(view.original_slide(slide)), f"slide {slide} was deleted")
    if to is not None:
        target, where = to - 1, f"position {to}"
    else:
        neighbor = after if after is not None else before or 0
        side, step = ("after", 1) if after is not None else ("before", -1)
        other = view.current_of(view.original_slide(neighbor))
        missing = f"slide {neighbor}, {side} which it should be, was deleted"
        neighbor_index = require(other, missing).index
        target, where = neighbor_index + step, f"{side} slide {neighbor}"
        if (neighbor_index - now.index) * step > 0:
            # Removing the slide from its position moves the neighbor by one.
            target -= step
    score = nearness(now.index - target, 0, 1)
    return CheckResult(score, f"slide {slide} is at position {now.index + 1}, expected {where}")


@slide_check()
def slide_layout_is(pair: SlidePair, layout: str) -> CheckResult:
    """Measure the share of slides with a layout."""
    return score_equal(f"the layout of {pair.current_label}", pair.after.layout, layout)


@slide_check()
def slide_hidden(pair: SlidePair, hidden: bool = True) -> CheckResult:
    """Measure the share of slides that are hidden, or not hidden.

    A hidden slide earns 0.4 in both cases if a new copy of it is shown.
    """
    where = pair.current_label
    if pair.after.hidden and (copy := _visible_copy(pair.view, pair.after)) is not None:
        reason = f"{where} is hidden, but slide {copy.index + 1} has the same content"
        return CheckResult(_VISIBLE_COPY_CREDIT, reason)
    description = f"{where} is {'hidden' if pair.after.hidden else 'not hidden'}"
    return CheckResult(float(pair.after.hidden == hidden), description)


def _visible_copy(view: View, slide: Slide) -> Slide | None:
    """Return a new slide that is not hidden and similar to a given one."""
    visible_slides = (new for new in view.added if not new.hidden)
    return next(
        (new for new in visible_slides if slide_similarity(new, slide) >= _MIN_SLIDE_LIKENESS), None
    )


_NO_NEW_SLIDE = "there is no new slide"
_MIN_COPY_LIKENESS = 0.5
_OTHER_POSITION_FACTOR = 0.8
_FORM_WEIGHT = 0.4
_EMPTY_SLIDE_CREDIT = 0.1
_OTHER_VISIBILITY_FACTOR = 0.4


@deck_check(at_most_one=("at", "after"))
def slide_added(
    view: View,
    at: Count | None = None,
    after: OneSlide | None = None,
    title: str | None = None,
    texts: tuple[str, ...] = (),
    layout: str | None = None,
    count: Count = 1,
    empty: bool = False,
    shown: bool = True,
    visible: bool = True,
) -> CheckResult:
    """Measure how well the best new slides match: the share of title and texts.

    A wrong position or layout costs up to 0.4 of the score. The right position and layout without
    any text earn 0.1. A slide whose visibility differs from `shown` keeps 0.4 of its score.

    Args:
        at: Position now.
        after: Position in the original; 0 = at the front.
        empty: Whether the slide must be empty, except for a title that is asked for.
        shown: Whether the slide appears in a show.
    """
    if after:
        view.original_slide(after)

    def form_of(slide: Slide) -> Iterator[CheckResult | None]:
        yield score_near("its position", slide.index + 1, at, 0, 1)
        if after is not None:
            yield _score_position_after(view, slide, after)
        yield score_equal("its layout", slide.layout, layout)
        if empty:
            bare = slide if title is None else _without_title(slide)
            yield CheckResult(float(_is_empty(bare)), "it is not empty")

    def text_of(slide: Slide) -> Iterator[CheckResult]:
        visible_slide = view.without_hidden_text(slide) if visible else slide
        if title is not None:
            right = text_similarity(visible_slide.title, title, match_case=True)
            description = f"its title is {clip(visible_slide.title)} instead of {clip(title)}"
            yield CheckResult(right, description)
        for text in texts:
            yield CheckResult(
                containment(visible_slide.text, text, False), f"it lacks {clip(text)}"
            )

    fits = [
        _score_new_slide(
            slide, [each for each in form_of(slide) if each], list(text_of(slide)), shown
        )
        for slide in require(view.added, _NO_NEW_SLIDE)
    ]
    best = sorted(fits, key=lambda fit: -fit.score)[:count]
    score = sum(fit.score for fit in best) / count
    added = f"{pluralize(len(fits), 'slide')} {'was' if len(fits) == 1 else 'were'} added"
    reason = added if len(fits) == count else f"{added} instead of {count}"
    return with_note(CheckResult(score, reason), next((f.reason for f in best if f.score < 1), ""))


@deck_check()
def slide_duplicated(
    view: View, slide: OneSlide, after: bool = True, at: int | None = None, shown: bool = True
) -> CheckResult:
    """Measure how similar the best copy of a slide is; a copy in a wrong position keeps 0.8.

    Invisible content of the copy is not similar to anything. If the original is not hidden, a copy
    whose visibility differs from `shown` keeps 0.4 of its score.

    Args:
        after: Whether the copy must be next to the original.
        at: Position now.
    """
    original = view.original_slide(slide)
    source = view.current_of(original)
    results = []
    for copy in require(view.added, _NO_NEW_SLIDE):
        likeness = slide_similarity(original, view.without_hidden_text(copy)) * visible_share(
            view, copy
        )
        if copy.hidden == shown and not original.hidden:
            likeness *= _OTHER_VISIBILITY_FACTOR
        if at is not None:
            is_placed = copy.index == at - 1
        else:
            # Of two equal neighbors, either one may be the copy.
            is_adjacent = source is not None and abs(copy.index - source.index) == 1
            is_placed = is_adjacent or not after
        score = likeness if likeness >= _MIN_COPY_LIKENESS else 0.0
        position = "in the right position" if is_placed else "in the wrong position"
        description = f"new slide {copy.index + 1} is {likeness:.0%} like slide {slide}"
        score *= 1.0 if is_placed else _OTHER_POSITION_FACTOR
        results.append(CheckResult(score, f"{description} and is {position}"))
    return best_of(results)


def visible_share(view: View, slide: Slide) -> float:
    """Return the share of a new slide's content that is visible."""
    content = [
        s
        for s in slide.shapes
        if s.kind != "group" and (s.all_text or s.kind == "picture") and not s.shows_nothing
    ]
    return sum(view.is_visible(slide, s) for s in content) / len(content) if content else 1.0


def _score_new_slide(
    slide: Slide, form: list[CheckResult], text: list[CheckResult], shown: bool
) -> CheckResult:
    """Return how well a new slide matches; its form counts as far as its text is right."""
    score = sum(result.score for result in form) / len(form) if form else 1.0
    if text:
        text_score = sum(result.score for result in text) / len(text)
        bare = _EMPTY_SLIDE_CREDIT if form and score == 1.0 and _is_empty(slide) else 0.0
        score = max(bare, text_score * (1 - _FORM_WEIGHT * (1 - score)))
    if slide.hidden == shown:
        hidden = CheckResult(0.0, "it is hidden" if slide.hidden else "it is not hidden")
        score, form = score * _OTHER_VISIBILITY_FACTOR, [*form, hidden]
    reasons = [result.reason for result in (*text, *form) if result.score < 1]
    return CheckResult(score, "; ".join(reasons) or "it is as requested")


def _without_title(slide: Slide) -> Slide:
    titles = ("title", "ctrTitle")
    return replace(slide, shapes=tuple(s for s in slide.shapes if s.placeholder not in titles))


def _is_empty(slide: Slide) -> bool:
    own_shapes = [s for s in slide.shapes if s.kind != "placeholder" and not s.shows_nothing]
    shapes_with_text = [
        s for s in slide.shapes if s.text.strip() and s.placeholder not in SMALL_PLACEHOLDERS
    ]
    return not own_shapes and not shapes_with_text and slide.background.kind != "picture"


def _score_position_after(view: View, slide: Slide, after: int) -> CheckResult:
    earlier = [
        original.index
        for original in map(view.original_of, view.current.slides[: slide.index])
        if original is not None
    ]
    right = (earlier[-1] + 1 if earlier else 0) == after
    return CheckResult(float(right), f"it is not after slide {after}")


_INCH = 914_400
_RATIO_TOLERANCE = 0.01


@deck_check(at_least_one=("width_emu", "height_emu", "ratio"))
def slide_size_is(
    view: View,
    width_emu: LengthEmu | None = None,
    height_emu: LengthEmu | None = None,
    ratio: float | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the slide size is from the wanted size."""
    width, height = view.current.width_emu, view.current.height_emu
    results = [
        score_near("the width of slides in EMU", width, width_emu, tolerance_emu, _INCH),
        score_near("the height of slides in EMU", height, height_emu, tolerance_emu, _INCH),
    ]
    if ratio is not None:
        now = width / max(1, height)
        scale = 0.2 * ratio
        results.append(score_near("width by height", now, ratio, _RATIO_TOLERANCE * ratio, scale))
    return mean_of(results, "sides")


@deck_check()
def document_property_is(
    view: View,
    property: Literal[
        "title", "subject", "author", "keywords", "description", "category", "status"
    ],
    text: str,
    match_case: bool = False,
) -> CheckResult:
    """Measure how well a document property matches the wanted text, by words in common."""
    now: str = getattr(view.current.properties, property)
    return score_text(now, text, match_case, f"the document's {property}")


@deck_check()
def show_setting_is(view: View, setting: str, value: str | None = None) -> CheckResult:
    """Measure whether a setting of the slide show has a value.

    Args:
        setting: Such as `loop`.
        value: By default, the setting must not be set.
    """
    now = dict(view.current.show).get(setting)
    description = f"{setting} is {now or 'not set'}"
    return pass_or_fail(now == value, description, f"{description} instead of {value or 'not set'}")


@slide_check(explain_hidden=True, at_least_one=("text", "number", "date"))
def footer_is(
    pair: SlidePair, text: str | None = None, number: bool | None = None, date: bool | None = None
) -> CheckResult:
    """Measure the share of right parts of a slide's footer: its text, number and date."""
    slide, where = pair.visible, pair.current_label
    dated = any(is_kind(shape, "date") and shape.text.strip() for shape in slide.shapes)
    results = [
        score_equal(f"the slide number on {where}", slide.number_shown, number),
        score_equal(f"the date on {where}", dated, date),
    ]
    if text is not None:
        right = text_similarity(slide.footer, text, match_case=False)
        results.append(CheckResult(right, f"the footer of {where} is {clip(slide.footer)}"))
    return mean_of(results, "parts")


@slide_check()
def notes_contain(pair: SlidePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that the notes contain, as `text_contains` does."""
    where = f"the text of the notes of {pair.current_label}"
    return score_texts(pair.after.notes, texts, match_case, where)


@slide_check()
def notes_are(pair: SlidePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure how well the notes match, by words in common; a final period is optional."""
    where = f"the text of the notes of {pair.current_label}"
    return score_text(pair.after.notes, text, match_case, where, prose=True)

"""Checks of which slides exist, their order, notes, footers and settings."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pptarena.decks import Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import share_found, text_share
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS
from pptarena.rewards.checking.arguments import Count, Number, Texts
from pptarena.rewards.checking.registry import deck_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    best_of,
    counted,
    mean_of,
    near,
    nearness,
    needed,
    noted,
    same,
    verdict,
)
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import SlidePair, Slides, View
from pptarena.rewards.checks.text import found_texts, same_words
from pptarena.rewards.relative import LengthEmu, OneSlide

_SAME_SLIDE = 0.9
_HIDDEN = 0.4
_COPY_SHOWN = 0.4


@deck_check()
def slide_count(view: View, count: Number) -> CheckResult:
    """Measure how near the number of slides is to the wanted number."""
    return near("the number of slides", len(view.current.slides), count, 0, 1)


@slides_check(at_least_one=("slide", "slides"))
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


@slide_check()
def slide_layout_is(pair: SlidePair, layout: str) -> CheckResult:
    """Measure the share of slides with a layout."""
    return same(f"the layout of {pair.place}", pair.after.layout, layout)


@slide_check()
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


_NONE_NEW = "there is no new slide"
_COPY_LIKENESS = 0.5
_COPY_ELSEWHERE = 0.8
_FORM_SHARE = 0.4
_BARE = 0.1
_OTHER_SHOW = 0.4


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
        yield near("its position", slide.index + 1, at, 0, 1)
        if after is not None:
            yield _stands_after(view, slide, after)
        yield same("its layout", slide.layout, layout)
        if empty:
            bare = slide if title is None else _without_title(slide)
            yield CheckResult(float(_is_empty(bare)), "it is not empty")

    def text_of(slide: Slide) -> Iterator[CheckResult]:
        shown_slide = view.as_seen(slide) if visible else slide
        if title is not None:
            right = text_share(shown_slide.title, title, match_case=True)
            found = f"its title is {clip(shown_slide.title)} instead of {clip(title)}"
            yield CheckResult(right, found)
        for text in texts:
            yield CheckResult(share_found(shown_slide.text, text, False), f"it lacks {clip(text)}")

    fits = [
        _fit(slide, [each for each in form_of(slide) if each], list(text_of(slide)), shown)
        for slide in needed(view.added, _NONE_NEW)
    ]
    best = sorted(fits, key=lambda fit: -fit.score)[:count]
    score = sum(fit.score for fit in best) / count
    added = f"{counted(len(fits), 'slide')} {'was' if len(fits) == 1 else 'were'} added"
    reason = added if len(fits) == count else f"{added} instead of {count}"
    return noted(CheckResult(score, reason), next((f.reason for f in best if f.score < 1), ""))


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
    for copy in needed(view.added, _NONE_NEW):
        likeness = slide_likeness(original, view.as_seen(copy)) * visible_share(view, copy)
        if copy.hidden == shown and not original.hidden:
            likeness *= _OTHER_SHOW
        if at is not None:
            placed = copy.index == at - 1
        else:
            # Of two equal neighbors, either one may be the copy.
            beside = source is not None and abs(copy.index - source.index) == 1
            placed = beside or not after
        score = likeness if likeness >= _COPY_LIKENESS else 0.0
        place = "in the right position" if placed else "in the wrong position"
        found = f"new slide {copy.index + 1} is {likeness:.0%} like slide {slide}"
        score *= 1.0 if placed else _COPY_ELSEWHERE
        results.append(CheckResult(score, f"{found} and is {place}"))
    return best_of(results)


def visible_share(view: View, slide: Slide) -> float:
    """Return the share of a new slide's content that is visible."""
    drawn = [
        s
        for s in slide.shapes
        if s.kind != "group" and (s.all_text or s.kind == "picture") and not s.shows_nothing
    ]
    return sum(view.is_visible(slide, s) for s in drawn) / len(drawn) if drawn else 1.0


def _fit(
    slide: Slide, form: list[CheckResult], text: list[CheckResult], shown: bool
) -> CheckResult:
    """Return how well a new slide matches; its form counts as far as its text is right."""
    score = sum(result.score for result in form) / len(form) if form else 1.0
    if text:
        said = sum(result.score for result in text) / len(text)
        bare = _BARE if form and score == 1.0 and _is_empty(slide) else 0.0
        score = max(bare, said * (1 - _FORM_SHARE * (1 - score)))
    if slide.hidden == shown:
        hidden = CheckResult(0.0, "it is hidden" if slide.hidden else "it is not hidden")
        score, form = score * _OTHER_SHOW, [*form, hidden]
    short = [result.reason for result in (*text, *form) if result.score < 1]
    return CheckResult(score, "; ".join(short) or "it is as requested")


def _without_title(slide: Slide) -> Slide:
    titles = ("title", "ctrTitle")
    return replace(slide, shapes=tuple(s for s in slide.shapes if s.placeholder not in titles))


def _is_empty(slide: Slide) -> bool:
    own = [s for s in slide.shapes if s.kind != "placeholder" and not s.shows_nothing]
    said = [s for s in slide.shapes if s.text.strip() and s.placeholder not in SMALL_PLACEHOLDERS]
    return not own and not said and slide.background.kind != "picture"


def _stands_after(view: View, slide: Slide, after: int) -> CheckResult:
    earlier = [
        found.index
        for found in map(view.original_of, view.current.slides[: slide.index])
        if found is not None
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
        near("the width of slides in EMU", width, width_emu, tolerance_emu, _INCH),
        near("the height of slides in EMU", height, height_emu, tolerance_emu, _INCH),
    ]
    if ratio is not None:
        now = width / max(1, height)
        scale = 0.2 * ratio
        results.append(near("width by height", now, ratio, _RATIO_TOLERANCE * ratio, scale))
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
    return same_words(now, text, match_case, f"the document's {property}")


@deck_check()
def show_setting_is(view: View, setting: str, value: str | None = None) -> CheckResult:
    """Measure whether a setting of the slide show has a value.

    Args:
        setting: Such as `loop`.
        value: By default, the setting must not be set.
    """
    now = dict(view.current.show).get(setting)
    found = f"{setting} is {now or 'not set'}"
    return verdict(now == value, found, f"{found} instead of {value or 'not set'}")


@slide_check(explain_hidden=True, at_least_one=("text", "number", "date"))
def footer_is(
    pair: SlidePair, text: str | None = None, number: bool | None = None, date: bool | None = None
) -> CheckResult:
    """Measure the share of right parts of a slide's footer: its text, number and date."""
    slide, where = pair.visible, pair.place
    dated = any(is_kind(shape, "date") and shape.text.strip() for shape in slide.shapes)
    results = [
        same(f"the slide number on {where}", slide.number_shown, number),
        same(f"the date on {where}", dated, date),
    ]
    if text is not None:
        right = text_share(slide.footer, text, match_case=False)
        results.append(CheckResult(right, f"the footer of {where} is {clip(slide.footer)}"))
    return mean_of(results, "parts")


@slide_check()
def notes_contain(pair: SlidePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that the notes contain, as `text_contains` does."""
    where = f"the text of the notes of {pair.place}"
    return found_texts(pair.after.notes, texts, match_case, where)


@slide_check()
def notes_are(pair: SlidePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure how well the notes match, by words in common; a final period is optional."""
    where = f"the text of the notes of {pair.place}"
    return same_words(pair.after.notes, text, match_case, where, prose=True)

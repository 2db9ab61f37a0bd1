"""Checks of new slides: added slides and copies."""

from collections.abc import Iterator
from dataclasses import replace

from pptarena.decks import Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.text_match import share_found, text_share
from pptarena.rewards.checking.arguments import Count
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.registry import deck_check
from pptarena.rewards.checking.result import CheckResult, best_of, counted, needed, noted
from pptarena.rewards.checking.view import View
from pptarena.rewards.relative import OneSlide

_NONE_NEW = "there is no new slide"
_SMALL = ("sldNum", "ftr", "dt")
_COPY_LIKENESS = 0.5
_COPY_ELSEWHERE = 0.8
_FORM_SHARE = 0.4
_BARE = 0.1
_OTHER_SHOW = 0.4


@deck_check("slides", at_most_one=("at", "after"))
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


@deck_check("slides")
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
    said = [s for s in slide.shapes if s.text.strip() and s.placeholder not in _SMALL]
    return not own and not said and slide.background.kind != "picture"


def _stands_after(view: View, slide: Slide, after: int) -> CheckResult:
    earlier = [
        found.index
        for found in map(view.original_of, view.current.slides[: slide.index])
        if found is not None
    ]
    right = (earlier[-1] + 1 if earlier else 0) == after
    return CheckResult(float(right), f"it is not after slide {after}")

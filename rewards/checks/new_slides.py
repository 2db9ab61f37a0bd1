"""Checks of slides that are new: added ones and copies."""

from collections.abc import Iterator
from dataclasses import dataclass

from pptarena.decks import Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.text_match import folded, share_found, text_share
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, noted, verdict
from pptarena.rewards.checks.values import nearness
from pptarena.rewards.checks.view import View

_SMALL = ("sldNum", "ftr", "dt")
_COPY_LIKENESS = 0.5
_COPY_ELSEWHERE = 0.8
_FORM_SHARE = 0.4
_OTHER_SHOW = 0.4


@dataclass(frozen=True, kw_only=True)
class Added:
    """Slides that should be new; what is left out does not matter."""

    at: int | None = None
    after: int | None = None
    title: str | None = None
    texts: tuple[str, ...] = ()
    layout: str | None = None
    count: int = 1
    empty: bool = False
    shown: bool = True
    visible: bool = True

    def __post_init__(self) -> None:
        if self.at is not None and self.after is not None:
            raise ValueError("expected at most one of at, after")
        if self.count < 1 or (self.at or 1) < 1 or (self.after or 0) < 0:
            raise ValueError("expected count and at from 1, after from 0")


@dataclass(frozen=True, kw_only=True)
class Duplicated:
    """A slide of the original that there should be a copy of."""

    slide: int
    after: bool = True
    at: int | None = None
    shown: bool = True


@check("slide_added", "slides")
def slide_added(view: View, args: Added) -> CheckResult:
    """Measure how well new slides fit, the best ones first."""
    if args.after:
        view.original_slide(args.after)
    new = [view.current.slides[index] for index in view.match.added]
    if not new:
        return CheckResult(0.0, "there is no new slide")
    ranked = sorted((_added_fit(view, slide, args) for slide in new), key=lambda fit: -fit.score)
    best = ranked[: args.count]
    value = sum(fit.score for fit in best) / args.count
    found = f"{len(new)} new slides, {args.count} wanted"
    return noted(CheckResult(value, found), next((f.reason for f in best if f.score < 1), ""))


@check("slide_duplicated", "slides")
def slide_duplicated(view: View, args: Duplicated) -> CheckResult:
    """Measure how like the slide its best copy is, and whether it stands in the right place.

    What of the copy cannot be seen is not like anything, and where it should come up it must.
    """
    original = view.original_slide(args.slide)
    new = [view.current.slides[index] for index in view.match.added]
    if not new:
        return CheckResult(0.0, "there is no new slide")
    source = view.current_of(original)
    ranked = []
    for slide in new:
        likeness = slide_likeness(original, view.as_seen(slide)) * _seen_share(view, slide)
        if slide.hidden == args.shown and not original.hidden:
            likeness *= _OTHER_SHOW
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


def _seen_share(view: View, slide: Slide) -> float:
    """Return the share of what a new slide draws that can be seen."""
    drawn = [s for s in slide.shapes if s.kind != "group" and (s.all_text or s.kind == "picture")]
    seen = sum(view.is_seen(slide, shape) for shape in drawn)
    return seen / len(drawn) if drawn else 1.0


def _added_fit(view: View, slide: Slide, args: Added) -> CheckResult:
    """Return how well a new slide fits; place and layout count as far as its text is right."""
    form = list(_form_conditions(view, slide, args)) or [CheckResult(1.0, "it is new")]
    text = list(_text_conditions(view, slide, args))
    value = sum(result.score for result in form) / len(form)
    if text:
        share = sum(result.score for result in text) / len(text)
        value = share * (1 - _FORM_SHARE * (1 - value))
    if slide.hidden == args.shown:
        hidden = CheckResult(0.0, "it is hidden" if slide.hidden else "it is not hidden")
        value, form = value * _OTHER_SHOW, [*form, hidden]
    short = [result.reason for result in (*text, *form) if result.score < 1]
    return CheckResult(value, "; ".join(short) or "it is as wanted")


def _form_conditions(view: View, slide: Slide, args: Added) -> Iterator[CheckResult]:
    if args.at is not None:
        value = nearness(slide.index - (args.at - 1), 0, 1)
        yield CheckResult(value, f"it is at position {slide.index + 1}, wanted {args.at}")
    elif args.after is not None:
        yield _stands_after(view, slide, args.after)
    if args.layout is not None:
        right = folded(slide.layout) == folded(args.layout)
        yield verdict(right, "its layout is right", f"its layout is {clip(slide.layout)}")
    if args.empty:
        own = [s for s in slide.shapes if s.kind != "placeholder" and not s.shows_nothing]
        said = [s for s in slide.shapes if s.text.strip() and s.placeholder not in _SMALL]
        plain = slide.background.kind != "picture"
        yield verdict(not own and not said and plain, "it is empty", "it is not empty")


def _text_conditions(view: View, slide: Slide, args: Added) -> Iterator[CheckResult]:
    seen = view.as_seen(slide) if args.visible else slide
    if args.title is not None:
        share = text_share(seen.title, args.title, match_case=True)
        yield CheckResult(share, f"its title is {clip(seen.title)}, wanted {clip(args.title)}")
    for text in args.texts:
        yield CheckResult(share_found(seen.text, text, False), f"it lacks {clip(text)}")


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

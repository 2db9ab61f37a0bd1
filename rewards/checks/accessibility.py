"""Checks of alt text, reading order, titles, contrast and comments."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from pptarena.decks import Comment, Run, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, share_found
from pptarena.decks.visibility.contrast import blend, contrast_ratio, least_contrast
from pptarena.decks.visibility.visibility import visibility_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import SeveralShapes
from pptarena.rewards.checking.registry import part_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    in_order,
    mean_of,
    needed,
    none_left,
    noted,
)
from pptarena.rewards.checking.values import letters
from pptarena.rewards.checking.view import Part, SlidePair, Slides

_ALMOST = 0.9


@slide_check()
def shapes_in_order(
    pair: SlidePair, shapes: SeveralShapes, by: Literal["reading", "animation"]
) -> CheckResult:
    """Measure the share of pairs of shapes that are read, or animated, in the right order."""
    slide = pair.after
    animated = [effect.shape for effect in slide.animations]
    places = pair.places_of(shapes, slide.reading_order if by == "reading" else animated)
    return in_order(places, f"shapes of {pair.label}")


@slides_check()
def slides_titled(slides: Slides, unique: bool = True) -> CheckResult:
    """Measure the share of slides with a visible title that no earlier slide has.

    Args:
        unique: Whether a title may occur only once.
    """
    titles: set[str] = set()
    results = []
    for pair in slides:
        title = "" if pair.now is None else folded(pair.visible.title)
        twice = unique and title in titles
        titles.add(title)
        found = f"has the title {clip(title)}" if title else "has no title"
        again = " of another slide" if title and twice else ""
        right = bool(title) and not twice
        results.append(CheckResult(float(right), f"{pair.label} {found}{again}"))
    return mean_of(results, "slides")


@part_check()
def text_contrast(
    part: Part, ratio: Annotated[float, Field(ge=1, le=21)] | None = None
) -> CheckResult:
    """Measure the share of characters with enough contrast to their background.

    Too little contrast earns partial credit. Characters on backgrounds of unknown color, such as
    pictures, are left out. Text that is invisible for another reason earns nothing, even with
    enough contrast.

    Args:
        ratio: The required contrast; by default that of WCAG AA: 4.5, or 3 for large type.
    """
    visibility = visibility_of(part.deck)
    right, total = 0.0, 0
    worst: tuple[float, str] = (21.0, "")
    for shape in part.shapes:
        # Not `part.visible`, which includes text that was too pale in the original.
        seen = visibility.shape(part.slide.index, shape.index)
        every = letters(shape.all_text) if part.on.address.visible else 0
        readable = letters(seen.all_text) / every if every else 1.0
        for run, contrast in _contrasts(visibility.backdrops(part.slide.index, shape.index)):
            count = letters(run.text)
            least = ratio or least_contrast(run.style.size_pt, run.style.bold)
            enough = 1.0 if contrast >= least else min(_ALMOST, (contrast - 1) / (least - 1))
            total += count
            right += count * enough * readable
            if count and enough < 1:
                worst = min(worst, (contrast, run.text))
    if not total and any(shape.all_text.strip() for shape in part.shapes):
        raise UnscoredError(f"the background of the text of {part.label} cannot be determined")
    score = right / needed(total, f"{part.label} has no text")
    reason = f"the text of {part.label} has {score:.0%} of the required contrast"
    return noted(CheckResult(score, reason), f"{clip(worst[1])} has {worst[0]:.1f} : 1")


def _contrasts(runs: Iterator[tuple[Run, frozenset[str] | None]]) -> Iterator[tuple[Run, float]]:
    """Yield runs with their lowest contrast, without runs whose contrast is unknown."""
    for run, behind in runs:
        color, opacity = run.style.color, run.style.opacity_pct
        if behind and color is not None:
            yield run, min(contrast_ratio(blend(color, back, opacity), back) for back in behind)


@slide_check()
def comment_exists(
    pair: SlidePair, text: str | None = None, author: str | None = None, new: bool = True
) -> CheckResult:
    """Measure how well the best comment or reply of a slide matches, by words in common."""
    old = _said(pair.before) if new else []
    comments = [each for each in _said(pair.after) if each not in old]
    needed(comments, f"{pair.label} has no new comment")
    score = max(_fit(*each, author, text) for each in comments)
    wanted = clip(text) if text is not None else "a comment"
    return CheckResult(score, f"{pair.label} has {'' if score == 1 else 'in part '}{wanted}")


@slide_check()
def comment_none(pair: SlidePair, text: str | None = None) -> CheckResult:
    """Measure the share of the original's comments that were removed.

    Args:
        text: Only comments with this text; the share of all other comments that remain then counts
            as well.
    """
    left, before = len(_meant(pair.after, text)), len(_meant(pair.before, text))
    result = none_left(left, before, "comment", pair.label)
    others, now = (
        [
            (each.author, each.text)
            for each in _meant(slide, None)
            if each not in _meant(slide, text)
        ]
        for slide in (pair.before, pair.after)
    )
    kept = sum(each in now for each in others) / len(others) if others else 1.0
    note = "" if kept == 1 else f"{1 - kept:.0%} of the others are gone too"
    return noted(CheckResult(result.score * kept, result.reason), note)


def _said(slide: Slide | None) -> list[tuple[str, str]]:
    """Return author and text of comments and replies."""
    said = []
    for comment in slide.comments if slide is not None else ():
        said.append((comment.author, comment.text))
        said += [("", text) for text in comment.answers]
    return said


def _fit(author_now: str, text_now: str, author: str | None, text: str | None) -> float:
    conditions = [1.0] if text is None else [share_found(text_now, text, match_case=False)]
    if author is not None and any(conditions):
        conditions.append(float(folded(author_now) == folded(author)))
    return sum(conditions) / len(conditions)


def _meant(slide: Slide | None, text: str | None) -> list[Comment]:
    comments = slide.comments if slide is not None else ()
    return [each for each in comments if text is None or folded(text) in folded(each.text)]

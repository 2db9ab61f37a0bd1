"""Checks of alt text, reading order, titles, contrast and comments."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from pptarena.decks import Comment, Run, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import containment, normalize_caseless
from pptarena.decks.visibility.contrast import blend, contrast_ratio, required_contrast
from pptarena.decks.visibility.visibility import visibility_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import SeveralShapes
from pptarena.rewards.checking.registry import part_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    require,
    score_order,
    score_removal,
    with_note,
)
from pptarena.rewards.checking.values import character_count
from pptarena.rewards.checking.view import Part, SlidePair, Slides

_MAX_PARTIAL = 0.9


@slide_check()
def shapes_in_order(
    pair: SlidePair, shapes: SeveralShapes, by: Literal["reading", "animation"]
) -> CheckResult:
    """Measure the share of pairs of shapes that are read, or animated, in the right order."""
    slide = pair.after
    animated = [effect.shape for effect in slide.animations]
    positions = pair.positions_of(shapes, slide.reading_order if by == "reading" else animated)
    return score_order(positions, f"shapes of {pair.label}")


@slides_check()
def slides_titled(slides: Slides, unique: bool = True) -> CheckResult:
    """Measure the share of slides with a visible title that no earlier slide has.

    Args:
        unique: Whether a title may occur only once.
    """
    titles: set[str] = set()
    results = []
    for pair in slides:
        title = "" if pair.now is None else normalize_caseless(pair.visible.title)
        is_duplicate = unique and title in titles
        titles.add(title)
        description = f"has the title {clip(title)}" if title else "has no title"
        note = " of another slide" if title and is_duplicate else ""
        right = bool(title) and not is_duplicate
        results.append(CheckResult(float(right), f"{pair.label} {description}{note}"))
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
        visible_shape = visibility.shape(part.slide.index, shape.index)
        character_total = character_count(shape.all_text) if part.slide_pair.address.visible else 0
        readable = (
            character_count(visible_shape.all_text) / character_total if character_total else 1.0
        )
        for run, contrast in _contrasts(visibility.backdrops(part.slide.index, shape.index)):
            count = character_count(run.text)
            required = ratio or required_contrast(run.style.size_pt, run.style.bold)
            credit = (
                1.0 if contrast >= required else min(_MAX_PARTIAL, (contrast - 1) / (required - 1))
            )
            total += count
            right += count * credit * readable
            if count and credit < 1:
                worst = min(worst, (contrast, run.text))
    if not total and any(shape.all_text.strip() for shape in part.shapes):
        raise UnscoredError(f"the background of the text of {part.label} cannot be determined")
    score = right / require(total, f"{part.label} has no text")
    reason = f"the text of {part.label} has {score:.0%} of the required contrast"
    return with_note(CheckResult(score, reason), f"{clip(worst[1])} has {worst[0]:.1f} : 1")


def _contrasts(runs: Iterator[tuple[Run, frozenset[str] | None]]) -> Iterator[tuple[Run, float]]:
    """Yield runs with their lowest contrast, without runs whose contrast is unknown."""
    for run, backgrounds in runs:
        color, opacity = run.style.color, run.style.opacity_pct
        if backgrounds and color is not None:
            yield (
                run,
                min(
                    contrast_ratio(blend(color, background, opacity), background)
                    for background in backgrounds
                ),
            )


@slide_check()
def comment_exists(
    pair: SlidePair, text: str | None = None, author: str | None = None, new: bool = True
) -> CheckResult:
    """Measure how well the best comment or reply of a slide matches, by words in common."""
    old = _comment_texts(pair.before) if new else []
    comments = [each for each in _comment_texts(pair.after) if each not in old]
    require(comments, f"{pair.label} has no new comment")
    score = max(_comment_match(*each, author, text) for each in comments)
    expected = clip(text) if text is not None else "a comment"
    return CheckResult(score, f"{pair.label} has {'' if score == 1 else 'in part '}{expected}")


@slide_check()
def comment_none(pair: SlidePair, text: str | None = None) -> CheckResult:
    """Measure the share of the original's comments that were removed.

    Args:
        text: Only comments with this text; the share of all other comments that remain then counts
            as well.
    """
    remaining, before = (
        len(_matching_comments(pair.after, text)),
        len(_matching_comments(pair.before, text)),
    )
    result = score_removal(remaining, before, "comment", pair.label)
    others, now = (
        [
            (each.author, each.text)
            for each in _matching_comments(slide, None)
            if each not in _matching_comments(slide, text)
        ]
        for slide in (pair.before, pair.after)
    )
    kept_share = sum(each in now for each in others) / len(others) if others else 1.0
    note = "" if kept_share == 1 else f"{1 - kept_share:.0%} of the others are gone too"
    return with_note(CheckResult(result.score * kept_share, result.reason), note)


def _comment_texts(slide: Slide | None) -> list[tuple[str, str]]:
    """Return author and text of comments and replies."""
    texts = []
    for comment in slide.comments if slide is not None else ():
        texts.append((comment.author, comment.text))
        texts += [("", text) for text in comment.answers]
    return texts


def _comment_match(author_now: str, text_now: str, author: str | None, text: str | None) -> float:
    conditions = [1.0] if text is None else [containment(text_now, text, match_case=False)]
    if author is not None and any(conditions):
        conditions.append(float(normalize_caseless(author_now) == normalize_caseless(author)))
    return sum(conditions) / len(conditions)


def _matching_comments(slide: Slide | None, text: str | None) -> list[Comment]:
    comments = slide.comments if slide is not None else ()
    return [
        each
        for each in comments
        if text is None or normalize_caseless(text) in normalize_caseless(each.text)
    ]

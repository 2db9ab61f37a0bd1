"""Checks of comments."""

from pptarena.decks import Comment, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, share_found
from pptarena.rewards.checking.compare import none_left
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checking.registry import slide_check
from pptarena.rewards.checking.result import CheckResult, needed, noted


@slide_check("accessibility")
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


@slide_check("accessibility")
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

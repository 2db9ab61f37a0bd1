"""Checks of comments."""

from pptarena.decks import Comment, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, share_found
from pptarena.rewards.checks.pairs import SlidePair, Slides
from pptarena.rewards.checks.registry import slide_check, slides_check
from pptarena.rewards.checks.result import CheckResult


@slide_check("accessibility")
def comment_exists(
    pair: SlidePair, text: str | None = None, author: str | None = None, new: bool = True
) -> CheckResult:
    """Measure how well the best comment of a slide, or answer to one, fits, by words in common."""
    old = _said(pair.before) if new else []
    found = [each for each in _said(pair.after) if each not in old]
    if not found:
        return CheckResult(0.0, f"{pair.label} has no new comment")
    value = max(_fit(*each, author, text) for each in found)
    wanted = clip(text) if text is not None else "a comment"
    return CheckResult(value, f"{pair.label} has {'' if value == 1 else 'in part '}{wanted}")


@slide_check("accessibility")
def comment_none(pair: SlidePair, text: str | None = None) -> CheckResult:
    """Measure the share of the original's comments that are gone."""
    before = _meant(pair.before, text)
    now = _meant(pair.after, text)
    total = max(len(before), len(now))
    value = 1.0 if not now else 1 - len(now) / total
    return CheckResult(value, f"{len(now)} comments are left on {pair.label}")


@slides_check("accessibility")
def comments_resolved(slides: Slides) -> CheckResult:
    """Measure the share of the original's comments that are there and marked as resolved."""
    resolved = total = 0
    for pair in slides:
        before = () if pair.before is None else pair.before.comments
        now = () if pair.now is None else pair.now.comments
        total += max(len(before), len(now))
        resolved += sum(comment.resolved for comment in now)
    if not total:
        return CheckResult(0.0, "there are no comments")
    return CheckResult(resolved / total, f"{resolved} of {total} comments are resolved")


def _said(slide: Slide | None) -> list[tuple[str, str]]:
    """Return author and text of comments and of their answers."""
    found = []
    for comment in slide.comments if slide is not None else ():
        found.append((comment.author, comment.text))
        found += [("", text) for text in comment.answers]
    return found


def _fit(found_author: str, found_text: str, author: str | None, text: str | None) -> float:
    conditions = [1.0] if text is None else [share_found(found_text, text, match_case=False)]
    if author is not None and any(conditions):
        conditions.append(float(folded(found_author) == folded(author)))
    return sum(conditions) / len(conditions)


def _meant(slide: Slide | None, text: str | None) -> list[Comment]:
    comments = slide.comments if slide is not None else ()
    return [each for each in comments if text is None or folded(text) in folded(each.text)]

"""Checks of comments."""

from dataclasses import dataclass

from pptarena.decks import Comment, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, share_found
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.view import SlideArgs, SlideView, View


@dataclass(frozen=True, kw_only=True)
class CommentExists(SlideArgs):
    """A comment that a slide should have; what is left out does not matter."""

    text: str | None = None
    author: str | None = None
    new: bool = True


@dataclass(frozen=True, kw_only=True)
class CommentNone(SlideArgs):
    """Slides that should have no comments, or none with a text."""

    text: str | None = None


@dataclass(frozen=True, kw_only=True)
class CommentsDone(SlideArgs):
    """Slides whose comments should all be marked as resolved."""


@check("comment_exists", "accessibility")
def comment_exists(view: View, args: CommentExists) -> CheckResult:
    """Measure how well the best fitting comment of a slide, or answer to one, fits."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        old = _said(seen.original) if args.new else []
        found = [each for each in _said(seen.current) if each not in old]
        if not found:
            return CheckResult(0.0, f"{seen.label} has no new comment")
        value = max(_fit(author, text, args) for author, text in found)
        wanted = clip(args.text) if args.text is not None else "a comment"
        return CheckResult(value, f"{seen.label} has {'' if value == 1 else 'in part '}{wanted}")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("comment_none", "accessibility")
def comment_none(view: View, args: CommentNone) -> CheckResult:
    """Measure the share of the original's comments that are gone."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        before = _meant(seen.original, args.text)
        now = _meant(seen.current, args.text)
        total = max(len(before), len(now))
        value = 1.0 if not now else 1 - len(now) / total
        return CheckResult(value, f"{len(now)} comments are left on {seen.label}")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("comments_resolved", "accessibility")
def comments_resolved(view: View, args: CommentsDone) -> CheckResult:
    """Measure the share of the original's comments that are there and marked as resolved."""
    resolved = total = 0
    for seen in view.slides(args):
        before = () if seen.original is None else seen.original.comments
        now = () if seen.current is None else seen.current.comments
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


def _fit(author: str, text: str, args: CommentExists) -> float:
    conditions = [1.0] if args.text is None else [share_found(text, args.text, match_case=False)]
    if args.author is not None and any(conditions):
        conditions.append(float(folded(author) == folded(args.author)))
    return sum(conditions) / len(conditions)


def _meant(slide: Slide | None, text: str | None) -> list[Comment]:
    comments = slide.comments if slide is not None else ()
    return [each for each in comments if text is None or folded(text) in folded(each.text)]

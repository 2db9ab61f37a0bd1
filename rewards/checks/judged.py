"""Checks that a model judges, where a judge is configured; otherwise they are not judged.

A model is never asked about a deck, or a slide, that did not change: the answer is known then.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import SlideArgs, SlideView, View
from pptarena.rewards.judges.protocol import Judge, SlidePair, SlideQuestion, TextQuestion, Verdict


@dataclass(frozen=True, kw_only=True)
class QuestionArgs(SlideArgs):
    """A question about slides.

    Attributes:
        question: What is asked; the answer is the share of it that is true now, from 0 to 1.
        goal: Whether it asks for something that was to be done: then slides without any change
            score 0, otherwise 1.
    """

    question: str
    goal: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.question.strip():
            raise ValueError("expected a question that is not empty")

    @property
    def if_unchanged(self) -> float:
        """Score where nothing changed."""
        return 0.0 if self.goal else 1.0


@check("judge")
def judge(view: View, args: QuestionArgs) -> CheckResult:
    """Ask about the facts of slides."""
    asked = _require_judge(view)
    slides, changes = view.slides(args), diff_matched(view.match)
    if args.slides != "all":
        changes = _of(changes, slides)
    if not changes:
        return CheckResult(args.if_unchanged, "nothing changed there")
    if args.slides == "all":
        slides = _touched(view, changes)
    before = tuple(seen.original for seen in slides if seen.original is not None)
    now = tuple(seen.current for seen in slides if seen.current is not None)
    return _result(asked.judge_text(TextQuestion(args.question, changes, before, now)))


@check("visual_judge")
def visual_judge(view: View, args: QuestionArgs) -> CheckResult:
    """Ask about the looks of slides, one by one; the score is their mean.

    With ``"slides": "all"`` only slides that look different now count.
    """
    asked = _require_judge(view)
    slides, changes = view.slides(args), diff_matched(view.match)
    if not changes:
        return CheckResult(args.if_unchanged, "nothing in the deck changed")
    if args.slides == "all":
        slides = [seen for seen in _touched(view, changes) if seen.current is not None]
        if not slides:
            return CheckResult(args.if_unchanged, "no slide changed that is still there")
    pairs = tuple(
        SlidePair(
            seen.label,
            None if seen.original is None else seen.original.index,
            None if seen.current is None else seen.current.index,
        )
        for seen in slides
    )
    question = SlideQuestion(args.question, pairs, args.if_unchanged, args.slides == "all")
    return _result(asked.judge_slides(question))


def _require_judge(view: View) -> Judge:
    if view.judge is None:
        raise UnscoredError("no judge is configured")
    return view.judge


def _of(changes: Iterable[Change], slides: Iterable[SlideView]) -> tuple[Change, ...]:
    """Return the changes of some slides, among them that they came or went."""
    before = {seen.original.index + 1 for seen in slides if seen.original is not None}
    now = {seen.current.index + 1 for seen in slides if seen.current is not None}
    return tuple(each for each in changes if each.slide in before or each.slide_now in now)


def _touched(view: View, changes: Iterable[Change]) -> list[SlideView]:
    """Return the slides that changed, each once: those of the original first, then new ones."""
    found: dict[tuple[int | None, int | None], SlideView] = {}
    for change in changes:
        if change.slide is not None:
            before = view.original_slide(change.slide)
            now = view.current_of(before)
            found[change.slide, None] = SlideView(f"slide {change.slide}", before, now)
        elif change.slide_now is not None:
            now = view.current.slides[change.slide_now - 1]
            found[None, change.slide_now] = SlideView(f"new slide {change.slide_now}", None, now)
    return list(found.values())


def _result(verdict: Verdict) -> CheckResult:
    if not 0.0 <= verdict.score <= 1.0:
        raise UnscoredError(f"the judge gave {verdict.score}, expected a score from 0 to 1")
    return CheckResult(verdict.score, verdict.reason)

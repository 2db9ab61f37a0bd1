"""Checks that a model or a program of the rubric judges.

Without a configured judge they are unscored. A model is never asked about a deck or slide that did
not change, because the answer is known.
"""

from collections.abc import Iterable
from functools import partial

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Code, Question
from pptarena.rewards.checking.registry import deck_check, slides_check
from pptarena.rewards.checking.result import CheckResult
from pptarena.rewards.checking.view import SlidePair, Slides, View
from pptarena.rewards.judges.protocol import (
    EditQuestion,
    Judge,
    PythonLeaf,
    SlideQuestion,
    TextQuestion,
    Verdict,
)
from pptarena.rewards.judges.protocol import SlidePair as ShownPair


@slides_check()
def judge(slides: Slides, question: Question, goal: bool = True) -> CheckResult:
    """Ask a model about the changes on slides and the facts of the slides before and after.

    With `"slides": "all"`, the model receives the slides that changed.
    """
    model = _require_judge(slides.view)
    pairs, changes = list(slides), diff_matched(slides.view.match)
    if slides.address.slides != "all":
        changes = _changes_on_slides(changes, pairs)
    if not changes:
        return CheckResult(float(not goal), "nothing changed there")
    if slides.address.slides == "all":
        pairs = _changed_slides(slides, changes)
    before = tuple(pair.before for pair in pairs if pair.before is not None)
    now = tuple(pair.now for pair in pairs if pair.now is not None)
    return _result(model.judge_text(TextQuestion(question, changes, before, now)))


@slides_check()
def visual_judge(slides: Slides, question: Question, goal: bool = True) -> CheckResult:
    """Ask a model about pictures of each slide before and after; the score is the mean.

    With `"slides": "all"`, only slides that look different now count.
    """
    model = _require_judge(slides.view)
    pairs, changes = list(slides), diff_matched(slides.view.match)
    if not changes:
        return CheckResult(float(not goal), "nothing in the deck changed")
    all_slides = slides.address.slides == "all"
    if all_slides:
        pairs = [pair for pair in _changed_slides(slides, changes) if pair.now is not None]
        if not pairs:
            return CheckResult(float(not goal), "no slide changed that is still there")
    slide_pairs = tuple(
        ShownPair(
            pair.label,
            None if pair.before is None else pair.before.index,
            None if pair.now is None else pair.now.index,
        )
        for pair in pairs
    )
    return _result(
        model.judge_slides(SlideQuestion(question, slide_pairs, float(not goal), all_slides))
    )


@deck_check()
def edit_judge(view: View, instruction: Question, style: str = "") -> CheckResult:
    """Ask two models about the entire edit: one about the instruction, one about the appearance.

    One model receives the changes as facts, the other receives pictures of slides that look
    different. Neither model receives the other's input. Following the instruction counts fully; the
    appearance costs up to half of the score. With ``style``, both models receive a description of a
    right result.
    """
    model = _require_judge(view)
    if not diff_matched(view.match):
        return CheckResult(0.0, "nothing in the deck changed")
    return _result(model.judge_edit(EditQuestion(instruction, style)))


def _require_judge(view: View) -> Judge:
    if view.judge is None:
        raise UnscoredError("no judge is configured")
    return view.judge


def _changes_on_slides(changes: Iterable[Change], pairs: Iterable[SlidePair]) -> tuple[Change, ...]:
    """Return the changes of some slides, including their addition or removal."""
    before = {pair.before.index + 1 for pair in pairs if pair.before is not None}
    now = {pair.now.index + 1 for pair in pairs if pair.now is not None}
    return tuple(each for each in changes if each.slide in before or each.slide_now in now)


def _changed_slides(slides: Slides, changes: Iterable[Change]) -> list[SlidePair]:
    """Return each changed slide once: slides of the original first, then new ones."""
    view = slides.view
    pair = partial(SlidePair, view, slides.address)
    touched: dict[tuple[int | None, int | None], SlidePair] = {}
    for change in changes:
        at, now_at = change.slide, change.slide_now
        if at is not None:
            before = view.original_slide(at)
            touched[at, None] = pair(f"slide {at}", before, view.current_of(before))
        elif now_at is not None:
            now = view.current.slides[now_at - 1]
            touched[None, now_at] = pair(f"new slide {now_at}", None, now)
    return list(touched.values())


def _result(verdict: Verdict) -> CheckResult:
    if not 0.0 <= verdict.score <= 1.0:
        raise UnscoredError(f"the judge gave {verdict.score}, expected a score from 0 to 1")
    return CheckResult(verdict.score, verdict.reason)


# No goal check: imported leaves score as published, on the deck as it is now.
@deck_check(is_goal=False)
def python(view: View, code: Code, pictures: bool = False) -> CheckResult:
    """Measure with a program of the rubric, which returns the score.

    The code defines `compute_score()`, which returns a reason and a score from 0 to 1. It may
    import modules and define other functions first.

    Args:
        pictures: Whether the program receives pictures of the slides.
    """
    if view.leaves is None:
        raise UnscoredError(
            "Python leaves run only on request: pass leaves=PythonLeaves(...) to score"
        )
    verdict = view.leaves.run_leaf(PythonLeaf(code, pictures))
    if not 0.0 <= verdict.score <= 1.0:
        raise UnscoredError(f"the leaf gave {verdict.score}, expected a score from 0 to 1")
    return CheckResult(float(verdict.score), verdict.reason)

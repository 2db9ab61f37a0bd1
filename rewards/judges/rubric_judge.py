"""Judge of rubric leaves, for one pair of decks."""

from functools import cached_property

from pptarena.decks import read_deck
from pptarena.decks.visibility.pictures import Screening
from pptarena.errors import JudgeError
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.looking import ShownSlide, look_at, render_deck
from pptarena.rewards.judges.prompts import looks_prompt, question_prompt
from pptarena.rewards.judges.protocol import (
    EditJudge,
    EditQuestion,
    SlideQuestion,
    SlideRenderer,
    TextQuestion,
    Verdict,
)
from pptarena.rewards.judges.replies import Share, verdict_parser

__all__ = ["RubricJudge"]

_NAMED = 3


class RubricJudge:
    """Answers the leaves ``judge``, ``visual_judge`` and ``edit_judge`` of a rubric with a model.

    Args:
        client: Client of the model.
        original: The original .pptx file, as saved unchanged by the application.
        current: The current .pptx file.
        renderer: Renders slides; without it leaves about appearance are unscored.
        edits: Judge of entire edits; without it leaves about them are unscored.

    Example::

        with JudgeClient(config) as client:
            judge = RubricJudge(client, before, after, renderer)
            tree = score(rubric, read_deck(before), read_deck(after), scope, judge)
    """

    def __init__(
        self,
        client: JudgeClient,
        original: bytes,
        current: bytes,
        renderer: SlideRenderer | None = None,
        edits: EditJudge | None = None,
    ) -> None:
        self._client = client
        self._files = original, current
        self._renderer = renderer
        self._screening = Screening()  # slides that render as before are not sent to the model
        self._edits = edits

    def judge_text(self, question: TextQuestion) -> Verdict:
        """Answer a question about facts.

        Raises:
            JudgeError: If there is no valid reply.
        """
        return self._client.ask(question_prompt(question), verdict_parser(Share))

    def judge_slides(self, question: SlideQuestion) -> Verdict:
        """Answer a question about appearance; the score is the mean over its slides.

        A removed slide scores 0. A slide that renders as before scores `question.if_unchanged`.

        Raises:
            JudgeError: If there is no valid reply for every slide.
        """
        verdicts: dict[str, Verdict] = {}
        shown = []
        for pair in question.slides:
            if pair.after is None:
                verdicts[pair.label] = Verdict(0.0, "is not there any more")
                continue
            before, after = self._pictures
            first = None if pair.before is None else before[pair.before]
            slide = ShownSlide(pair.label, first, after[pair.after])
            if first is None or not self._screening.same(first, slide.second):
                shown.append(slide)
            elif not question.skip_unchanged:
                verdicts[pair.label] = Verdict(question.if_unchanged, "looks as before")
        verdicts |= look_at(self._client, shown, looks_prompt(question.question), Share)
        if not verdicts:
            return Verdict(question.if_unchanged, "all slides look as before")
        return _mean(verdicts)

    def judge_edit(self, question: EditQuestion) -> Verdict:
        """Answer a question about the entire edit.

        Raises:
            JudgeError: If there is no valid reply.
        """
        if self._edits is None:
            raise JudgeError("no judge of whole edits is configured")
        found = self._edits.judge(question.instruction, *self._files, style_target=question.style)
        return Verdict(found.score, found.reason)

    @cached_property
    def _pictures(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        if self._renderer is None:
            raise JudgeError("no renderer of slides is configured")
        before, after = (
            render_deck(self._renderer, file, len(read_deck(file).slides)) for file in self._files
        )
        return before, after


def _mean(verdicts: dict[str, Verdict]) -> Verdict:
    value = sum(each.score for each in verdicts.values()) / len(verdicts)
    if len(verdicts) == 1:
        ((label, only),) = verdicts.items()
        return Verdict(value, f"{label}: {only.reason}")
    worst = sorted(verdicts.items(), key=lambda item: item[1].score)[:_NAMED]
    named = "; ".join(f"{label} ({each.score:.2f}): {each.reason}" for label, each in worst)
    return Verdict(value, f"mean of {len(verdicts)} slides; {named}")

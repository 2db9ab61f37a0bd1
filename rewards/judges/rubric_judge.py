"""Judge of rubric leaves, requests about rendered slides, and reasons written by a model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pptarena.decks import read_deck
from pptarena.decks.visibility.slide_images import Screening
from pptarena.errors import JudgeError, PPTArenaError
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompts import DATA_RULE, appearance_prompt, question_prompt
from pptarena.rewards.judges.protocol import (
    EditJudge,
    EditQuestion,
    Prompt,
    SlideQuestion,
    SlideRenderer,
    TextQuestion,
    Verdict,
    fence,
)
from pptarena.rewards.judges.replies import Share, reasons_parser, slides_parser, verdict_parser
from pptarena.rewards.scored_tree import ScoredNode

__all__ = [
    "ImageLabels",
    "RubricJudge",
    "SlideImages",
    "explain",
    "judge_slide_images",
    "render_deck",
]


_MAX_NAMED = 3


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
        slides_to_judge = []
        for pair in question.slides:
            if pair.after is None:
                verdicts[pair.label] = Verdict(0.0, "was removed")
                continue
            before, after = self._images
            first = None if pair.before is None else before[pair.before]
            slide = SlideImages(pair.label, first, after[pair.after])
            if first is None or not self._screening.same(first, slide.second):
                slides_to_judge.append(slide)
            elif not question.skip_unchanged:
                verdicts[pair.label] = Verdict(question.if_unchanged, "renders as before")
        verdicts |= judge_slide_images(
            self._client, slides_to_judge, appearance_prompt(question.question), Share
        )
        if not verdicts:
            return Verdict(question.if_unchanged, "all slides render as before")
        return _mean_verdict(verdicts)

    def judge_edit(self, question: EditQuestion) -> Verdict:
        """Answer a question about the entire edit.

        Raises:
            JudgeError: If there is no valid reply.
        """
        if self._edits is None:
            raise JudgeError("no judge of entire edits is configured")
        verdict = self._edits.judge(question.instruction, *self._files, style_target=question.style)
        return Verdict(verdict.score, verdict.reason)

    @cached_property
    def _images(self) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
        if self._renderer is None:
            raise JudgeError("no renderer of slides is configured")
        before, after = (
            render_deck(self._renderer, file, len(read_deck(file).slides)) for file in self._files
        )
        return before, after


def _mean_verdict(verdicts: dict[str, Verdict]) -> Verdict:
    value = sum(each.score for each in verdicts.values()) / len(verdicts)
    if len(verdicts) == 1:
        ((label, only),) = verdicts.items()
        return Verdict(value, f"{label}: {only.reason}")
    worst = sorted(verdicts.items(), key=lambda item: item[1].score)[:_MAX_NAMED]
    reasons = "; ".join(f"{label} ({each.score:.2f}): {each.reason}" for label, each in worst)
    return Verdict(value, f"mean of {len(verdicts)} slides; {reasons}")


_SLIDES_PER_CALL = 5


@dataclass(frozen=True, slots=True)
class ImageLabels:
    """Labels of the two images of a slide."""

    first: str = "before the edit"
    second: str = "after the edit"


@dataclass(frozen=True, slots=True)
class SlideImages:
    """A slide to judge.

    Attributes:
        label: Identifier in the reply.
        first: PNG file for comparison; None if there is none.
        second: PNG file to judge.
    """

    label: str
    first: bytes | None
    second: bytes

    def parts(self, labels: ImageLabels) -> tuple[str | bytes, ...]:
        """Return the images with their labels, as parts of a prompt."""
        name = f"Slide {json.dumps(self.label)}, "
        if self.first is None:
            return f"{name}{labels.second}, a new slide (judge this one):", self.second
        second = f"{name}{labels.second} (judge this one):"
        return f"{name}{labels.first}:", self.first, second, self.second


def render_deck(renderer: SlideRenderer, deck: bytes, slide_count: int) -> tuple[bytes, ...]:
    """Return a PNG file of every slide of a .pptx file with `slide_count` slides.

    Raises:
        JudgeError: If rendering fails, or yields another number of slides.
    """
    try:
        images = renderer.render(deck)
    except PPTArenaError as error:
        raise JudgeError(f"the slides cannot be rendered: {error}") from error
    if len(images) != slide_count:
        raise JudgeError(f"expected pictures of {slide_count} slides, got {len(images)}")
    return images


def judge_slide_images(
    client: JudgeClient,
    slides: Sequence[SlideImages],
    beginning: Prompt,
    scale: Any,
    labels: ImageLabels | None = None,
) -> dict[str, Verdict]:
    """Return a verdict on each slide by label, with up to five slides per request.

    Args:
        client: Client of the model.
        slides: The slides.
        beginning: The question, to which the images are appended.
        scale: Type of the scores, such as `Share`.
        labels: Labels of the two images of a slide.

    Raises:
        JudgeError: If there is no valid reply for every slide.
    """
    verdicts: dict[str, Verdict] = {}
    for start in range(0, len(slides), _SLIDES_PER_CALL):
        batch = slides[start : start + _SLIDES_PER_CALL]
        image_parts = (part for slide in batch for part in slide.parts(labels or ImageLabels()))
        prompt = Prompt(beginning.system, (*beginning.parts, *image_parts))
        verdicts |= client.ask(prompt, slides_parser([slide.label for slide in batch], scale))
    return verdicts


_MAX_PARENTS = 40

_EXPLAIN_RULES = """\
You explain the score of an edited slide deck to the person who edited it. You get the instruction
and the scored rubric as a tree: each node has a place, a name, a score from 0 to 1 (null: it could
not be judged), whether its parent stands and falls with it, and a reason.
For each of the places you are asked for, say in one or two plain sentences what was done, what is
missing and what that cost. Say only what the nodes beneath that place say. Do not judge anew, and
do not give scores of your own."""

_EXPLAIN_FORM = """\
Answer with one JSON object and nothing else, with one item for each place you are asked for:
{"reasons": [{"place": "<the place>", "reason": "<one or two sentences>"}, ...]}"""


def explain(client: JudgeClient, instruction: str, tree: ScoredNode) -> ScoredNode:
    """Return the tree with reasons for its parents written by a model.

    Leaves keep the reasons of their checks, and no score changes. A tree with a single leaf is
    returned unchanged, without a request.

    Args:
        client: Client of the model.
        instruction: The instruction that the agent received.
        tree: The scored tree.

    Raises:
        JudgeError: If there is no valid reply.
    """
    locations = [location for location, node in tree.walk() if node.children][:_MAX_PARENTS]
    if not locations:
        return tree
    parts = (
        f"Instruction: {instruction.strip()}",
        fence("TREE", [_node_facts(location, node) for location, node in tree.walk()]),
        f"Places to explain: {', '.join(locations)}",
    )
    prompt = Prompt(f"{_EXPLAIN_RULES}\n\n{DATA_RULE}\n\n{_EXPLAIN_FORM}", parts)
    return _with_reasons(tree, "root", client.ask(prompt, reasons_parser(locations)))


def _node_facts(location: str, node: ScoredNode) -> dict[str, Any]:
    return {
        "place": location,
        "name": node.name,
        "critical": node.critical,
        "score": None if node.score is None else round(node.score, 3),
        "reason": node.reason,
    }


def _with_reasons(node: ScoredNode, location: str, reasons: Mapping[str, str]) -> ScoredNode:
    children = tuple(
        _with_reasons(child, f"{location}/children/{index}", reasons)
        for index, child in enumerate(node.children)
    )
    return replace(node, reason=reasons.get(location, node.reason), children=children)

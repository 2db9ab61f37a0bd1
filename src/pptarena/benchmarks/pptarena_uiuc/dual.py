"""The dual judge: instruction following from facts, visual quality from pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from pptarena.benchmarks.pptarena_uiuc.prompts import (
    instruction_prompt,
    looks_prompt,
    single_prompt,
)
from pptarena.benchmarks.pptarena_uiuc.verdict import DualVerdict, SlideRating, VisualRating
from pptarena.decks import Deck, read_deck
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.outline import slide_list
from pptarena.decks.visibility.pictures import Screening
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.protocol import Prompt, SlideRenderer, Verdict, fence
from pptarena.rewards.judges.replies import slides_parser, two_scores_parser, verdict_parser
from pptarena.rewards.judges.rubric_judge import Labels, ShownSlide, look_at, render_deck

__all__ = ["EVIDENCE", "DualJudge", "Evidence"]

Evidence = Literal["dual", "no-diffs", "no-pictures", "single", "pictures"]
EVIDENCE: Final[tuple[Evidence, ...]] = ("dual", "no-diffs", "no-pictures", "single", "pictures")
"""What judges get: each its own evidence; the same without the list of changes, or with facts in
place of pictures; or one judge of both scores, with all evidence or with pictures alone."""

_BEST = 5.0
_MAX_SHOWN = 10  # slides that a single judge gets in one request
_Stars = Annotated[int, Field(ge=0, le=5)]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A deck with its rendered slides."""

    deck: Deck
    pictures: tuple[bytes, ...]


class DualJudge:
    """Two judges of one edit that do not see each other's evidence.

    One judge gets the instruction and the changes as facts, without pictures; the other gets
    pictures, without facts. The split, the scales from 0 to 5, the screening by structural
    similarity and the batches of five slides follow the PPTArena paper on editing, section 3.3 and
    appendix E.2. The prompts are our own, and three rules differ because the published pipeline
    rewards inaction:

    - A deck without changes scores 0 and 0, without a model call. In the original, no difference
      from the reference scored 5, and the original deck served as the reference.
    - Unchanged slides are excluded from the mean instead of counting 5 each.
    - Visual quality earns nothing if the instruction was not followed; see `DualVerdict.score`.

    Args:
        client: Model client.
        renderer: Renders slides.
        screening: Decides whether two slides look the same.
        evidence: One of `EVIDENCE`; other values than ``"dual"`` are ablations of the paper.
    """

    def __init__(
        self,
        client: JudgeClient,
        renderer: SlideRenderer,
        screening: Screening | None = None,
        evidence: Evidence = "dual",
    ) -> None:
        self._client = client
        self._renderer = renderer
        self._screening = screening or Screening()
        self._evidence = evidence

    def judge(
        self,
        instruction: str,
        original: bytes,
        current: bytes,
        *,
        style_target: str = "",
        reference: bytes | None = None,
    ) -> DualVerdict:
        """Judge an edit.

        Args:
            instruction: The instruction.
            original: The original .pptx file, saved unchanged by the application.
            current: The edited .pptx file.
            style_target: Description of a correct result.
            reference: A .pptx file that is one correct result.

        Raises:
            DeckError: If a deck cannot be read.
            JudgeError: If the model returns no valid answer; then neither half has a score.
        """
        before, after = read_deck(original), read_deck(current)
        match = match_decks(before, after)
        if not diff_matched(match):
            nothing = Verdict(0.0, "nothing in the deck changed")
            return DualVerdict(nothing, VisualRating(0.0, ()))
        truth = None if reference is None else read_deck(reference)
        if self._evidence in ("single", "pictures"):
            shown = self._show(before, original), self._show(after, current)
            return self._single(instruction, style_target, match, *shown)
        following = self._instruction(instruction, style_target, match, truth)
        old, new = self._show(before, original), self._show(after, current)
        if truth is None or reference is None or self._evidence == "no-pictures":
            visual = self._looks(instruction, style_target, old, new)
        else:
            target = self._show(truth, reference)
            visual = self._looks_like(instruction, style_target, old, new, target)
        return DualVerdict(following, visual)

    def _instruction(
        self, instruction: str, style_target: str, match: DeckMatch, truth: Deck | None
    ) -> Verdict:
        changes = diff_matched(match)
        reference = None
        if truth is not None:
            wanted = diff_matched(match_decks(match.original, truth))
            rest = diff_matched(match_decks(truth, match.current))
            if not rest:
                return Verdict(_BEST, "the deck is as the reference in every fact")
            reference = wanted, rest
        numbers = sorted({each.slide_now for each in changes if each.slide_now is not None})
        touched = [match.current.slides[number - 1] for number in numbers]
        earlier = None
        if self._evidence == "no-diffs":
            old = sorted({each.slide for each in changes if each.slide is not None})
            earlier = [match.original.slides[number - 1] for number in old]
        prompt = instruction_prompt(instruction, style_target, changes, touched, reference, earlier)
        return self._client.ask(prompt, verdict_parser(_Stars))

    def _single(
        self, instruction: str, style_target: str, match: DeckMatch, old: _Shown, new: _Shown
    ) -> DualVerdict:
        """Ask one judge for both scores, with the slides that look different."""
        facts = None
        if self._evidence == "single":
            changes = diff_matched(match)
            numbers = sorted({each.slide_now for each in changes if each.slide_now is not None})
            facts = changes, [match.current.slides[number - 1] for number in numbers]
        beginning = single_prompt(instruction, style_target, facts)
        shown = self._different(old, new)
        parts = (part for slide in shown[:_MAX_SHOWN] for part in slide.parts(Labels()))
        prompt = Prompt(beginning.system, (*beginning.parts, *parts))
        following, visual = self._client.ask(prompt, two_scores_parser(_Stars))
        rating = SlideRating("all", visual.score, visual.reason)
        return DualVerdict(following, VisualRating(visual.score, (rating,)) if shown else None)

    def _show(self, deck: Deck, file: bytes) -> _Shown:
        return _Shown(deck, render_deck(self._renderer, file, len(deck.slides)))

    def _looks(
        self, instruction: str, style_target: str, old: _Shown, new: _Shown
    ) -> VisualRating | None:
        """Rate the slides that look different from the original."""
        shown = self._different(old, new)
        if self._evidence == "no-pictures":
            return self._rate_facts(shown, old.deck, new.deck, instruction, style_target)
        return self._rate(shown, Labels(), instruction, style_target, ())

    def _different(self, old: _Shown, new: _Shown) -> list[ShownSlide]:
        """Return the slides of the current deck that look different from the original."""
        shown = []
        for index, was in _pairs(old.deck, new.deck):
            if index is None:  # deleted: the facts cover it, and there is no picture
                continue
            first = None if was is None else old.pictures[was]
            slide = ShownSlide(f"{index + 1}", first, new.pictures[index])
            if first is None or not self._screening.same(first, slide.second):
                shown.append(slide)
        return shown

    def _rate_facts(
        self,
        shown: list[ShownSlide],
        original: Deck,
        current: Deck,
        instruction: str,
        style_target: str,
    ) -> VisualRating | None:
        """Rate slides by facts about them instead of pictures."""
        if not shown:
            return None
        origin = match_decks(original, current).to_original
        numbers = [int(slide.label) - 1 for slide in shown[:_MAX_SHOWN]]
        earlier = [original.slides[origin[number]] for number in numbers if number in origin]
        beginning = looks_prompt(instruction, style_target, pictures=False)
        parts = (
            fence("BEFORE", slide_list(earlier)),
            fence("AFTER", slide_list([current.slides[number] for number in numbers])),
            f"Slides to judge: {', '.join(slide.label for slide in shown[:_MAX_SHOWN])}",
        )
        labels = [slide.label for slide in shown[:_MAX_SHOWN]]
        prompt = Prompt(beginning.system, (*beginning.parts, *parts))
        found = self._client.ask(prompt, slides_parser(labels, _Stars))
        slides = tuple(SlideRating(name, each.score, each.reason) for name, each in found.items())
        return VisualRating(sum(slide.score for slide in slides) / len(slides), slides)

    def _looks_like(
        self, instruction: str, style_target: str, old: _Shown, new: _Shown, target: _Shown
    ) -> VisualRating | None:
        """Rate the slides that look different from the reference, or had to change to match it.

        A slide that matches the reference scores 5 if it changed, and is excluded if neither the
        edit nor the reference changed it. A missing slide of the reference scores 0.
        """
        origin = match_decks(old.deck, new.deck).to_original
        shown, settled = [], []
        for index, wanted in _pairs(target.deck, new.deck):
            if index is None:
                label = f"{(wanted or 0) + 1} of the reference"
                settled.append(SlideRating(label, 0.0, "is missing", judged=False))
                continue
            picture = new.pictures[index]
            was = origin.get(index)
            touched = was is None or not self._screening.same(old.pictures[was], picture)
            if wanted is None:
                if touched:
                    shown.append(ShownSlide(f"{index + 1}", None, picture))
            elif not self._screening.same(target.pictures[wanted], picture):
                shown.append(ShownSlide(f"{index + 1}", target.pictures[wanted], picture))
            elif touched:
                reason = "looks as in the reference"
                settled.append(SlideRating(f"{index + 1}", _BEST, reason, judged=False))
        labels = Labels("the reference, one right result", "the result")
        return self._rate(shown, labels, instruction, style_target, tuple(settled))

    def _rate(
        self,
        shown: list[ShownSlide],
        labels: Labels,
        instruction: str,
        style_target: str,
        settled: tuple[SlideRating, ...],
    ) -> VisualRating | None:
        beginning = looks_prompt(instruction, style_target)
        found = look_at(self._client, shown, beginning, _Stars, labels)
        rated = [SlideRating(name, each.score, each.reason) for name, each in found.items()]
        slides = (*settled, *rated)
        if not slides:
            return None
        return VisualRating(sum(slide.score for slide in slides) / len(slides), slides)


def _pairs(before: Deck, after: Deck) -> Iterator[tuple[int | None, int | None]]:
    """Yield current and original index of every slide; None where the slide does not exist."""
    match = match_decks(before, after)
    for slide in after.slides:
        yield slide.index, match.to_original.get(slide.index)
    yield from ((None, index) for index in match.removed)

"""The dual judge: instruction following from facts, visual quality from pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from pptarena.benchmarks.pptarena_uiuc.prompts import (
    instruction_prompt,
    single_prompt,
    visual_prompt,
)
from pptarena.benchmarks.pptarena_uiuc.verdict import DualVerdict, SlideRating, VisualRating
from pptarena.decks import Deck, read_deck
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.outline import slide_list
from pptarena.decks.visibility.slide_images import Screening
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.protocol import Prompt, SlideRenderer, Verdict, fence
from pptarena.rewards.judges.replies import slides_parser, two_scores_parser, verdict_parser
from pptarena.rewards.judges.rubric_judge import (
    ImageLabels,
    SlideImages,
    judge_slide_images,
    render_deck,
)

__all__ = ["EVIDENCE", "DualJudge", "Evidence"]

Evidence = Literal["dual", "no-diffs", "no-pictures", "single", "pictures"]
EVIDENCE: Final[tuple[Evidence, ...]] = ("dual", "no-diffs", "no-pictures", "single", "pictures")
"""The evidence of the judges. ``dual``: each judge has its own evidence; ``no-diffs``: without the
list of changes; ``no-pictures``: facts instead of pictures. ``single`` and ``pictures``: one judge
gives both scores, with all evidence or with pictures only."""

_BEST = 5.0
_MAX_SLIDES = 10  # slides that a single judge gets in one request
_Stars = Annotated[int, Field(ge=0, le=5)]


@dataclass(frozen=True, slots=True)
class _RenderedDeck:
    """A deck with its rendered slides."""

    deck: Deck
    pictures: tuple[bytes, ...]


class DualJudge:
    """Two judges of one edit, each without access to the other's evidence.

    One judge gets the instruction and the changes as facts, without pictures; the other gets
    pictures, without facts. The split, the scales from 0 to 5, the screening by structural
    similarity and the batches of five slides follow the PPTArena paper on editing, section 3.3 and
    appendix E.2. The prompts are our own, and three rules differ because the published pipeline
    rewards inaction:

    - A deck without changes scores 0 in both, without a model call. In the original, no difference
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
            unchanged = Verdict(0.0, "nothing in the deck changed")
            return DualVerdict(unchanged, VisualRating(0.0, ()))
        reference_deck = None if reference is None else read_deck(reference)
        if self._evidence in ("single", "pictures"):
            rendered = self._render(before, original), self._render(after, current)
            return self._single(instruction, style_target, match, *rendered)
        following = self._instruction(instruction, style_target, match, reference_deck)
        old, new = self._render(before, original), self._render(after, current)
        if reference_deck is None or reference is None or self._evidence == "no-pictures":
            visual = self._rate_changes(instruction, style_target, old, new)
        else:
            target = self._render(reference_deck, reference)
            visual = self._rate_against_reference(instruction, style_target, old, new, target)
        return DualVerdict(following, visual)

    def _instruction(
        self, instruction: str, style_target: str, match: DeckMatch, reference_deck: Deck | None
    ) -> Verdict:
        changes = diff_matched(match)
        reference = None
        if reference_deck is not None:
            reference_changes = diff_matched(match_decks(match.original, reference_deck))
            differences = diff_matched(match_decks(reference_deck, match.current))
            if not differences:
                return Verdict(_BEST, "the deck is as the reference in every fact")
            reference = reference_changes, differences
        numbers = sorted({change.slide_now for change in changes if change.slide_now is not None})
        changed_slides = [match.current.slides[number - 1] for number in numbers]
        original_slides = None
        if self._evidence == "no-diffs":
            original_numbers = sorted(
                {change.slide for change in changes if change.slide is not None}
            )
            original_slides = [match.original.slides[number - 1] for number in original_numbers]
        prompt = instruction_prompt(
            instruction, style_target, changes, changed_slides, reference, original_slides
        )
        return self._client.ask(prompt, verdict_parser(_Stars))

    def _single(
        self,
        instruction: str,
        style_target: str,
        match: DeckMatch,
        old: _RenderedDeck,
        new: _RenderedDeck,
    ) -> DualVerdict:
        """Ask one judge for both scores, with the slides that look different."""
        facts = None
        if self._evidence == "single":
            changes = diff_matched(match)
            numbers = sorted(
                {change.slide_now for change in changes if change.slide_now is not None}
            )
            facts = changes, [match.current.slides[number - 1] for number in numbers]
        base = single_prompt(instruction, style_target, facts)
        slides = self._visibly_changed(old, new)
        parts = (part for slide in slides[:_MAX_SLIDES] for part in slide.parts(ImageLabels()))
        prompt = Prompt(base.system, (*base.parts, *parts))
        following, visual = self._client.ask(prompt, two_scores_parser(_Stars))
        rating = SlideRating("all", visual.score, visual.reason)
        return DualVerdict(following, VisualRating(visual.score, (rating,)) if slides else None)

    def _render(self, deck: Deck, file: bytes) -> _RenderedDeck:
        return _RenderedDeck(deck, render_deck(self._renderer, file, len(deck.slides)))

    def _rate_changes(
        self, instruction: str, style_target: str, old: _RenderedDeck, new: _RenderedDeck
    ) -> VisualRating | None:
        """Rate the slides that look different from the original."""
        slides = self._visibly_changed(old, new)
        if self._evidence == "no-pictures":
            return self._rate_facts(slides, old.deck, new.deck, instruction, style_target)
        return self._rate(slides, ImageLabels(), instruction, style_target, ())

    def _visibly_changed(self, old: _RenderedDeck, new: _RenderedDeck) -> list[SlideImages]:
        """Return the slides of the current deck that look different from the original."""
        slides = []
        for index, original_index in _pairs(old.deck, new.deck):
            if index is None:  # a deleted slide has no picture; the changes list it
                continue
            original_picture = None if original_index is None else old.pictures[original_index]
            slide = SlideImages(f"{index + 1}", original_picture, new.pictures[index])
            if original_picture is None or not self._screening.same(original_picture, slide.second):
                slides.append(slide)
        return slides

    def _rate_facts(
        self,
        slides: list[SlideImages],
        original: Deck,
        current: Deck,
        instruction: str,
        style_target: str,
    ) -> VisualRating | None:
        """Rate slides by facts about them instead of pictures."""
        if not slides:
            return None
        origin = match_decks(original, current).to_original
        numbers = [int(slide.label) - 1 for slide in slides[:_MAX_SLIDES]]
        original_slides = [
            original.slides[origin[number]] for number in numbers if number in origin
        ]
        base = visual_prompt(instruction, style_target, pictures=False)
        parts = (
            fence("BEFORE", slide_list(original_slides)),
            fence("AFTER", slide_list([current.slides[number] for number in numbers])),
            f"Slides to judge: {', '.join(slide.label for slide in slides[:_MAX_SLIDES])}",
        )
        labels = [slide.label for slide in slides[:_MAX_SLIDES]]
        prompt = Prompt(base.system, (*base.parts, *parts))
        verdicts = self._client.ask(prompt, slides_parser(labels, _Stars))
        ratings = tuple(
            SlideRating(name, verdict.score, verdict.reason) for name, verdict in verdicts.items()
        )
        return VisualRating(sum(slide.score for slide in ratings) / len(ratings), ratings)

    def _rate_against_reference(
        self,
        instruction: str,
        style_target: str,
        old: _RenderedDeck,
        new: _RenderedDeck,
        target: _RenderedDeck,
    ) -> VisualRating | None:
        """Rate the slides that look different from the reference, or had to change to match it.

        A slide that matches the reference scores 5 if it changed, and is excluded if neither the
        edit nor the reference changed it. A missing slide of the reference scores 0.
        """
        origin = match_decks(old.deck, new.deck).to_original
        slides, screened = [], []
        for index, target_index in _pairs(target.deck, new.deck):
            if index is None:
                label = f"{(target_index or 0) + 1} of the reference"
                screened.append(SlideRating(label, 0.0, "is missing", judged=False))
                continue
            picture = new.pictures[index]
            original_index = origin.get(index)
            has_changed = original_index is None or not self._screening.same(
                old.pictures[original_index], picture
            )
            if target_index is None:
                if has_changed:
                    slides.append(SlideImages(f"{index + 1}", None, picture))
            elif not self._screening.same(target.pictures[target_index], picture):
                slides.append(SlideImages(f"{index + 1}", target.pictures[target_index], picture))
            elif has_changed:
                reason = "looks as in the reference"
                screened.append(SlideRating(f"{index + 1}", _BEST, reason, judged=False))
        labels = ImageLabels("the reference, one right result", "the result")
        return self._rate(slides, labels, instruction, style_target, tuple(screened))

    def _rate(
        self,
        slides: list[SlideImages],
        labels: ImageLabels,
        instruction: str,
        style_target: str,
        screened: tuple[SlideRating, ...],
    ) -> VisualRating | None:
        base = visual_prompt(instruction, style_target)
        verdicts = judge_slide_images(self._client, slides, base, _Stars, labels)
        rated = [
            SlideRating(name, verdict.score, verdict.reason) for name, verdict in verdicts.items()
        ]
        ratings = (*screened, *rated)
        if not ratings:
            return None
        return VisualRating(sum(slide.score for slide in ratings) / len(ratings), ratings)


def _pairs(before: Deck, after: Deck) -> Iterator[tuple[int | None, int | None]]:
    """Yield current and original index of every slide; None where the slide does not exist."""
    match = match_decks(before, after)
    for slide in after.slides:
        yield slide.index, match.to_original.get(slide.index)
    yield from ((None, index) for index in match.removed)

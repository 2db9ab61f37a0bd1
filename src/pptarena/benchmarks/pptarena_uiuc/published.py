"""The dual judge with the pipeline, fields and scales that the paper publishes, in our words.

Listings 3 to 5 of the PPTArena paper on editing. `DualJudge` is the judge to use for new results:
the published pipeline compares with the reference alone and gives points to an unchanged deck.
"""

from typing import Annotated, Any, Final

from pydantic import Field

from pptarena.benchmarks.pptarena_uiuc.verdict import DualVerdict, SlideRating, VisualRating
from pptarena.decks import read_deck
from pptarena.decks.diff.compare import diff_decks
from pptarena.decks.outline import change_list, slide_list
from pptarena.decks.visibility.slide_images import Screening
from pptarena.errors import JudgeError
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompts import DATA_RULE, trusted
from pptarena.rewards.judges.protocol import Prompt, SlideRenderer, Verdict, fence
from pptarena.rewards.judges.replies import notes_parser, verdict_parser
from pptarena.rewards.judges.rubric_judge import render_deck

__all__ = ["PublishedJudge", "published_style_target"]

_BEST: Final = 5.0
_SLIDES_PER_CALL: Final = 5
_Stars = Annotated[int, Field(ge=0, le=5)]

_SETTING = """\
What you must know:
- The instruction is the user's request, and all that the editor was given.
- The style target is your rubric. The editor has not seen it.
- The ground truth is one valid result. Other valid results are as good."""

_STRICT = """\
Score very strictly: if you hesitate between two neighboring scores, give the lower one."""

_FOLLOWING = f"""\
You are a strict judge of how well an edit of a slide deck follows an instruction.

{_SETTING}
- You get a focused diff: only what differs between the ground truth and the prediction.
- Judge whether the prediction reaches the outcome of the ground truth. Do not compare it with the
  original deck. A diff with little in it is a good sign; "no differences" is a perfect match, 5.

Be flexible about:
- other valid approaches, such as a list instead of rows with the same text
- exact positions and sizes, unless the instruction requires them
- rounding of fonts and sizes within 1 %
Meaning counts: texts, names of fonts, colors, structure. So does the order of overlapping shapes.

{_STRICT}
In translations, summaries and other texts that take reasoning, the same meaning matters more than
the same wording.

5: every requested change is there and exactly right, nothing is missing or misapplied, and nothing
   beyond the instruction was edited
4: all requested changes are there and mostly right; one tiny inaccuracy without effect on meaning
3: most are there, but at least one is incomplete, incorrect or lacks a detail
2: only some are there; notable omissions or wrong applications
1: largely not done, or substantially incorrect
0: the edit contradicts or ignores the instruction

{DATA_RULE}

Answer with one JSON object and nothing else:
{{"instruction_following_score": <whole number from 0 to 5>,
 "instruction_following_reason": "<one sentence with specific evidence that compares the prediction
 with the ground truth>"}}"""

_QUALITY = f"""\
You are a judge of visual quality, content quality and preservation in edited slides.

{_SETTING}
- You get pictures in two labeled sequences, the ground truth and the prediction. Compare them slide
  by slide.
- Judge meaning: are the visual elements right, free of overlap, and legible? Exact positions and
  sizes do not matter unless the instruction requires them.
- Check the visual requirements of the style target strictly.

Be flexible about layouts that achieve the same goal, about small shifts of elements that stay clear
and apart, about theme colors that are slightly different but in harmony, and about alignment that
is not exact to the pixel.

{_STRICT}
Any unintended visual change of content that was not to be changed costs points: fonts, sizes,
colors, positions, shapes, charts, pictures, tables, and the structure of slides.

5: no unintended change; fonts, sizes, colors, positions and objects match the ground truth
4: very close to the ground truth; differences are negligible, and the style has not drifted
3: minor but noticeable differences, such as font weight, size or spacing; the layout holds
2: clear deviations, such as wrong fonts, sizes or colors, shifted elements, small layout faults
1: major deviations, such as overlap, content off the slide or a broken layout, but legible
0: severely broken or illegible

{DATA_RULE}

Answer with one JSON object and nothing else:
{{"visual_quality_score": <whole number from 0 to 5>,
 "visual_quality_reason": "<one sentence with specific evidence of visual differences>"}}"""

_STYLE = f"""\
You write technical instructions for people who edit presentations. You get an original deck and the
ground truth deck, as facts, and nothing else. Write specific instructions that turn the original
into the ground truth, in steps where that helps. Stay with content and structure that the facts
show, and do not mention any prediction.

{DATA_RULE}

Answer with one JSON object and nothing else:
{{"overview_instructions": "<several sentences>", "notes": "<optional remarks>"}}"""


class PublishedJudge:
    """Judges instruction following (IF) and visual quality (VQ) as the paper's pipeline does.

    IF is judged from the differences between target deck and result, VQ from pictures of both.
    Slides that look the same as in the target deck score 5 without a request, like the paper's
    screening by structural similarity. The other slides are judged in batches of five, and each
    slide of a batch has the batch's score. Slides are paired by position.

    Args:
        client: Model client.
        renderer: Renders slides.
        screening: Decides whether two slides look the same.
    """

    def __init__(
        self, client: JudgeClient, renderer: SlideRenderer, screening: Screening | None = None
    ) -> None:
        self._client, self._renderer = client, renderer
        self._screening = screening or Screening()

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
            original: Not used, as in the paper.
            current: The edited .pptx file.
            style_target: Description of a correct result.
            reference: A .pptx file that is one correct result.

        Raises:
            DeckError: If a deck cannot be read.
            JudgeError: If there is no reference, or the model returns no valid answer.
        """
        if reference is None:
            raise JudgeError("the published prompts compare with a target deck; the task has none")
        request_parts = (
            trusted("Instruction", instruction),
            trusted("Style target", style_target or "none"),
        )
        target, result = read_deck(reference), read_deck(current)
        changes = diff_decks(target, result)
        if changes:
            prompt = Prompt(_FOLLOWING, (*request_parts, fence("SMART_DIFF", change_list(changes))))
            parser = verdict_parser(_Stars, "instruction_following_")
            following = self._client.ask(prompt, parser)
        else:
            following = Verdict(_BEST, "no differences from the reference")
        old = render_deck(self._renderer, reference, len(target.slides))
        new = render_deck(self._renderer, current, len(result.slides))
        return DualVerdict(following, self._quality(request_parts, old, new))

    def _quality(
        self, request_parts: tuple[str, ...], target: tuple[bytes, ...], result: tuple[bytes, ...]
    ) -> VisualRating:
        ratings: list[SlideRating] = []
        differing: list[int] = []
        for index in range(max(len(target), len(result))):
            in_both = index < len(target) and index < len(result)
            if in_both and self._screening.same(target[index], result[index]):
                reason = "looks as in the reference"
                ratings.append(SlideRating(f"{index + 1}", _BEST, reason, judged=False))
            else:
                differing.append(index)
        for start in range(0, len(differing), _SLIDES_PER_CALL):
            batch = differing[start : start + _SLIDES_PER_CALL]
            parts: list[str | bytes] = [*request_parts]
            for name, pictures in (("Ground Truth", target), ("Prediction", result)):
                for index in batch:
                    exists = index < len(pictures)
                    parts.append(f"{name}, slide {index + 1}:{'' if exists else ' does not exist'}")
                    parts += [pictures[index]] if exists else []
            verdict = self._client.ask(
                Prompt(_QUALITY, tuple(parts)), verdict_parser(_Stars, "visual_quality_")
            )
            ratings += [
                SlideRating(f"{index + 1}", verdict.score, verdict.reason) for index in batch
            ]
        ratings.sort(key=lambda rating: int(rating.slide))
        return VisualRating(sum(each.score for each in ratings) / len(ratings), tuple(ratings))


def published_style_target(
    client: JudgeClient, instruction: str, original: bytes, reference: bytes | None = None
) -> str:
    """Return a description of a correct result, from original and target deck alone.

    The paper's descriptions were also corrected by people.

    Args:
        client: Client of the model.
        instruction: Not used, as in the paper.
        original: The .pptx file before the edit.
        reference: A .pptx file that is one correct result.

    Raises:
        DeckError: If a deck cannot be read.
        JudgeError: If there is no reference, or no valid reply.
    """
    if reference is None:
        raise JudgeError("the published prompts compare with a target deck; the task has none")
    decks: dict[str, Any] = {"ORIGINAL": original, "GROUND_TRUTH": reference}
    parts = tuple(fence(name, slide_list(read_deck(deck).slides)) for name, deck in decks.items())
    overview, notes = client.ask(Prompt(_STYLE, parts), notes_parser())
    return f"{overview}\n{notes}".strip()

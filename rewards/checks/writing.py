"""Checks of spelling, letter case, and how text is set in its frame."""

from typing import Annotated, Literal

from pydantic import Field

from pptarena.decks import Paragraph, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import normal
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Correction
from pptarena.rewards.checking.compare import near, same, share
from pptarena.rewards.checking.pairs import ShapePair, Slides
from pptarena.rewards.checking.registry import shape_check, slides_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, noted
from pptarena.rewards.checking.values import matching_paragraphs
from pptarena.rewards.checks.text import count_words, text_of

_FRAME = ("anchor", "wrap", "columns", "vertical")


@slides_check("text")
def spelling_fixed(
    slides: Slides,
    corrections: Annotated[tuple[Correction, ...], Field(min_length=1)],
    include_notes: bool = False,
) -> CheckResult:
    """Measure the share of misspelled words that were corrected and are visible.

    Args:
        corrections: Pairs `[wrong, right]` of whole words.
    """

    def count(slide: Slide | None, word: str) -> int:
        return count_words(normal(text_of(slide, include_notes)), word)

    fixed = total = 0
    left = []
    known = [pair for pair in slides if pair.before is not None]
    for wrong, right in corrections:
        before = done = 0
        for pair in known:
            visible = None if pair.now is None else pair.visible
            wrong_before = count(pair.before, wrong)
            gone = wrong_before - count(pair.now, wrong)
            done += max(0, min(gone, count(visible, right) - count(pair.before, right)))
            before += wrong_before
        total += before
        fixed += done
        left += [clip(wrong)] if done < before else []
    if not total:
        raise UnscoredError("the original has none of the misspelled words")
    result = share(fixed, total, "misspelled words are corrected")
    return noted(result, f"still misspelled: {', '.join(left[:5])}")


@shape_check("text", at_least_one=("before_pt", "after_pt", "line_pt"))
def paragraph_spacing(
    pair: ShapePair,
    before_pt: float | None = None,
    after_pt: float | None = None,
    line_pt: float | None = None,
    tolerance_pt: float = 0.6,
    text: str | None = None,
) -> CheckResult:
    """Measure the share of right spacings between paragraphs and lines."""
    results = []
    for each in _paragraphs(pair, pair.after, text):
        what = f"of {clip(each.text)} in pt"
        results += [
            near(f"the space before {what}", each.space_before_pt, before_pt, tolerance_pt),
            near(f"the space after {what}", each.space_after_pt, after_pt, tolerance_pt),
            near(f"the line spacing {what}", each.line_spacing_pt, line_pt, tolerance_pt),
        ]
    return mean_of(results, "distances")


@shape_check("text", "shapes", at_least_one=("autofit", *_FRAME))
def text_frame_is(
    pair: ShapePair,
    anchor: Literal["top", "middle", "bottom"] | None = None,
    autofit: Literal["none", "shape", "text"] | None = None,
    wrap: bool | None = None,
    columns: int | None = None,
    vertical: str | None = None,
) -> CheckResult:
    """Measure the share of right text frame properties of a shape."""
    results = [same(f"the autofit of {pair.label}", pair.after.autofit, autofit)]
    for name, wanted in zip(_FRAME, (anchor, wrap, columns, vertical), strict=True):
        now = getattr(pair.after.frame, name, None)
        results.append(same(f"the {name} setting of {pair.label}", now, wanted))
    return mean_of(results, "properties")


def _paragraphs(pair: ShapePair, shape: Shape, text: str | None) -> list[Paragraph]:
    return needed(matching_paragraphs(shape, text), f"{pair.label} has no matching text")

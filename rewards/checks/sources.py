"""Checks of the sources of a summary."""

from typing import Annotated

from pydantic import Field

from pptarena.decks.match.likeness import words
from pptarena.rewards.checking.pairs import Part
from pptarena.rewards.checking.registry import part_check
from pptarena.rewards.checking.result import CheckResult
from pptarena.rewards.checks.fit import own_text
from pptarena.rewards.relative import OneSlide

_LONG = 4  # letters; shorter words occur on every slide
_ENDING = 3  # letters that may differ: "measures" counts as "measured"


@part_check("text", explain_hidden=True)
def words_from(
    part: Part,
    sources: Annotated[tuple[OneSlide, ...], Field(min_length=1)],
    share: Annotated[float, Field(gt=0, le=1)] = 0.6,
) -> CheckResult:
    """Measure how near the share of words that given slides contain is to the wanted share.

    Words of four or more letters count, and each Chinese or Japanese character. The last three
    letters of a word may differ. Half of the wanted share earns nothing. For an entire slide, a
    footer that the original has does not count.

    Args:
        sources: Slides of the original, by position.
        share: The share that earns full credit.
    """
    text = own_text(part.on) if part.shape is None else part.visible[0].all_text
    long = [word for word in words(text) if _counts(word)]
    if not long:
        return CheckResult(0.0, f"{part.label} has no words to look for")
    known = {
        word[:end]
        for slide in map(part.on.view.original_slide, sources)
        for word in words(slide.text)
        for end in range(min(_LONG, len(word)), len(word) + 1)
    }
    found = sum(_stem(word) in known for word in long) / len(long)
    where = ", ".join(map(str, sources))
    reason = f"{found:.0%} of the words of {part.label} are on slide {where}, {share:.0%} expected"
    return CheckResult(min(1.0, max(0.0, 2 * found / share - 1)), reason)


def _counts(word: str) -> bool:
    return word.isalpha() and (len(word) >= _LONG or (len(word) == 1 and not word.isascii()))


def _stem(word: str) -> str:
    return word[: max(_LONG, len(word) - _ENDING)]

"""What it is worth that the right words stand in a box of their own."""

from collections.abc import Iterable

from pptarena.decks.text_match import folded
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checking.result import CheckResult

__all__ = ["or_in_a_box"]

_OF_THE_WAY = 0.16


def or_in_a_box(
    result: CheckResult, start: float, slide: SlidePair, texts: Iterable[str]
) -> CheckResult:
    """Return a result, or one that says that new boxes on the slide have the words.

    They are on the slide meant and can be read, but in a form that nobody asked for. That is worth
    so little that, less what an added shape costs, it stays below what an attack may gain.

    Args:
        result: What the check finds where the words belong.
        start: What it found there in the original.
        slide: The slide.
        texts: The words that lack; one new box or several have to say them all.
    """
    wanted = [folded(text) for text in texts]
    said = "\n".join(folded(p.text) for s in slide.new_in_view for p in s.paragraphs)
    if slide.before is None or not wanted or not all(text and text in said for text in wanted):
        return result
    score = start + (1 - start) * _OF_THE_WAY
    if score <= result.score:
        return result
    return CheckResult(score, f"{result.reason}; the text is in a separate box")

"""Checks of spelling, letter case, and how text is set in its frame."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from pptarena.decks import Paragraph, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, normal
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.arguments import Correction
from pptarena.rewards.checks.pairs import ShapePair, Slides
from pptarena.rewards.checks.registry import shape_check, slides_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import count_words
from pptarena.rewards.checks.values import matching_paragraphs

_SHORT_WORD = 3
_FRAME = ("anchor", "wrap", "columns", "vertical")


@slides_check("text")
def spelling_fixed(
    slides: Slides,
    corrections: Annotated[tuple[Correction, ...], Field(min_length=1)],
    include_notes: bool = False,
) -> CheckResult:
    """Measure the share of wrong words that became the right ones, where it can be seen.

    Args:
        corrections: Pairs `[wrong, right]` of whole words.
    """

    def read(slide: Slide | None) -> str:
        if slide is None:
            return ""
        return normal(f"{slide.text}\n{slide.notes}" if include_notes else slide.text)

    fixed = total = 0
    open_words = []
    for wrong, right in corrections:
        done, count = 0, 0
        for pair in slides:
            if pair.before is None:
                continue
            before, now = read(pair.before), read(pair.now)
            shown = read(None if pair.now is None else pair.visible)
            olds = count_words(before, wrong), count_words(now, wrong)
            news = count_words(before, right), count_words(shown, right)
            done += max(0, min(olds[0] - olds[1], news[1] - news[0]))
            count += olds[0]
        total += count
        fixed += done
        if done < count:
            open_words.append(clip(wrong))
    if not total:
        raise UnscoredError("the original has none of the wrong words")
    rest = f"; open are {', '.join(open_words[:5])}" if open_words else ""
    return CheckResult(fixed / total, f"{fixed} of {total} wrong words are right now{rest}")


@shape_check("text")
def text_case(
    pair: ShapePair,
    case: Literal["upper", "lower", "title", "sentence"],
    text: str | None = None,
    keep_words: bool = True,
) -> CheckResult:
    """Measure the share of paragraphs whose letters have a case."""
    before = None
    if keep_words and pair.before is not None:
        before = {folded(paragraph.text) for paragraph in pair.before.paragraphs}
    paragraphs = matching_paragraphs(pair.visible, text)
    if not paragraphs:
        return CheckResult(0.0, f"{pair.label} has no such text")
    results = []
    for paragraph in paragraphs:
        same = before is None or folded(paragraph.text) in before
        right = _CASES[case](_shown(paragraph))
        words = "" if same else " or has other words"
        yes, no = f"is in {case} case", f"is not in {case} case{words}"
        shown = clip(paragraph.text)
        results.append(verdict(right and same, f"{shown} {yes}", f"{shown} {no}"))
    return mean_of(results, "paragraphs")


@shape_check("text", at_least_one=("before_pt", "after_pt", "line_pt"))
def paragraph_spacing(
    pair: ShapePair,
    before_pt: float | None = None,
    after_pt: float | None = None,
    line_pt: float | None = None,
    tolerance_pt: float = 0.6,
    text: str | None = None,
) -> CheckResult:
    """Measure the share of right distances between paragraphs and lines."""
    wanted = (
        ("space_before_pt", before_pt),
        ("space_after_pt", after_pt),
        ("line_spacing_pt", line_pt),
    )

    paragraphs = matching_paragraphs(pair.after, text)
    if not paragraphs:
        return CheckResult(0.0, f"{pair.label} has no such text")
    results = []
    for paragraph in paragraphs:
        for name, value in wanted:
            if value is None:
                continue
            found = getattr(paragraph, name)
            right = found is not None and abs(found - value) <= tolerance_pt
            words = name.removesuffix("_pt").replace("_", " ")
            reason = f"{words} of {clip(paragraph.text)} is {found} pt"
            results.append(CheckResult(float(right), reason))
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
    """Measure the share of right properties of how a shape sets its text."""
    frame = pair.after.frame
    results = []
    if autofit is not None:
        found = pair.after.autofit
        reason = f"autofit of {pair.label} is {found}"
        results.append(CheckResult(float(found == autofit), reason))
    for name, wanted in zip(_FRAME, (anchor, wrap, columns, vertical), strict=True):
        if wanted is not None:
            value = None if frame is None else getattr(frame, name)
            reason = f"{name} of {pair.label} is {value}"
            results.append(CheckResult(float(value == wanted), reason))
    return mean_of(results, "properties")


def _shown(paragraph: Paragraph) -> str:
    """Return the letters as they look."""
    return "".join(
        run.text.upper() if run.style.caps == "all" else run.text for run in paragraph.runs
    )


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalpha, word))]


def _first_letter(word: str) -> str:
    return next(filter(str.isalpha, word), "")


def _is_title(text: str) -> bool:
    words = _words(text)
    return (
        bool(words)
        and all(
            _first_letter(word).isupper() or (len(word) <= _SHORT_WORD and number > 0)
            for number, word in enumerate(words)
        )
        and any(map(str.islower, text))
    )


def _is_sentence(text: str) -> bool:
    words = _words(text)
    if not words or not _first_letter(words[0]).isupper():
        return False
    # Names have capitals too, so some of the other words may.
    capitals = sum(_first_letter(word).isupper() for word in words[1:])
    return capitals <= (len(words) - 1) / 2 and not (len(words[0]) > 1 and text.isupper())


_CASES: dict[str, Callable[[str], bool]] = {
    "upper": str.isupper,
    "lower": str.islower,
    "title": _is_title,
    "sentence": _is_sentence,
}

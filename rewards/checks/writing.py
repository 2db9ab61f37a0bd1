"""Checks of spelling, letter case, and how text is set in its frame."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Paragraph, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, normal
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.text import count_words
from pptarena.rewards.checks.values import matching_paragraphs
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, View

_SHORT_WORD = 3
_FRAME = ("anchor", "wrap", "columns", "vertical")


@dataclass(frozen=True, kw_only=True)
class Spelling(SlideArgs):
    """Pairs of a wrong word and the right one."""

    corrections: tuple[tuple[str, ...], ...]
    include_notes: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs_fit = all(
            len(pair) == 2 and normal(pair[0]) and normal(pair[0]) != normal(pair[1])
            for pair in self.corrections
        )
        if not self.corrections or not pairs_fit:
            raise ValueError("expected corrections as pairs [wrong, right] of different words")


@dataclass(frozen=True, kw_only=True)
class LetterCase(ShapeArgs):
    """The case that letters should have; the words themselves stay as they were."""

    case: Literal["upper", "lower", "title", "sentence"]
    text: str | None = None
    keep_words: bool = True


@dataclass(frozen=True, kw_only=True)
class Spacing(ShapeArgs):
    """The distance that paragraphs and lines should have, in points."""

    before_pt: float | None = None
    after_pt: float | None = None
    line_pt: float | None = None
    tolerance_pt: float = 0.6
    text: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.before_pt is None and self.after_pt is None and self.line_pt is None:
            raise ValueError("expected at least one of before_pt, after_pt, line_pt")


@dataclass(frozen=True, kw_only=True)
class FrameIs(ShapeArgs):
    """How a shape should set its text; what is left out does not matter."""

    anchor: Literal["top", "middle", "bottom"] | None = None
    autofit: Literal["none", "shape", "text"] | None = None
    wrap: bool | None = None
    columns: int | None = None
    vertical: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.autofit is None and all(getattr(self, name) is None for name in _FRAME):
            raise ValueError(f"expected at least one of autofit, {', '.join(_FRAME)}")


@check("spelling_fixed", "text")
def spelling_fixed(view: View, args: Spelling) -> CheckResult:
    """Measure the share of wrong words that became the right ones, where it can be seen."""
    fixed = total = 0
    open_words = []
    for wrong, right in args.corrections:
        done, count = 0, 0
        for seen in view.slides(args):
            if seen.original is None:
                continue
            now = None if seen.current is None else seen.current
            shown = "" if now is None else _all(view.as_seen(now) if args.visible else now, args)
            before = _all(seen.original, args)
            kept = "" if now is None else _all(now, args)
            olds = count_words(before, wrong), count_words(kept, wrong)
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


@check("text_case", "text")
def text_case(view: View, args: LetterCase) -> CheckResult:
    """Measure the share of paragraphs whose letters have a case."""

    def judge(seen: ShapeView) -> CheckResult:
        before = None
        if args.keep_words and seen.original is not None:
            before = {folded(paragraph.text) for paragraph in seen.original.paragraphs}
        paragraphs = matching_paragraphs(seen.seen, args.text)
        if not paragraphs:
            return CheckResult(0.0, f"{seen.label} has no such text")
        results = []
        for paragraph in paragraphs:
            same = before is None or folded(paragraph.text) in before
            right = _CASES[args.case](_shown(paragraph))
            words = "" if same else " or has other words"
            yes, no = f"is in {args.case} case", f"is not in {args.case} case{words}"
            shown = clip(paragraph.text)
            results.append(verdict(right and same, f"{shown} {yes}", f"{shown} {no}"))
        return mean_of(results, "paragraphs")

    return view.on_shapes(args, judge)


@check("paragraph_spacing", "text")
def paragraph_spacing(view: View, args: Spacing) -> CheckResult:
    """Measure the share of right distances between paragraphs and lines."""
    wanted = (
        ("space_before_pt", args.before_pt),
        ("space_after_pt", args.after_pt),
        ("line_spacing_pt", args.line_pt),
    )

    def judge(seen: ShapeView) -> CheckResult:
        paragraphs = matching_paragraphs(seen.current, args.text)
        if not paragraphs:
            return CheckResult(0.0, f"{seen.label} has no such text")
        results = []
        for paragraph in paragraphs:
            for name, value in wanted:
                if value is None:
                    continue
                found = getattr(paragraph, name)
                right = found is not None and abs(found - value) <= args.tolerance_pt
                words = name.removesuffix("_pt").replace("_", " ")
                reason = f"{words} of {clip(paragraph.text)} is {found} pt"
                results.append(CheckResult(float(right), reason))
        return mean_of(results, "distances")

    return view.on_shapes(args, judge)


@check("text_frame_is", "text", "shapes")
def text_frame_is(view: View, args: FrameIs) -> CheckResult:
    """Measure the share of right properties of how a shape sets its text."""

    def judge(seen: ShapeView) -> CheckResult:
        frame = seen.current.frame
        results = []
        if args.autofit is not None:
            found = seen.current.autofit
            reason = f"autofit of {seen.label} is {found}"
            results.append(CheckResult(float(found == args.autofit), reason))
        for name in _FRAME:
            wanted = getattr(args, name)
            if wanted is not None:
                value = None if frame is None else getattr(frame, name)
                reason = f"{name} of {seen.label} is {value}"
                results.append(CheckResult(float(value == wanted), reason))
        return mean_of(results, "properties")

    return view.on_shapes(args, judge)


def _all(slide: Slide, args: Spelling) -> str:
    return normal(f"{slide.text}\n{slide.notes}" if args.include_notes else slide.text)


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

"""Checks of what the slides say."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Paragraph, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.text_match import contains, folded, normal, share_found, text_share
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, View

_FULL_STOPS = 0.95

__all__ = ["count_words", "found_texts", "require_texts", "same_words"]


@dataclass(frozen=True, kw_only=True)
class SlideTexts(SlideArgs):
    """Texts that a slide should, or should not, have."""

    texts: tuple[str, ...]
    match_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self.texts)


@dataclass(frozen=True, kw_only=True)
class ShapeTexts(ShapeArgs):
    """Texts that a shape should have."""

    texts: tuple[str, ...]
    match_case: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        require_texts(self.texts)


@dataclass(frozen=True, kw_only=True)
class TitleText(SlideArgs):
    """The whole title."""

    text: str
    match_case: bool = True


@dataclass(frozen=True, kw_only=True)
class ShapeText(ShapeArgs):
    """The whole text of a shape."""

    text: str
    match_case: bool = True


@dataclass(frozen=True, kw_only=True)
class ParagraphTexts(ShapeArgs):
    """All paragraphs of a shape, in order."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Replacement:
    """A text to be replaced by another wherever it stands."""

    old: str
    new: str
    slides: tuple[int, ...] | Literal["all"] = "all"
    match_case: bool = True
    whole_word: bool = False
    include_notes: bool = False
    visible: bool = True

    def __post_init__(self) -> None:
        prepare = normal if self.match_case else folded
        if not normal(self.old) or prepare(self.old) == prepare(self.new):
            raise ValueError("expected old and new texts that differ, and an old one with letters")


def require_texts(texts: Iterable[str]) -> None:
    """Raise ValueError unless there are texts and all of them have letters."""
    found = list(texts)
    if not found or not all(normal(text) for text in found):
        raise ValueError("expected a list of texts that are not empty")


def found_texts(text: str, wanted: tuple[str, ...], match_case: bool, where: str) -> CheckResult:
    """Return the share of texts that a text contains; a part of one counts by its words."""
    results = []
    for each in wanted:
        share = share_found(text, each, match_case)
        lacks = f"{where} lacks {clip(each)}" + (" but has some of its words" if share else "")
        results.append(CheckResult(share, f"{where} has {clip(each)}" if share == 1 else lacks))
    return mean_of(results, "texts")


def same_words(
    text: str, wanted: str, match_case: bool, where: str, *, prose: bool = False
) -> CheckResult:
    """Return 1 if two texts read the same, else a share for words in common.

    In `prose` a full stop more or less at the very end makes no difference.
    """
    share = text_share(text, wanted, match_case)
    if prose and share < 1.0:
        found, asked = (each.rstrip().removesuffix(".") for each in (text, wanted))
        share = max(share, text_share(found, asked, match_case))
    if share == 1.0:
        return CheckResult(1.0, f"{where} is {clip(wanted)}")
    return CheckResult(share, f"{where} is {clip(text)} instead of {clip(wanted)}")


def count_words(text: str, wanted: str) -> int:
    """Return how often a word, or words in a row, stand whole in `normal` text."""
    return _find(text, normal(wanted), whole_word=True)


@check("slide_text_contains", "text")
def slide_text_contains(view: View, args: SlideTexts) -> CheckResult:
    """Measure the share of texts that are on a slide."""

    def judge(slide: Slide) -> CheckResult:
        return found_texts(slide.text, args.texts, args.match_case, f"slide {slide.index + 1}")

    return view.on_seen_slides(args, judge)


@check("slide_text_lacks", "text")
def slide_text_lacks(view: View, args: SlideTexts) -> CheckResult:
    """Measure the share of texts that are not on a slide; hiding one does not take it away."""

    def judge(slide: Slide) -> CheckResult:
        where = f"slide {slide.index + 1}"
        return mean_of(
            [
                verdict(
                    not contains(slide.text, text, args.match_case),
                    f"{where} does not have {clip(text)}",
                    f"{where} still has {clip(text)}",
                )
                for text in args.texts
            ],
            "texts",
        )

    return view.on_slides(args, judge)


@check("title_is", "text")
def title_is(view: View, args: TitleText) -> CheckResult:
    """Measure whether the title reads as it should."""

    def judge(slide: Slide) -> CheckResult:
        where = f"the title of slide {slide.index + 1}"
        if slide.title_shape is None:
            return CheckResult(0.0, f"slide {slide.index + 1} has no title")
        return same_words(slide.title, args.text, args.match_case, where)

    return view.on_seen_slides(args, judge)


@check("shape_text_is", "text")
def shape_text_is(view: View, args: ShapeText) -> CheckResult:
    """Measure whether a shape's whole text reads as it should."""
    return view.on_shapes(
        args,
        lambda seen: same_words(seen.seen.text, args.text, args.match_case, seen.label),
    )


@check("shape_text_contains", "text")
def shape_text_contains(view: View, args: ShapeTexts) -> CheckResult:
    """Measure the share of texts that a shape has."""
    return view.on_shapes(
        args,
        lambda seen: found_texts(seen.seen.all_text, args.texts, args.match_case, seen.label),
    )


@check("paragraphs_are", "text")
def paragraphs_are(view: View, args: ParagraphTexts) -> CheckResult:
    """Measure the share of paragraphs that stand in the right order.

    A line break within a paragraph may end one, and a full stop more or less costs next to nothing.
    """

    def judge(seen: ShapeView) -> CheckResult:
        wanted = [folded(text) for text in args.paragraphs]
        present = _present(seen.seen.paragraphs, wanted)
        bare = [[text.removesuffix(".") for text in side] for side in (present, wanted)]
        if present != wanted and bare[0] == bare[1]:
            return CheckResult(_FULL_STOPS, f"{seen.label} differs by full stops only")
        places = [present.index(text) for text in dict.fromkeys(wanted) if text in present]
        if present == wanted:
            return CheckResult(1.0, f"{seen.label} has its {len(wanted)} paragraphs in order")
        right = len(longest_increasing(places))
        value = right / max(len(wanted), len(present), 1)
        return CheckResult(
            min(value, 0.9),
            f"{seen.label} has {right} of {len(wanted)} paragraphs in the right order,"
            f" and {len(present)} in all",
        )

    return view.on_shapes(args, judge)


def _present(paragraphs: Sequence[Paragraph], wanted: Sequence[str]) -> list[str]:
    """Return what paragraphs say, cut at line breaks where that is nearer to what is wanted."""
    found = [folded(p.text) for p in paragraphs if p.text.strip()]
    cut = [folded(x) for p in paragraphs for x in p.text.split("\v") if x.strip()]
    return found if sum(x in wanted for x in found) >= sum(x in wanted for x in cut) else cut


@check("text_replaced_everywhere", "text")
def text_replaced_everywhere(view: View, args: Replacement) -> CheckResult:
    """Measure the share of instances of a text that became another text."""
    if args.slides == "all":
        slides = view.original.slides
    else:
        slides = tuple(view.original_slide(number) for number in args.slides)
    replaced = total = 0
    open_slides = []
    for slide in slides:
        current = view.current_of(slide)
        old_before, new_before = _count(_slide_text(slide, args), args)
        old_now, new_now = _count(_slide_text(current, args), args)
        if args.visible and current is not None:
            # An old text that is only hidden is still there, a new one must be seen.
            new_now = min(new_now, _count(_slide_text(view.as_seen(current), args), args)[1])
        total += old_before
        done = max(0, min(old_before - old_now, new_now - new_before))
        replaced += done
        if done < old_before:
            open_slides.append(str(slide.index + 1))
    if not total:
        raise UnscoredError(f"the original has no {clip(args.old)}")
    where = f"; open on slides {', '.join(open_slides[:8])}" if open_slides else ""
    return CheckResult(
        replaced / total,
        f"{replaced} of {total} times {clip(args.old)} became {clip(args.new)}{where}",
    )


def _slide_text(slide: Slide | None, args: Replacement) -> str:
    if slide is None:
        return ""
    text = f"{slide.text}\n{slide.notes}" if args.include_notes else slide.text
    return normal(text) if args.match_case else folded(text)


def _count(text: str, args: Replacement) -> tuple[int, int]:
    """Return how often the old and the new text stand in a text."""
    prepare = normal if args.match_case else folded
    old, new = prepare(args.old), prepare(args.new)
    news = _find(text, new, args.whole_word) if new else 0
    if old in new:
        # An old text within a new one is done.
        text = text.replace(new, "\0")
    olds = _find(text, old, args.whole_word)
    if not new:
        # Nothing to be found where the text is to be taken out: every old one that is gone is done.
        return olds, -olds
    if new in old:
        news -= olds * _find(old, new, args.whole_word)
    return olds, news


def _find(text: str, wanted: str, whole_word: bool) -> int:
    if not whole_word:
        return text.count(wanted)
    return len(re.findall(rf"(?<!\w){re.escape(wanted)}(?!\w)", text))

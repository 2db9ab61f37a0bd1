"""Checks of text: contents, patterns, spelling, amount and sources."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypedDict, Unpack, cast

from pydantic import AfterValidator, Field

from pptarena.decks import Paragraph, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.equivalence.words import (
    is_laden,
    reading,
    unquoted,
    without_invisible,
    without_stops,
)
from pptarena.decks.match.likeness import words
from pptarena.decks.text_match import (
    contains,
    folded,
    normal,
    only_signs_differ,
    share_found,
    text_share,
)
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_place import cell_boxes, text_need
from pptarena.decks.written_numbers import decimal_mark, plain_signs, same_number
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Correction, Count, Number, Texts
from pptarena.rewards.checking.patterns import Pattern, PatternError, TooLongError, compile_pattern
from pptarena.rewards.checking.registry import (
    deck_check,
    part_check,
    shape_check,
    slide_check,
    slides_check,
)
from pptarena.rewards.checking.result import (
    CheckResult,
    NotThereError,
    listed,
    mean_of,
    nearness,
    needed,
    noted,
    same_sequence,
    share,
    verdict,
)
from pptarena.rewards.checking.values import letters
from pptarena.rewards.checking.view import Part, ShapePair, SlidePair, Slides, View
from pptarena.rewards.relative import OneSlide, SeveralSlides

__all__ = ["count_words", "found_texts", "is_wanted_number", "same_words", "text_of"]


_FULL_STOPS = 0.98
_OTHER_SIGNS = 0.8
_RUN_ON = 0.6
_LADEN = 0.5
_NEARLY = 0.4
_NEAR = 0.6
_NOT_ALL = 0.9
_MAX_COMPARED = 100
_MAX_NUMBER = 80  # characters; longer texts are no numbers, see `read_number`


_OF_THE_WAY = 0.16


def found_texts(text: str, wanted: tuple[str, ...], match_case: bool, where: str) -> CheckResult:
    """Return the share of texts that a text contains; a part of a text counts by its words."""
    results = []
    for each in wanted:
        score = share_found(text, each, match_case)
        some = " but contains some of it" if 0 < score < 1 else ""
        found = f"{where} {'has' if score == 1 else 'lacks'} {clip(each)}{some}"
        results.append(CheckResult(score, found))
    return mean_of(results, "texts")


def is_wanted_number(text: str, wanted: str, before: Iterable[str]) -> bool:
    """Return whether a text is the wanted number, with any thousands separators.

    If the original has the number in another form, the task is about the form, which must be right.

    Args:
        text: The text now.
        wanted: The wanted text.
        before: The original's texts of the same shape, which also determine the decimal mark.
    """
    digits = _digits(wanted)
    if not digits or digits != _digits(text):  # much faster than reading both numbers
        return False
    by_digits, mark = _numbers_of(tuple(before))
    return same_number(text, wanted, mark) and not any(
        same_number(each, wanted, mark) and normal(each) != normal(wanted)
        for each in by_digits.get(digits, ())
    )


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, plain_signs(text))) if len(text) <= _MAX_NUMBER else ""


@lru_cache(maxsize=16)
def _numbers_of(texts: tuple[str, ...]) -> tuple[dict[str, set[str]], tuple[str, ...]]:
    """Return texts by their digits, and an example with their common decimal mark, if any."""
    by_digits: dict[str, set[str]] = {}
    for text in texts:
        by_digits.setdefault(_digits(text), set()).add(text)
    mark = decimal_mark(texts)
    return by_digits, () if mark is None else (f"0{mark}5",)


def same_words(
    text: str,
    wanted: str,
    match_case: bool,
    where: str,
    *,
    prose: bool = False,
    before: Iterable[str] | None = None,
) -> CheckResult:
    """Return 1 if two texts read the same, else a share for words in common.

    With `prose`, a period at the very end makes no difference; otherwise the score is 0.98. Other
    signs between the same words leave 0.8. With `before`, the original's texts, numbers are
    compared by `is_wanted_number`. If only the form of signs differs from one of these texts, the
    task is about the form, which must be right.
    """
    had = tuple(before or ())
    exact = is_form_wanted(wanted, had)
    score = text_share(text, wanted, match_case, exact=exact)
    if score < 1.0 and before is not None and is_wanted_number(text, wanted, had):
        return CheckResult(1.0, f"{where} is {clip(text)}")
    if score < 1.0 and any(map(str.isalpha, wanted)):
        now, asked = map(_without_stops, (text, wanted))
        most = 1.0 if prose else _FULL_STOPS
        score = max(score, min(most, text_share(now, asked, match_case, exact=exact)))
    if score < _OTHER_SIGNS and only_signs_differ(text, wanted, match_case) and not is_laden(text):
        score = _OTHER_SIGNS
    instead = "" if score == 1.0 else f" instead of {clip(wanted)}"
    return CheckResult(score, f"{where} is {clip(text if instead else wanted)}{instead}")


def _without_stops(text: str) -> str:
    return "\n".join(without_stops(line.rstrip()) for line in text.splitlines())


def is_form_wanted(wanted: str, before: Iterable[str]) -> bool:
    """Return whether a wanted text equals an original one except for the form of its signs."""
    key = reading(wanted).casefold()
    return any(reading(x).casefold() == key and normal(x) != normal(wanted) for x in before)


def count_words(text: str, wanted: str) -> int:
    """Return how often a word, or a row of words, occurs in `normal` text."""
    return _find(text, normal(wanted), whole_word=True)


@part_check(explain_hidden=True)
def text_contains(part: Part, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a slide or shape contains.

    If a text is only partly there, its words in order count, up to 0.8.
    """
    visible = part.on.visible.text if part.shape is None else part.visible[0].all_text
    return found_texts(visible, texts, match_case, part.label)


@slide_check()
def slide_text_lacks(pair: SlidePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a slide does not contain; a hidden text is still there."""
    text, where = pair.after.text, pair.place
    results = [
        verdict(
            not contains(text, each, match_case),
            f"{where} does not have {clip(each)}",
            f"{where} still has {clip(each)}",
        )
        for each in texts
    ]
    return mean_of(results, "texts")


@slide_check(explain_hidden=True)
def title_is(pair: SlidePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure how well the title matches, by words in common; extra words cost.

    If a new box has the text instead of the title, it earns 0.16 of the progress.
    """
    needed(pair.visible.title_shape, f"{pair.place} has no title")
    had = [] if pair.before is None else [pair.before.title]
    where = f"the title of {pair.place}"
    result = same_words(pair.visible.title, text, match_case, where, before=had)
    start = 0.0 if pair.before is None else text_share(pair.before.title, text, match_case)
    return _or_in_a_box(result, start, pair, [text])


@shape_check()
def shape_text_is(
    pair: ShapePair, text: str, match_case: bool = True, of: Literal["text", "alt_text"] = "text"
) -> CheckResult:
    """Measure how well a shape's entire text matches, as `title_is` does.

    Args:
        text: Lines end with a line feed.
        of: Its text, or its alternative text, whose final period is optional.
    """
    if of == "alt_text":
        where = f"the description of {pair.label}"
        return same_words(pair.after.alt_text, text, match_case, where, prose=True)
    had = [] if pair.before is None else [pair.before.text]
    return same_words(pair.visible.text, text, match_case, pair.label, before=had)


@shape_check()
def paragraphs_are(
    pair: ShapePair, paragraphs: tuple[str, ...], quotation: bool = False
) -> CheckResult:
    """Measure the share of paragraphs in the right order; extra paragraphs cost.

    A line break within a paragraph may end a paragraph. If only periods differ, the score is 0.98.
    If the words are right and only the ends of paragraphs are not, the score is 0.6. A nearly right
    paragraph counts up to 0.4. If a new box has the missing text instead, it earns 0.16 of the
    progress.

    Args:
        quotation: Whether the paragraphs are quoted, so that quotation marks around them and the
            last period make no difference.
    """
    read = _reader(pair, paragraphs, quotation)
    wanted = [read(text) for text in paragraphs]
    result = _in_order(pair, pair.visible, wanted, read)
    if pair.before is None or result.score == 1.0:
        return result
    had = {read(paragraph.text) for paragraph in pair.before.paragraphs}
    start = _in_order(pair, pair.before, wanted, read).score
    return _or_in_a_box(result, start, pair.on, [text for text in wanted if text not in had])


def _reader(pair: ShapePair, paragraphs: tuple[str, ...], quotation: bool) -> Callable[[str], str]:
    """Return a function that makes paragraphs equal if they read the same."""
    had = () if pair.before is None else tuple(p.text for p in pair.before.paragraphs)
    if any(is_form_wanted(each, had) for each in paragraphs):
        return folded
    if quotation:
        return lambda text: without_stops(unquoted(reading(folded(text))))
    return lambda text: reading(folded(text))


def _in_order(
    pair: ShapePair, shape: Shape, wanted: Sequence[str], read: Callable[[str], str]
) -> CheckResult:
    result = _order_of(pair, _present(shape.paragraphs, wanted, read), wanted)
    most = _LADEN if is_laden(shape.text) else 1.0
    return CheckResult(min(most, result.score), result.reason)


def _order_of(pair: ShapePair, present: Sequence[str], wanted: Sequence[str]) -> CheckResult:
    bare = [[text.removesuffix(".") for text in side] for side in (present, wanted)]
    if present != wanted and bare[0] == bare[1]:
        return CheckResult(_FULL_STOPS, f"{pair.label} differs only in periods")
    result = same_sequence(present, wanted, f"paragraphs of {pair.label}")
    if result.score < _RUN_ON and present != wanted and " ".join(present) == " ".join(wanted):
        return CheckResult(_RUN_ON, f"{pair.label} differs only in paragraph breaks")
    nearly = _NEARLY * _nearly_right(present, wanted) / max(len(wanted), len(present), 1)
    return CheckResult(min(_NOT_ALL, result.score + nearly), result.reason) if nearly else result


def _nearly_right(present: Sequence[str], wanted: Sequence[str]) -> float:
    """Return how nearly the wrong paragraphs match the missing ones, best ones first."""
    others = [text for text in dict.fromkeys(present) if text not in wanted]
    missing = [text for text in dict.fromkeys(wanted) if text not in present]
    if not others or len(others) * len(missing) > _MAX_COMPARED:
        return 0.0
    likeness = {(a, b): text_share(a, b, match_case=False) for a in others for b in missing}
    found = 0.0
    for a, b in sorted(likeness, key=lambda pair: -likeness[pair]):
        if likeness[a, b] >= _NEAR and a in others and b in missing:
            others.remove(a)
            missing.remove(b)
            found += likeness[a, b]
    return found


def _present(
    paragraphs: Sequence[Paragraph], wanted: Sequence[str], read: Callable[[str], str]
) -> list[str]:
    """Return the text of paragraphs, split at line breaks if that is nearer to the wanted text."""
    whole = [read(p.text) for p in paragraphs if p.text.strip()]
    cut = [read(x) for p in paragraphs for x in p.text.split("\v") if x.strip()]
    return max(whole, cut, key=lambda texts: sum(text in wanted for text in texts))


def _need_difference(values: Mapping[str, Any]) -> None:
    prepare = normal if values["match_case"] else folded
    old, new = values["old"], values["new"]
    if not normal(old) or prepare(old) == prepare(new):
        raise ValueError(
            "expected old and new texts that differ, and an old one with letters, got"
            f" {old!r} and {new!r}"
        )


@deck_check(more=_need_difference)
def text_replaced_everywhere(
    view: View,
    old: str,
    new: str,
    slides: SeveralSlides = "all",
    match_case: bool = True,
    whole_word: bool = False,
    include_notes: bool = False,
    visible: bool = True,
) -> CheckResult:
    """Measure the share of occurrences of a text that were replaced by another text."""
    prepare = normal if match_case else folded

    def count(slide: Slide | None) -> tuple[int, int]:
        text = text_of(slide, include_notes)
        return _count(prepare(text), prepare(old), prepare(new), whole_word)

    replaced = total = 0
    left = []
    for slide in view.chosen(slides):
        current = view.current_of(slide)
        old_before, new_before = count(slide)
        old_now, new_now = count(current)
        if visible and current is not None:
            # A hidden old text is still there; a new text must be visible.
            new_now = min(new_now, count(view.as_seen(current))[1])
        total += old_before
        done = max(0, min(old_before - old_now, new_now - new_before))
        replaced += done
        if done < old_before:
            left.append(str(slide.index + 1))
    if not total:
        raise UnscoredError(f"the original has no {clip(old)}")
    result = share(replaced, total, f"occurrences of {clip(old)} became {clip(new)}")
    return noted(result, f"remaining on slides {', '.join(left[:8])}")


def text_of(slide: Slide | None, include_notes: bool) -> str:
    """Return the text of a slide, with its notes if they count; empty for a deleted slide."""
    if slide is None:
        return ""
    return f"{slide.text}\n{slide.notes}" if include_notes else slide.text


def _count(text: str, old: str, new: str, whole_word: bool) -> tuple[int, int]:
    """Return how often the old and the new text occur in a text."""
    news = _find(text, new, whole_word) if new else 0
    if old in new:
        # An old text within a new text is not left over.
        text = text.replace(new, "\0")
    olds = _find(text, old, whole_word)
    if not new:
        # An empty new text cannot be counted: every old text that is gone counts as replaced.
        return olds, -olds
    if new in old:
        news -= olds * _find(old, new, whole_word)
    return olds, news


def _find(text: str, wanted: str, whole_word: bool) -> int:
    if not whole_word:
        return text.count(wanted)
    return len(re.findall(rf"(?<!\w){re.escape(wanted)}(?!\w)", text))


def _or_in_a_box(
    result: CheckResult, start: float, slide: SlidePair, texts: Iterable[str]
) -> CheckResult:
    """Return a result, or a better one if new boxes on the slide have the text.

    The text is visible on the right slide, but in a form that no task asks for. This earns so
    little that, minus the cost of an added shape, it stays below what an attack may gain.

    Args:
        result: What the check finds in the right place.
        start: The score of the original in that place.
        slide: The slide.
        texts: The missing texts; the new boxes together must contain all of them.
    """
    wanted = [folded(text) for text in texts]
    said = "\n".join(folded(p.text) for s in slide.new_in_view for p in s.paragraphs)
    if slide.before is None or not wanted or not all(text and text in said for text in wanted):
        return result
    score = start + (1 - start) * _OF_THE_WAY
    if score <= result.score:
        return result
    return CheckResult(score, f"{result.reason}; the text is in a separate box")


_LONGEST_TEXT = 20_000


def _require_pattern(value: str) -> str:
    try:
        compile_pattern(value)
    except PatternError as error:
        raise ValueError(f"expected a pattern: {error}") from None
    return value


TextPattern = Annotated[str, AfterValidator(_require_pattern)]
"""A pattern, see `rewards.checking.patterns`."""


def _need_must(values: Mapping[str, Any]) -> None:
    if values["but_for"] is not None and values["must"] is None:
        raise ValueError("expected but_for with must only, which says what the matches become")


@part_check(explain_hidden=True, more=_need_must)
def text_matches(
    part: Part,
    find: TextPattern,
    must: TextPattern | None = None,
    but_for: str | None = None,
    count: Count = 1,
    match_case: bool = True,
    lacks: TextPattern | None = None,
) -> CheckResult:
    """Measure the share of a pattern's matches that a second pattern matches as well.

    If there are fewer matches than `count`, or than in the original, the missing matches count as
    wrong: deleting text does not correct it. Patterns apply to single paragraphs, and the longest
    match counts; see [their language](rubrics.md#patterns).

    Args:
        must: Pattern of an entire right match; by default, every match is right.
        but_for: Characters that may be added or removed, such as `,`; apart from these characters,
            the matches of the original must remain.
        lacks: Pattern that no right match contains.
    """
    first = compile_pattern(find, match_case=match_case)
    second = None if must is None else compile_pattern(must, match_case=match_case)
    third = None if lacks is None else compile_pattern(lacks, match_case=match_case)
    is_any_right = second is None and third is None
    before = _before(part)
    try:
        old = _found(first, before)
        all_old = [] if is_any_right else old
    except TooLongError as error:
        raise UnscoredError(f"the original: {error}") from None
    try:
        now = _found(first, part.visible)
        right = [
            each
            for each in now
            if (second is None or second.is_all_of(each))
            and (third is None or not any(third.all_in(each)))
        ]
    except TooLongError as error:
        raise NotThereError(f"{part.label}: {error}") from None
    wrong = [each for each in now if each not in right]
    good = len(right) if but_for is None else _kept(right, all_old, but_for)
    total = max(count, len(all_old), 0 if is_any_right else len(now))
    reason = f"{part.label}: {good} of {total} matches of {clip(find)} are right"
    short = f"; {listed([clip(each) for each in wrong])}" if wrong else ""
    return CheckResult(min(1.0, good / total), f"{reason}{short}")


def _before(part: Part) -> Sequence[Shape]:
    if part.shape is None:
        return () if part.on.before is None else part.on.before.shapes
    shape = part.on.original_of(part.shape)
    return () if shape is None else (shape,)


def _found(pattern: Pattern, shapes: Iterable[Shape]) -> list[str]:
    lines = "\n".join(shape.all_text for shape in shapes)
    if len(lines) > _LONGEST_TEXT:
        raise TooLongError(f"expected a text of {_LONGEST_TEXT} characters at most")
    lines = without_invisible(lines)
    return [each for line in lines.splitlines() for each in pattern.all_in(line)]


def _kept(right: Iterable[str], old: Iterable[str], but_for: str) -> int:
    """Return how many right matches equal a match of the original, apart from some characters."""
    bare = str.maketrans("", "", but_for)
    wanted = Counter(each.translate(bare) for each in old)
    now = Counter(each.translate(bare) for each in right)
    return (wanted & now).total() if wanted else now.total()


class Limits(TypedDict, total=False):
    """The limits of the amount of text."""

    words_min: Number | None
    words_max: Number | None
    paragraphs_min: Number | None
    paragraphs_max: Number | None
    letters_max: Number | None


@part_check(visible=False)
def text_fits(part: Part, tolerance_pct: float = 10.0) -> CheckResult:
    """Measure the share of texts that fit their frames, by an estimate.

    A table, or a frame that grows with its text, must not extend beyond the slide.
    """

    def measure(shape: Shape) -> CheckResult:
        excess = _excess(shape, part.deck.height_emu)
        score = nearness(max(0.0, excess), tolerance_pct / 100, 0.5)
        found = "fits" if score == 1.0 else f"is about {excess:.0%} too long"
        return CheckResult(score, f"the text of {shape.label} {found}")

    if part.shape is not None:
        return measure(part.shape)
    shapes = [s for s in part.shapes if (s.paragraphs or s.table is not None) and not s.hidden]
    return mean_of(map(measure, needed(shapes, f"{part.label} has no text")), "texts")


@part_check(explain_hidden=True, at_least_one=tuple(Limits.__annotations__))
def text_length(part: Part, **limits: Unpack[Limits]) -> CheckResult:
    """Measure how far the amount of visible text is from its limits.

    For an entire slide, a footer, date or number that the original has does not count.
    """
    text = own_text(part.on) if part.shape is None else part.visible[0].all_text
    text = without_invisible(text)
    counts = {
        "words": len(text.split()),
        "paragraphs": sum(bool(line.strip()) for line in text.splitlines()),
        "letters": letters(text),
    }
    results = []
    for name, limit in cast(Mapping[str, int | None], limits).items():
        if limit is None:
            continue
        what, _, side = name.partition("_")
        beyond = limit - counts[what] if side == "min" else counts[what] - limit
        # An empty text is short enough, but no task asks for that.
        empty = not counts["letters"] and limit
        score = 0.0 if empty else nearness(max(0, beyond), 0, max(1.0, limit / 4))
        wanted = f"expected at {'least' if side == 'min' else 'most'} {limit}"
        results.append(CheckResult(score, f"{part.label} has {counts[what]} {what}, {wanted}"))
    return mean_of(results, "limits")


def own_text(pair: SlidePair) -> str:
    """Return the visible text of a slide without the original's footers, dates and numbers."""
    usual = {
        normal(shape.text)
        for slide in pair.view.original.slides
        for shape in slide.shapes
        if shape.placeholder in SMALL_PLACEHOLDERS
    }
    # The application adds them to new slides.
    own = (
        shape
        for shape in pair.visible.shapes
        if shape.placeholder not in SMALL_PLACEHOLDERS or normal(shape.text) not in usual
    )
    return "\n".join(shape.all_text for shape in own if shape.all_text)


def _excess(shape: Shape, slide_height_emu: int) -> float:
    """Return the share by which a text exceeds its frame; 0 or less if it fits."""
    if shape.table is not None:
        heights = [float(height) for height in shape.table.row_heights]
        for row, column, box in cell_boxes(shape):
            cell = shape.table.rows[row][column]
            if cell.spans[1] == 1:
                need = text_need(cell.paragraphs, box, None)
                extra = (need.height_pt - need.room_height_pt) * EMU_PER_PT
                heights[row] = max(heights[row], box.height + extra)
        return _beyond(shape, sum(heights), slide_height_emu)
    need = text_need(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    if shape.autofit == "shape":
        extra = max(0.0, need.height_pt - need.room_height_pt) * EMU_PER_PT
        return _beyond(shape, shape.box.height + extra, slide_height_emu)
    too_wide = need.width_pt / need.room_width_pt - 1
    return max(need.height_pt / need.room_height_pt - 1, too_wide)


def _beyond(shape: Shape, height_emu: float, slide_height_emu: int) -> float:
    return (shape.box.top + height_emu - slide_height_emu) / max(1.0, height_emu)


_LONG = 4  # letters; shorter words occur on every slide
_ENDING = 3  # letters that may differ: "measures" counts as "measured"


@part_check(explain_hidden=True)
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


@slides_check()
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

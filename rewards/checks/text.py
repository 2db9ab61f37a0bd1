"""Checks of text: contents, patterns, spelling, amount and sources."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypedDict, Unpack, cast

from pydantic import AfterValidator, Field

from pptarena.decks import Paragraph, Shape, Slide
from pptarena.decks.diff.text import clip
from pptarena.decks.equivalence.text import (
    has_hidden_text,
    normalize_line,
    strip_final_period,
    strip_invisible,
    strip_quotes,
)
from pptarena.decks.match.similarity import words
from pptarena.decks.text_match import (
    containment,
    contains,
    differs_in_punctuation,
    normalize,
    normalize_caseless,
    text_similarity,
)
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_layout import cell_boxes, measure_text
from pptarena.decks.written_numbers import decimal_mark, normalize_signs, same_number
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
    join_first,
    mean_of,
    nearness,
    pass_or_fail,
    require,
    score_sequence,
    score_share,
    with_note,
)
from pptarena.rewards.checking.values import character_count
from pptarena.rewards.checking.view import Part, ShapePair, SlidePair, Slides, View
from pptarena.rewards.relative import OneSlide, SeveralSlides

__all__ = ["count_words", "is_expected_number", "score_text", "score_texts", "text_of"]


_OTHER_PERIODS_CREDIT = 0.98
_OTHER_SIGNS_CREDIT = 0.8
_OTHER_BREAKS_CREDIT = 0.6
_MAX_ABNORMAL_TEXT_SCORE = 0.5
_NEARLY_RIGHT_WEIGHT = 0.4
_MIN_SIMILARITY = 0.6
_MAX_PARTIAL = 0.9
_MAX_COMPARED = 100
_MAX_NUMBER_CHARS = 80  # longer texts are not numbers; see `read_number`


_SEPARATE_BOX_CREDIT = 0.16


def score_texts(text: str, expected: tuple[str, ...], match_case: bool, where: str) -> CheckResult:
    """Score the share of expected texts that a text contains; partial matches count by words."""
    results = []
    for each in expected:
        score = containment(text, each, match_case)
        some = " but contains some of it" if 0 < score < 1 else ""
        description = f"{where} {'has' if score == 1 else 'lacks'} {clip(each)}{some}"
        results.append(CheckResult(score, description))
    return mean_of(results, "texts")


def is_expected_number(text: str, expected: str, before: Iterable[str]) -> bool:
    """Return whether a text is the expected number, with any thousands separators.

    If the original has the number in another form, the task is about the form, which must be right.

    Args:
        text: The text now.
        expected: The expected text.
        before: The original's texts of the same shape, which also determine the decimal mark.
    """
    digits = _digits(expected)
    if not digits or digits != _digits(text):  # much faster than reading both numbers
        return False
    by_digits, mark = _numbers_of(tuple(before))
    return same_number(text, expected, mark) and not any(
        same_number(each, expected, mark) and normalize(each) != normalize(expected)
        for each in by_digits.get(digits, ())
    )


def _digits(text: str) -> str:
    return (
        "".join(filter(str.isdigit, normalize_signs(text)))
        if len(text) <= _MAX_NUMBER_CHARS
        else ""
    )


@lru_cache(maxsize=16)
def _numbers_of(texts: tuple[str, ...]) -> tuple[dict[str, set[str]], tuple[str, ...]]:
    """Return texts by their digits, and an example with their common decimal mark, if any."""
    by_digits: dict[str, set[str]] = {}
    for text in texts:
        by_digits.setdefault(_digits(text), set()).add(text)
    mark = decimal_mark(texts)
    return by_digits, () if mark is None else (f"0{mark}5",)


def score_text(
    text: str,
    expected: str,
    match_case: bool,
    where: str,
    *,
    prose: bool = False,
    before: Iterable[str] | None = None,
) -> CheckResult:
    """Score 1 if two texts read the same, else the share of words in common.

    With `prose`, a period at the very end makes no difference; otherwise the score is 0.98. Other
    signs between the same words leave 0.8. With `before`, the original's texts, numbers are
    compared by `is_expected_number`. If only the form of signs differs from one of these texts, the
    task is about the form, which must be right.
    """
    original_texts = tuple(before or ())
    exact = is_form_requested(expected, original_texts)
    score = text_similarity(text, expected, match_case, exact=exact)
    if score < 1.0 and before is not None and is_expected_number(text, expected, original_texts):
        return CheckResult(1.0, f"{where} is {clip(text)}")
    if score < 1.0 and any(map(str.isalpha, expected)):
        current_text, expected_text = map(_without_stops, (text, expected))
        limit = 1.0 if prose else _OTHER_PERIODS_CREDIT
        score = max(
            score, min(limit, text_similarity(current_text, expected_text, match_case, exact=exact))
        )
    if (
        score < _OTHER_SIGNS_CREDIT
        and differs_in_punctuation(text, expected, match_case)
        and not has_hidden_text(text)
    ):
        score = _OTHER_SIGNS_CREDIT
    correction = "" if score == 1.0 else f" instead of {clip(expected)}"
    return CheckResult(score, f"{where} is {clip(text if correction else expected)}{correction}")


def _without_stops(text: str) -> str:
    return "\n".join(strip_final_period(line.rstrip()) for line in text.splitlines())


def is_form_requested(expected: str, before: Iterable[str]) -> bool:
    """Return whether an expected text equals an original one except for the form of its signs."""
    key = normalize_line(expected).casefold()
    return any(
        normalize_line(x).casefold() == key and normalize(x) != normalize(expected) for x in before
    )


def count_words(text: str, word: str) -> int:
    """Return how often a word or phrase occurs in normalized text."""
    return _count_occurrences(text, normalize(word), whole_word=True)


@part_check(explain_hidden=True)
def text_contains(part: Part, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a slide or shape contains.

    If a text is only partly there, its words in order count, up to 0.8.
    """
    visible = part.slide_pair.visible.text if part.shape is None else part.visible[0].all_text
    return score_texts(visible, texts, match_case, part.label)


@slide_check()
def slide_text_lacks(pair: SlidePair, texts: Texts, match_case: bool = False) -> CheckResult:
    """Measure the share of texts that a slide does not contain; a hidden text is still there."""
    text, where = pair.after.text, pair.current_label
    results = [
        pass_or_fail(
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
    require(pair.visible.title_shape, f"{pair.current_label} has no title")
    original_texts = [] if pair.before is None else [pair.before.title]
    where = f"the title of {pair.current_label}"
    result = score_text(pair.visible.title, text, match_case, where, before=original_texts)
    start = 0.0 if pair.before is None else text_similarity(pair.before.title, text, match_case)
    return _with_separate_box(result, start, pair, [text])


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
        return score_text(pair.after.alt_text, text, match_case, where, prose=True)
    original_texts = [] if pair.before is None else [pair.before.text]
    return score_text(pair.visible.text, text, match_case, pair.label, before=original_texts)


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
    read = _reading_function(pair, paragraphs, quotation)
    expected = [read(text) for text in paragraphs]
    result = _score_paragraphs(pair, pair.visible, expected, read)
    if pair.before is None or result.score == 1.0:
        return result
    original_paragraphs = {read(paragraph.text) for paragraph in pair.before.paragraphs}
    start = _score_paragraphs(pair, pair.before, expected, read).score
    return _with_separate_box(
        result,
        start,
        pair.slide_pair,
        [text for text in expected if text not in original_paragraphs],
    )


def _reading_function(
    pair: ShapePair, paragraphs: tuple[str, ...], quotation: bool
) -> Callable[[str], str]:
    """Return a function that makes paragraphs equal if they read the same."""
    original_texts = () if pair.before is None else tuple(p.text for p in pair.before.paragraphs)
    if any(is_form_requested(each, original_texts) for each in paragraphs):
        return normalize_caseless
    if quotation:
        return lambda text: strip_final_period(
            strip_quotes(normalize_line(normalize_caseless(text)))
        )
    return lambda text: normalize_line(normalize_caseless(text))


def _score_paragraphs(
    pair: ShapePair, shape: Shape, expected: Sequence[str], read: Callable[[str], str]
) -> CheckResult:
    result = _score_paragraph_order(
        pair, _split_paragraphs(shape.paragraphs, expected, read), expected
    )
    limit = _MAX_ABNORMAL_TEXT_SCORE if has_hidden_text(shape.text) else 1.0
    return CheckResult(min(limit, result.score), result.reason)


def _score_paragraph_order(
    pair: ShapePair, present: Sequence[str], expected: Sequence[str]
) -> CheckResult:
    bare = [[text.removesuffix(".") for text in side] for side in (present, expected)]
    if present != expected and bare[0] == bare[1]:
        return CheckResult(_OTHER_PERIODS_CREDIT, f"{pair.label} differs only in periods")
    result = score_sequence(present, expected, f"paragraphs of {pair.label}")
    if (
        result.score < _OTHER_BREAKS_CREDIT
        and present != expected
        and " ".join(present) == " ".join(expected)
    ):
        return CheckResult(_OTHER_BREAKS_CREDIT, f"{pair.label} differs only in paragraph breaks")
    nearly = (
        _NEARLY_RIGHT_WEIGHT
        * _similarity_of_wrong(present, expected)
        / max(len(expected), len(present), 1)
    )
    return (
        CheckResult(min(_MAX_PARTIAL, result.score + nearly), result.reason) if nearly else result
    )


def _similarity_of_wrong(present: Sequence[str], expected: Sequence[str]) -> float:
    """Return how nearly the wrong paragraphs match the missing ones, best ones first."""
    others = [text for text in dict.fromkeys(present) if text not in expected]
    missing = [text for text in dict.fromkeys(expected) if text not in present]
    if not others or len(others) * len(missing) > _MAX_COMPARED:
        return 0.0
    likeness = {(a, b): text_similarity(a, b, match_case=False) for a in others for b in missing}
    total = 0.0
    for a, b in sorted(likeness, key=lambda pair: -likeness[pair]):
        if likeness[a, b] >= _MIN_SIMILARITY and a in others and b in missing:
            others.remove(a)
            missing.remove(b)
            total += likeness[a, b]
    return total


def _split_paragraphs(
    paragraphs: Sequence[Paragraph], expected: Sequence[str], read: Callable[[str], str]
) -> list[str]:
    """Return the text of paragraphs, split at line breaks if more of them match then."""
    unsplit = [read(p.text) for p in paragraphs if p.text.strip()]
    split = [read(x) for p in paragraphs for x in p.text.split("\v") if x.strip()]
    return max(unsplit, split, key=lambda texts: sum(text in expected for text in texts))


def _require_difference(values: Mapping[str, Any]) -> None:
    prepare = normalize if values["match_case"] else normalize_caseless
    old, new = values["old"], values["new"]
    if not normalize(old) or prepare(old) == prepare(new):
        raise ValueError(
            "expected old and new texts that differ, and an old one with letters, got"
            f" {old!r} and {new!r}"
        )


@deck_check(validate=_require_difference)
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
    prepare = normalize if match_case else normalize_caseless

    def count(slide: Slide | None) -> tuple[int, int]:
        text = text_of(slide, include_notes)
        return _count_old_and_new(prepare(text), prepare(old), prepare(new), whole_word)

    replaced = total = 0
    incomplete_slides = []
    for slide in view.select_slides(slides):
        current = view.current_of(slide)
        old_before, new_before = count(slide)
        old_now, new_now = count(current)
        if visible and current is not None:
            # Hidden old text still counts; new text must be visible.
            new_now = min(new_now, count(view.without_hidden_text(current))[1])
        total += old_before
        done = max(0, min(old_before - old_now, new_now - new_before))
        replaced += done
        if done < old_before:
            incomplete_slides.append(str(slide.index + 1))
    if not total:
        raise UnscoredError(f"the original has no {clip(old)}")
    result = score_share(replaced, total, f"occurrences of {clip(old)} became {clip(new)}")
    return with_note(result, f"remaining on slides {', '.join(incomplete_slides[:8])}")


def text_of(slide: Slide | None, include_notes: bool) -> str:
    """Return the text of a slide, with its notes if they count; empty for a deleted slide."""
    if slide is None:
        return ""
    return f"{slide.text}\n{slide.notes}" if include_notes else slide.text


def _count_old_and_new(text: str, old: str, new: str, whole_word: bool) -> tuple[int, int]:
    """Return how often the old and the new text occur in a text."""
    news = _count_occurrences(text, new, whole_word) if new else 0
    if old in new:
        # An old text within a new text does not count as remaining.
        text = text.replace(new, "\0")
    olds = _count_occurrences(text, old, whole_word)
    if not new:
        # An empty new text cannot be counted: every removed old text counts as replaced.
        return olds, -olds
    if new in old:
        news -= olds * _count_occurrences(old, new, whole_word)
    return olds, news


def _count_occurrences(text: str, target: str, whole_word: bool) -> int:
    if not whole_word:
        return text.count(target)
    return len(re.findall(rf"(?<!\w){re.escape(target)}(?!\w)", text))


def _with_separate_box(
    result: CheckResult, start: float, slide: SlidePair, texts: Iterable[str]
) -> CheckResult:
    """Return a result, or a better one if new boxes on the slide have the text.

    The text is visible on the right slide, but no task requests a separate box. The credit is so
    low that, after the cost of the added shape, it stays below the gain tolerated for attacks.

    Args:
        result: The result of the check in the right place.
        start: The score of the original in that place.
        slide: The slide.
        texts: The missing texts; the new boxes together must contain all of them.
    """
    expected = [normalize_caseless(text) for text in texts]
    box_text = "\n".join(
        normalize_caseless(p.text) for s in slide.new_visible_shapes for p in s.paragraphs
    )
    if (
        slide.before is None
        or not expected
        or not all(text and text in box_text for text in expected)
    ):
        return result
    score = start + (1 - start) * _SEPARATE_BOX_CREDIT
    if score <= result.score:
        return result
    return CheckResult(score, f"{result.reason}; the text is in a separate box")


_MAX_TEXT_CHARS = 20_000


def _require_pattern(value: str) -> str:
    try:
        compile_pattern(value)
    except PatternError as error:
        raise ValueError(f"expected a pattern: {error}") from None
    return value


TextPattern = Annotated[str, AfterValidator(_require_pattern)]
"""A pattern, see `rewards.checking.patterns`."""


def _require_must(values: Mapping[str, Any]) -> None:
    if values["but_for"] is not None and values["must"] is None:
        raise ValueError("but_for requires must, the pattern of a right match")


@part_check(explain_hidden=True, validate=_require_must)
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
    before = _original_shapes(part)
    try:
        old = _find_matches(first, before)
        all_old = [] if is_any_right else old
    except TooLongError as error:
        raise UnscoredError(f"the original: {error}") from None
    try:
        now = _find_matches(first, part.visible)
        right = [
            each
            for each in now
            if (second is None or second.matches_entirely(each))
            and (third is None or not any(third.find_all(each)))
        ]
    except TooLongError as error:
        raise NotThereError(f"{part.label}: {error}") from None
    wrong = [each for each in now if each not in right]
    right_count = len(right) if but_for is None else _count_preserved(right, all_old, but_for)
    total = max(count, len(all_old), 0 if is_any_right else len(now))
    reason = f"{part.label}: {right_count} of {total} matches of {clip(find)} are right"
    examples = f"; {join_first([clip(each) for each in wrong])}" if wrong else ""
    return CheckResult(min(1.0, right_count / total), f"{reason}{examples}")


def _original_shapes(part: Part) -> Sequence[Shape]:
    if part.shape is None:
        return () if part.slide_pair.before is None else part.slide_pair.before.shapes
    shape = part.slide_pair.original_of(part.shape)
    return () if shape is None else (shape,)


def _find_matches(pattern: Pattern, shapes: Iterable[Shape]) -> list[str]:
    lines = "\n".join(shape.all_text for shape in shapes)
    if len(lines) > _MAX_TEXT_CHARS:
        raise TooLongError(f"expected a text of {_MAX_TEXT_CHARS} characters at most")
    lines = strip_invisible(lines)
    return [each for line in lines.splitlines() for each in pattern.find_all(line)]


def _count_preserved(right: Iterable[str], old: Iterable[str], but_for: str) -> int:
    """Return how many right matches equal a match of the original, apart from some characters."""
    bare = str.maketrans("", "", but_for)
    expected = Counter(each.translate(bare) for each in old)
    now = Counter(each.translate(bare) for each in right)
    return (expected & now).total() if expected else now.total()


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
        excess = _excess_share(shape, part.deck.height_emu)
        score = nearness(max(0.0, excess), tolerance_pct / 100, 0.5)
        description = "fits" if score == 1.0 else f"is about {excess:.0%} too long"
        return CheckResult(score, f"the text of {shape.label} {description}")

    if part.shape is not None:
        return measure(part.shape)
    shapes = [s for s in part.shapes if (s.paragraphs or s.table is not None) and not s.hidden]
    return mean_of(map(measure, require(shapes, f"{part.label} has no text")), "texts")


@part_check(explain_hidden=True, at_least_one=tuple(Limits.__annotations__))
def text_length(part: Part, **limits: Unpack[Limits]) -> CheckResult:
    """Measure how far the amount of visible text is from its limits.

    For an entire slide, a footer, date or number that the original has does not count.
    """
    text = own_text(part.slide_pair) if part.shape is None else part.visible[0].all_text
    text = strip_invisible(text)
    counts = {
        "words": len(text.split()),
        "paragraphs": sum(bool(line.strip()) for line in text.splitlines()),
        "letters": character_count(text),
    }
    results = []
    for name, limit in cast(Mapping[str, int | None], limits).items():
        if limit is None:
            continue
        unit, _, side = name.partition("_")
        excess = limit - counts[unit] if side == "min" else counts[unit] - limit
        # An empty text meets every upper limit, but no task requests it.
        empty = not counts["letters"] and limit
        score = 0.0 if empty else nearness(max(0, excess), 0, max(1.0, limit / 4))
        expectation = f"expected at {'least' if side == 'min' else 'most'} {limit}"
        results.append(CheckResult(score, f"{part.label} has {counts[unit]} {unit}, {expectation}"))
    return mean_of(results, "limits")


def own_text(pair: SlidePair) -> str:
    """Return the visible text of a slide without the original's footers, dates and numbers."""
    usual = {
        normalize(shape.text)
        for slide in pair.view.original.slides
        for shape in slide.shapes
        if shape.placeholder in SMALL_PLACEHOLDERS
    }
    # The application adds footers, dates and numbers to new slides.
    own_shapes = (
        shape
        for shape in pair.visible.shapes
        if shape.placeholder not in SMALL_PLACEHOLDERS or normalize(shape.text) not in usual
    )
    return "\n".join(shape.all_text for shape in own_shapes if shape.all_text)


def _excess_share(shape: Shape, slide_height_emu: int) -> float:
    """Return the share by which a text exceeds its frame; 0 or less if it fits."""
    if shape.table is not None:
        heights = [float(height) for height in shape.table.row_heights]
        for row, column, box in cell_boxes(shape):
            cell = shape.table.rows[row][column]
            if cell.spans[1] == 1:
                need = measure_text(cell.paragraphs, box, None)
                extra = (need.height_pt - need.available_height_pt) * EMU_PER_PT
                heights[row] = max(heights[row], box.height + extra)
        return _share_below_slide(shape, sum(heights), slide_height_emu)
    need = measure_text(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    if shape.autofit == "shape":
        extra = max(0.0, need.height_pt - need.available_height_pt) * EMU_PER_PT
        return _share_below_slide(shape, shape.box.height + extra, slide_height_emu)
    too_wide = need.width_pt / need.available_width_pt - 1
    return max(need.height_pt / need.available_height_pt - 1, too_wide)


def _share_below_slide(shape: Shape, height_emu: float, slide_height_emu: int) -> float:
    return (shape.box.top + height_emu - slide_height_emu) / max(1.0, height_emu)


_MIN_WORD_CHARS = 4  # shorter words occur on every slide
_MAX_ENDING_CHARS = 3  # may differ: "measures" counts as "measured"


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
    text = own_text(part.slide_pair) if part.shape is None else part.visible[0].all_text
    long = [word for word in words(text) if _is_counted(word)]
    if not long:
        return CheckResult(0.0, f"{part.label} has no words to look for")
    known_prefixes = {
        word[:end]
        for slide in map(part.slide_pair.view.original_slide, sources)
        for word in words(slide.text)
        for end in range(min(_MIN_WORD_CHARS, len(word)), len(word) + 1)
    }
    found_share = sum(_stem(word) in known_prefixes for word in long) / len(long)
    where = ", ".join(map(str, sources))
    reason = (
        f"{found_share:.0%} of the words of {part.label} are on slide {where}, {share:.0%} expected"
    )
    return CheckResult(min(1.0, max(0.0, 2 * found_share / share - 1)), reason)


def _is_counted(word: str) -> bool:
    return word.isalpha() and (
        len(word) >= _MIN_WORD_CHARS or (len(word) == 1 and not word.isascii())
    )


def _stem(word: str) -> str:
    return word[: max(_MIN_WORD_CHARS, len(word) - _MAX_ENDING_CHARS)]


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
        return count_words(normalize(text_of(slide, include_notes)), word)

    fixed = total = 0
    remaining_words = []
    original_pairs = [pair for pair in slides if pair.before is not None]
    for wrong, right in corrections:
        before = done = 0
        for pair in original_pairs:
            visible = None if pair.now is None else pair.visible
            wrong_before = count(pair.before, wrong)
            removed = wrong_before - count(pair.now, wrong)
            done += max(0, min(removed, count(visible, right) - count(pair.before, right)))
            before += wrong_before
        total += before
        fixed += done
        remaining_words += [clip(wrong)] if done < before else []
    if not total:
        raise UnscoredError("the original has none of the misspelled words")
    result = score_share(fixed, total, "misspelled words are corrected")
    return with_note(result, f"still misspelled: {', '.join(remaining_words[:5])}")

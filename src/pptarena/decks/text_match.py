"""Compare texts as a reader would."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from pptarena.decks.equivalence.text import has_hidden_text, normalize_line, strip_invisible
from pptarena.decks.match.similarity import multiset_similarity, words

__all__ = [
    "containment",
    "contains",
    "differs_in_punctuation",
    "normalize",
    "normalize_caseless",
    "text_similarity",
]

_MAX_TABLE = 400_000
_MAX_PARTIAL_SCORE = 0.8
_MAX_INEXACT_SCORE = 0.9
_MIN_CONTAINED_SCORE = 0.45
_MAX_SURPLUS = 1.5
_MAX_PAIRS = 400
_LONG_WORD = 5
_MISSPELLED_SCORE = 0.5
_MIN_WORD_SIMILARITY = 0.8
_MAX_HIDDEN_TEXT_SCORE = 0.5

_WORD = re.compile(r"\w+")
# A number with its sign, unit and separators, which distinguish it from other numbers.
_NUMBER = re.compile(r"[^\w\s]*\d(?:\S*[^\s.,;:!?])?")

# Inverse of autocorrect replacements.
_AUTOCORRECTED = str.maketrans(
    {
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{HYPHEN}": "-",
        "\N{MINUS SIGN}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
    }
)


@lru_cache(maxsize=8192)
def normalize(text: str) -> str:
    """Return a text with single spaces, plain quotes and dashes, and no invisible characters."""
    return " ".join(strip_invisible(text).translate(_AUTOCORRECTED).split())


def normalize_caseless(text: str) -> str:
    """Return a text normalized as by `normalize`, in lower case."""
    return normalize(text).casefold()


def contains(text: str, expected: str, match_case: bool) -> bool:
    """Return whether a text contains another; both are normalized as in `normalize`."""
    prepare = normalize if match_case else normalize_caseless
    return prepare(expected) in prepare(text)


def containment(text: str, expected: str, match_case: bool) -> float:
    """Return 1 if a text contains another, else 0.8 times the share of its words, in order.

    A text full of invisible characters, which break search and screen readers, scores at most 0.5.
    """
    if has_hidden_text(text) and not has_hidden_text(expected):
        return min(_MAX_HIDDEN_TEXT_SCORE, containment(strip_invisible(text), expected, match_case))
    if contains(text, expected, match_case) or _key(expected, match_case) in _key(text, match_case):
        return 1.0
    needle, haystack = words(normalize_caseless(expected)), words(normalize_caseless(text))
    return _MAX_PARTIAL_SCORE * _common(needle, haystack) / len(needle) if needle else 0.0


def text_similarity(text: str, expected: str, match_case: bool, *, exact: bool = False) -> float:
    """Return 1 if two texts read the same, else 0.9 times the share of words in common, in order.

    A misspelled long word counts half. Paragraph breaks count; a line break within a paragraph may
    stand for a paragraph break or for a space. A text with more words than expected loses the share
    of surplus words, but at most half of its score. A text that contains the entire expected text
    and at most 1.5 times as many additional words scores at least 0.45. A text full of invisible
    characters scores at most 0.5.

    Args:
        text: The current text.
        expected: The expected text.
        match_case: Whether letter case counts.
        exact: Whether the form of punctuation marks counts, for tasks about punctuation; see
            `normalize_line`.
    """
    if has_hidden_text(text) and not has_hidden_text(expected):
        return min(
            _MAX_HIDDEN_TEXT_SCORE,
            text_similarity(strip_invisible(text), expected, match_case, exact=exact),
        )
    prepare = normalize if match_case else normalize_caseless
    for line_break in ("\n", " "):
        lines = [_lines(side, line_break) for side in (text, expected)]
        first, second = ([prepare(x) for x in side] for side in lines)
        if first == second:
            return 1.0
        if not exact and len(first) == len(second):
            keys = [[_key(x, match_case) for x in side] for side in lines]
            if keys[0] == keys[1]:
                return 1.0
    left, right = words(normalize_caseless(text)), words(normalize_caseless(expected))
    total = len(left) + len(right)
    if not total:
        return 0.0
    similarity = 2 * _common(left, right) / total
    word_count, expected_count = (sum(word[0].isalnum() for word in side) for side in (left, right))
    surplus = max(0, word_count - expected_count) / max(1, expected_count)
    share = _MAX_INEXACT_SCORE * max(similarity - surplus, similarity / 2 if surplus else 0.0)
    contains_all = (
        expected_count > 1 and surplus <= _MAX_SURPLUS and contains(text, expected, match_case)
    )
    return max(share, _MIN_CONTAINED_SCORE) if contains_all else share


def differs_in_punctuation(text: str, expected: str, match_case: bool) -> bool:
    """Return whether two texts have the same words and numbers but differ in punctuation."""
    first, second = (
        side if match_case else side.casefold() for side in (normalize(text), normalize(expected))
    )
    same_words = _WORD.findall(first) == _WORD.findall(second) != []
    return same_words and _NUMBER.findall(first) == _NUMBER.findall(second)


def _key(text: str, match_case: bool) -> str:
    return normalize_line(text) if match_case else normalize_line(text).casefold()


def _lines(text: str, line_break: str) -> list[str]:
    return [line for line in text.replace("\v", line_break).splitlines() if line.strip()]


def _common(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the length of the longest common subsequence; a misspelled word counts half."""
    if len(first) * len(second) > _MAX_TABLE:
        # For texts so long that the computation would take seconds, word order is ignored.
        return multiset_similarity(first, second) * (len(first) + len(second)) / 2
    misspellings = _misspellings(first, second)
    row = [0.0] * (len(second) + 1)
    for word in first:
        diagonal = 0.0
        for j, other in enumerate(second, start=1):
            above = row[j]
            best = diagonal + 1 if word == other else max(above, row[j - 1])
            if (word, other) in misspellings:
                best = max(best, diagonal + _MISSPELLED_SCORE)
            row[j], diagonal = best, above
    return row[-1]


def _misspellings(first: Sequence[str], second: Sequence[str]) -> set[tuple[str, str]]:
    """Return pairs of long words, each in only one of the texts, that differ slightly."""
    left, right = (
        sorted(
            {word for word in side if len(word) >= _LONG_WORD and word.isalpha()} - {*other_side}
        )
        for side, other_side in ((first, second), (second, first))
    )
    if len(left) * len(right) > _MAX_PAIRS:
        return set()
    return {
        (word, other_word)
        for word in left
        for other_word in right
        if _is_misspelling(word, other_word)
    }


def _is_misspelling(word: str, other_word: str) -> bool:
    matcher = SequenceMatcher(None, word, other_word, autojunk=False)
    return matcher.quick_ratio() >= _MIN_WORD_SIMILARITY and matcher.ratio() >= _MIN_WORD_SIMILARITY

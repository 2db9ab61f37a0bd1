"""Compare texts as a reader would."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from pptarena.decks.equivalence.words import is_laden, reading, without_invisible
from pptarena.decks.match.likeness import multiset_likeness, words

__all__ = ["contains", "folded", "normal", "only_signs_differ", "share_found", "text_share"]

_MAX_TABLE = 400_000
_PART_LIMIT = 0.8
_ALMOST_LIMIT = 0.9
_WITH_MORE = 0.45
_TWICE = 1.5
_MAX_PAIRS = 400
_LONG_WORD = 5
_MISSPELT = 0.5
_NEARLY = 0.8
_LADEN = 0.5

_NAMED = re.compile(r"\w+")
# A number with its sign, unit and separators, which distinguish it from other numbers.
_FIGURE = re.compile(r"[^\w\s]*\d(?:\S*[^\s.,;:!?])?")

# Inverse of autocorrect replacements.
_CORRECTED = str.maketrans(
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
def normal(text: str) -> str:
    """Return a text with single spaces, plain quotes and dashes, and no invisible characters."""
    return " ".join(without_invisible(text).translate(_CORRECTED).split())


def folded(text: str) -> str:
    """Return `normal` text in lower case."""
    return normal(text).casefold()


def contains(text: str, wanted: str, match_case: bool) -> bool:
    """Return whether a text contains another; both are normalized as in `normal`."""
    prepare = normal if match_case else folded
    return prepare(wanted) in prepare(text)


def share_found(text: str, wanted: str, match_case: bool) -> float:
    """Return 1 if a text contains another, else 0.8 times the share of its words, in order.

    A text full of invisible characters, which break search and screen readers, scores at most 0.5.
    """
    if is_laden(text) and not is_laden(wanted):
        return min(_LADEN, share_found(without_invisible(text), wanted, match_case))
    if contains(text, wanted, match_case) or _key(wanted, match_case) in _key(text, match_case):
        return 1.0
    needle, hay = words(folded(wanted)), words(folded(text))
    return _PART_LIMIT * _common(needle, hay) / len(needle) if needle else 0.0


def text_share(text: str, wanted: str, match_case: bool, *, exact: bool = False) -> float:
    """Return 1 if two texts read the same, else 0.9 times the share of words in common, in order.

    A misspelled long word counts half. Paragraph breaks count; a line break within a paragraph may
    stand for a paragraph break or for a space. A text with more words than wanted loses the share
    of surplus words, but at most half of its score. A text that contains the entire wanted text
    and at most 1.5 times as many additional words scores at least 0.45. A text full of invisible
    characters scores at most 0.5.

    Args:
        text: The current text.
        wanted: The wanted text.
        match_case: Whether letter case counts.
        exact: Whether the form of punctuation marks counts, for tasks about it; see `reading`.
    """
    if is_laden(text) and not is_laden(wanted):
        return min(_LADEN, text_share(without_invisible(text), wanted, match_case, exact=exact))
    prepare = normal if match_case else folded
    for instead in ("\n", " "):
        lines = [_lines(side, instead) for side in (text, wanted)]
        first, second = ([prepare(x) for x in side] for side in lines)
        if first == second:
            return 1.0
        if not exact and len(first) == len(second):
            keys = [[_key(x, match_case) for x in side] for side in lines]
            if keys[0] == keys[1]:
                return 1.0
    left, right = words(folded(text)), words(folded(wanted))
    total = len(left) + len(right)
    if not total:
        return 0.0
    likeness = 2 * _common(left, right) / total
    found, asked = (sum(word[0].isalnum() for word in side) for side in (left, right))
    surplus = max(0, found - asked) / max(1, asked)
    share = _ALMOST_LIMIT * max(likeness - surplus, likeness / 2 if surplus else 0.0)
    whole = asked > 1 and surplus <= _TWICE and contains(text, wanted, match_case)
    return max(share, _WITH_MORE) if whole else share


def only_signs_differ(text: str, wanted: str, match_case: bool) -> bool:
    """Return whether two texts have the same words and numbers but differ in punctuation."""
    first, second = (
        side if match_case else side.casefold() for side in (normal(text), normal(wanted))
    )
    same = _NAMED.findall(first) == _NAMED.findall(second) != []
    return same and _FIGURE.findall(first) == _FIGURE.findall(second)


def _key(text: str, match_case: bool) -> str:
    return reading(text) if match_case else reading(text).casefold()


def _lines(text: str, line_break: str) -> list[str]:
    return [line for line in text.replace("\v", line_break).splitlines() if line.strip()]


def _common(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the length of the longest common subsequence; a misspelled word counts half."""
    if len(first) * len(second) > _MAX_TABLE:
        # For texts so long that the computation would take seconds, word order is ignored.
        return multiset_likeness(first, second) * (len(first) + len(second)) / 2
    alike = _misspelt(first, second)
    row = [0.0] * (len(second) + 1)
    for word in first:
        diagonal = 0.0
        for j, other in enumerate(second, start=1):
            above = row[j]
            best = diagonal + 1 if word == other else max(above, row[j - 1])
            if (word, other) in alike:
                best = max(best, diagonal + _MISSPELT)
            row[j], diagonal = best, above
    return row[-1]


def _misspelt(first: Sequence[str], second: Sequence[str]) -> set[tuple[str, str]]:
    """Return pairs of long words, each in only one of the texts, that differ slightly."""
    left, right = (
        sorted({word for word in these if len(word) >= _LONG_WORD and word.isalpha()} - {*those})
        for these, those in ((first, second), (second, first))
    )
    if len(left) * len(right) > _MAX_PAIRS:
        return set()
    return {(one, other) for one in left for other in right if _is_nearly(one, other)}


def _is_nearly(one: str, other: str) -> bool:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.quick_ratio() >= _NEARLY and matcher.ratio() >= _NEARLY

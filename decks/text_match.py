"""Comparing words as a reader would."""

from collections.abc import Sequence
from functools import lru_cache

from pptarena.decks.match.likeness import multiset_likeness, words

__all__ = ["contains", "folded", "normal", "share_found", "text_share"]

_MAX_TABLE = 400_000
_PART_LIMIT = 0.8
_ALMOST_LIMIT = 0.9

# What automatic correction makes of what was typed.
_CORRECTED = str.maketrans(
    {
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{NON-BREAKING HYPHEN}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{SOFT HYPHEN}": None,
        "\N{ZERO WIDTH SPACE}": None,
    }
)


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """Return a text with single blanks, and with plain quotes and dashes."""
    return " ".join(text.translate(_CORRECTED).split())


def folded(text: str) -> str:
    """Return `normal` text in small letters."""
    return normal(text).casefold()


def contains(text: str, wanted: str, match_case: bool) -> bool:
    """Return whether a text contains another; blanks, quotes and dashes count as `normal`."""
    prepare = normal if match_case else folded
    return prepare(wanted) in prepare(text)


def share_found(text: str, wanted: str, match_case: bool) -> float:
    """Return 1 if a text contains another, else 0.8 times the share of its words, in order."""
    if contains(text, wanted, match_case):
        return 1.0
    needle, hay = words(folded(wanted)), words(folded(text))
    return _PART_LIMIT * _common(needle, hay) / len(needle) if needle else 0.0


def text_share(text: str, wanted: str, match_case: bool) -> float:
    """Return 1 if two texts read the same, else 0.9 times the share of words in common, in order.

    Paragraphs count: texts that differ only in where paragraphs end are not the same. A line break
    within a paragraph may stand for the end of a paragraph, or for a blank. A text with more words
    than wanted loses their share once more, but half of what it has at most.
    """
    prepare = normal if match_case else folded
    for instead in ("\n", " "):
        first, second = ([prepare(x) for x in _lines(side, instead)] for side in (text, wanted))
        if first == second:
            return 1.0
    left, right = words(folded(text)), words(folded(wanted))
    total = len(left) + len(right)
    if not total:
        return 0.0
    likeness = 2 * _common(left, right) / total
    found, asked = (sum(word[0].isalnum() for word in side) for side in (left, right))
    surplus = max(0, found - asked) / max(1, asked)
    return _ALMOST_LIMIT * max(likeness - surplus, likeness / 2 if surplus else 0.0)


def _lines(text: str, line_break: str) -> list[str]:
    return [line for line in text.replace("\v", line_break).splitlines() if line.strip()]


def _common(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the length of the longest common subsequence of two lists of words."""
    if len(first) * len(second) > _MAX_TABLE:
        # Order is given up for texts so long that it would take seconds.
        return multiset_likeness(first, second) * (len(first) + len(second)) / 2
    row = [0] * (len(second) + 1)
    for word in first:
        diagonal = 0
        for j, other in enumerate(second, start=1):
            above = row[j]
            row[j] = diagonal + 1 if word == other else max(above, row[j - 1])
            diagonal = above
    return float(row[-1])

"""One substitution for all texts and numbers of a deck, its tasks and the files beside it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Protocol

__all__ = ["Replacement", "Rewriter", "Substitution"]

_FIGURE = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Replacement:
    """Some letters of a text, and what stands there instead.

    Attributes:
        start: First letter.
        end: Behind the last letter.
        text: What stands there instead.
    """

    start: int
    end: int
    text: str


class Rewriter(Protocol):
    """What texts and numbers are rewritten by."""

    def find(self, text: str) -> Iterator[Replacement]:
        """Yield what is to be replaced in a text, in its order."""
        ...

    def text(self, text: str) -> str:
        """Return a text with all of it replaced."""
        ...

    def number(self, text: str) -> str:
        """Return a number as it is stored, or what stands instead of it."""
        ...


@dataclass(frozen=True)
class Substitution:
    """Replaces words, and figures, wherever they stand by themselves.

    All are replaced at once, the longest first, so that nothing is replaced twice.

    Attributes:
        words: What stands instead of each word or phrase. A word of letters that are divided by
            spaces is not found within a longer one.
        numbers: What stands instead of each number where it is stored as a number.
    """

    words: Mapping[str, str]
    numbers: Mapping[Decimal, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_pattern", _pattern_of(self.words))

    def find(self, text: str) -> Iterator[Replacement]:
        """Yield what is to be replaced in a text, in its order."""
        pattern: re.Pattern[str] | None = self.__dict__["_pattern"]
        if pattern is not None:
            for found in pattern.finditer(text):
                yield Replacement(found.start(), found.end(), self.words[found[0]])

    def text(self, text: str) -> str:
        """Return a text with all words and figures replaced."""
        pieces, done = [], 0
        for each in self.find(text):
            pieces += [text[done : each.start], each.text]
            done = each.end
        return "".join([*pieces, text[done:]])

    def number(self, text: str) -> str:
        """Return a number as it is stored, such as ``1180.0``, or what stands instead of it."""
        try:
            return self.numbers.get(Decimal(text), text)
        except InvalidOperation:
            return text

    def leftovers(self, text: str) -> list[str]:
        """Return the old words that stand in a text; figures may recur by chance."""
        found = (text[each.start : each.end] for each in self.find(text))
        return [word for word in found if not _FIGURE.fullmatch(word)]


def _pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(_alone, longest_first))) if longest_first else None


def _alone(word: str) -> str:
    """Return a pattern that finds a word or figure, but not within a longer one."""
    first, last = word[0], word[-1]
    before = after = ""
    if first.isdigit():
        before = r"(?<!\d)(?<!\d[.,])"
    elif _is_divided(first):
        before = r"(?<![^\W_])"
    if last.isdigit():
        after = r"(?!\d)(?![.,]\d)"
    elif _is_divided(last):
        after = r"(?![^\W_])"
    return f"{before}{re.escape(word)}{after}"


def _is_divided(letter: str) -> bool:
    """Return whether words of this letter are divided by spaces; those of East Asia are not."""
    return letter.isalpha() and letter < "\u2e80"

"""One substitution for all texts and numbers of a deck, its tasks and attachments."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Protocol

__all__ = ["Replacement", "Rewriter", "Substitution"]

_FIGURE = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Replacement:
    """A range of a text and its replacement.

    Attributes:
        start: Index of the first character.
        end: Index after the last character.
        text: The new text.
    """

    start: int
    end: int
    text: str


class Rewriter(Protocol):
    """Rewrites texts and numbers."""

    def find(self, text: str) -> Iterator[Replacement]:
        """Yield the replacements in a text, in order."""
        ...

    def text(self, text: str) -> str:
        """Return a text with all replacements applied."""
        ...

    def number(self, text: str) -> str:
        """Return the replacement of a stored number, or the number itself."""
        ...


@dataclass(frozen=True)
class Substitution:
    """Replaces words, phrases and figures that are not part of longer ones.

    All replacements are applied in one pass, longest match first, so nothing is replaced twice.

    Attributes:
        words: Replacement of each word or phrase. In scripts that separate words by spaces, a word
            does not match inside a longer word.
        numbers: Replacement of each number that is stored as a number.
    """

    words: Mapping[str, str]
    numbers: Mapping[Decimal, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_pattern", _pattern_of(self.words))

    def find(self, text: str) -> Iterator[Replacement]:
        """Yield the replacements in a text, in order."""
        pattern: re.Pattern[str] | None = self.__dict__["_pattern"]
        if pattern is not None:
            for match in pattern.finditer(text):
                yield Replacement(match.start(), match.end(), self.words[match[0]])

    def text(self, text: str) -> str:
        """Return a text with all replacements applied."""
        pieces, end = [], 0
        for each in self.find(text):
            pieces += [text[end : each.start], each.text]
            end = each.end
        return "".join([*pieces, text[end:]])

    def number(self, text: str) -> str:
        """Return the replacement of a stored number such as ``1180.0``, or the number itself."""
        try:
            return self.numbers.get(Decimal(text), text)
        except InvalidOperation:
            return text

    def leftovers(self, text: str) -> list[str]:
        """Return the old words left in a text; figures are ignored, since they recur by chance."""
        matches = (text[each.start : each.end] for each in self.find(text))
        return [word for word in matches if not _FIGURE.fullmatch(word)]


def _pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(_whole_word_pattern, longest_first))) if longest_first else None


def _whole_word_pattern(word: str) -> str:
    """Return a pattern that matches a word or figure, but not inside a longer one."""
    first, last = word[0], word[-1]
    before = after = ""
    if first.isdigit():
        before = r"(?<!\d)(?<!\d[.,])"
    elif _uses_spaces(first):
        before = r"(?<![^\W_])"
    if last.isdigit():
        after = r"(?!\d)(?![.,]\d)"
    elif _uses_spaces(last):
        after = r"(?![^\W_])"
    return f"{before}{re.escape(word)}{after}"


def _uses_spaces(character: str) -> bool:
    """Return whether the letter's script separates words by spaces; East Asian ones do not."""
    return character.isalpha() and character < "\u2e80"

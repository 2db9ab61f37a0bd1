"""Slots: wording of values in instructions, and parsing of that wording."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.tasks.grow.references import quotable

__all__ = ["COLOR", "COLORS", "NAME", "NUMBER", "TEXT", "Slot", "choice"]

COLORS = {
    "red": "C00000",
    "orange": "ED7D31",
    "yellow": "FFD500",
    "green": "00963F",
    "blue": "0050C8",
    "purple": "7030A0",
    "dark blue": "1F3864",
    "dark green": "0B5323",
    "dark red": "7B0F0F",
    "light blue": "BDD7EE",
    "light green": "C6E0B4",
}
"""Color words with the color that each sets."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A type of value.

    Attributes:
        say: Returns the wording of a value.
        pattern: Regular expression of the wording.
        read: Parses a wording.
        fits: Whether a value can be worded.
    """

    say: Callable[[Any], str]
    pattern: str
    read: Callable[[str], Any]
    fits: Callable[[Any], bool] = lambda value: True


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value == int(value) else value


def choice(words: Mapping[Any, str]) -> Slot:
    """Return a slot whose values have fixed wordings."""
    back = {word: value for value, word in words.items()}
    longest = sorted(map(re.escape, back), key=len, reverse=True)
    return Slot(lambda v: words[v], "|".join(longest), lambda t: back[t], lambda v: v in words)


TEXT = Slot(lambda v: f'"{v}"', '"[^"]+"', lambda t: t[1:-1], lambda v: quotable(str(v)))
"""A text in quotation marks."""

NUMBER = Slot(lambda v: f"{v:g}", r"-?\d+(?:\.\d+)?", _number)
"""A number."""

COLOR = choice({name: name for name in COLORS})
"""A color word."""

NAME = Slot(str, r".+?", str)
"""The name of another object of the deck, from `References`."""

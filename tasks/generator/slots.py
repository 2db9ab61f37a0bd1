"""Slots: wording of values in instructions, and parsing of that wording."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.tasks.generator.references import quotable

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
"""Colors by name, as RRGGBB."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A type of value.

    Attributes:
        format: Returns the wording of a value.
        pattern: Regular expression that matches any wording.
        parse: Returns the value of a wording.
        fits: Returns whether a value can be worded.
    """

    format: Callable[[Any], str]
    pattern: str
    parse: Callable[[str], Any]
    fits: Callable[[Any], bool] = lambda value: True


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value == int(value) else value


def choice(wordings: Mapping[Any, str]) -> Slot:
    """Return a slot whose values have fixed wordings."""
    values = {word: value for value, word in wordings.items()}
    longest = sorted(map(re.escape, values), key=len, reverse=True)
    return Slot(
        lambda v: wordings[v], "|".join(longest), lambda t: values[t], lambda v: v in wordings
    )


TEXT = Slot(lambda v: f'"{v}"', '"[^"]+"', lambda t: t[1:-1], lambda v: quotable(str(v)))
"""A text in quotation marks."""

NUMBER = Slot(lambda v: f"{v:g}", r"-?\d+(?:\.\d+)?", _number)
"""A number."""

COLOR = choice({name: name for name in COLORS})
"""The name of a color."""

NAME = Slot(str, r".+?", str)
"""The name of another object of the deck, from `References`."""

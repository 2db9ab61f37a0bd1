"""Argument types of macros."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from pptarena.decks.selectors import require_spec

__all__ = [
    "HEX",
    "ON",
    "SHAPE",
    "SLIDE",
    "Argument",
    "MacroWords",
    "choice_argument",
    "count_argument",
    "is_numbers",
    "is_rows",
    "is_shape",
    "is_step",
    "is_texts",
    "number_argument",
    "text_argument",
]

_COLOR = re.compile(r"#?[0-9A-Fa-f]{6}")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a macro.

    Attributes:
        expected: Description of valid values, for messages.
        fits: Whether a value is valid.
        required: Whether the argument is required.
    """

    expected: str
    fits: Callable[[Any], bool]
    required: bool = True


@dataclass(frozen=True, slots=True)
class MacroWords:
    """The signature of a macro.

    Attributes:
        purpose: Its result, in one line.
        arguments: Arguments by name, in order.
        one_of: Arguments of which at least one is required.
    """

    purpose: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    one_of: tuple[str, ...] = ()


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_step(value: Any) -> bool:
    """Return whether a value is an integer other than 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value != 0


def is_shape(value: Any) -> bool:
    """Return whether a value is a valid shape selector."""
    if not isinstance(value, str):
        return False
    try:
        require_spec(value)
    except ValueError:
        return False
    return True


def is_numbers(value: Any) -> bool:
    """Return whether a value is a non-empty list of numbers."""
    return isinstance(value, list) and bool(value) and all(map(_is_number, value))


def is_texts(value: Any) -> bool:
    """Return whether a value is a non-empty list of texts."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def is_rows(value: Any) -> bool:
    """Return whether a value is a list of equally long lists of texts."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(map(is_texts, value))
        and len({len(row) for row in value}) == 1
    )


def text_argument(*, required: bool = True, empty: bool = True) -> Argument:
    """Return an argument that accepts a text."""

    def fits(value: Any) -> bool:
        return isinstance(value, str) and (empty or bool(value.strip()))

    return Argument("a text" if empty else "a text that is not empty", fits, required)


def count_argument(*, required: bool = True) -> Argument:
    """Return an argument that accepts an integer from 1."""
    return Argument("a whole number from 1", _is_count, required)


def number_argument(
    expected: str, *, least: float | None = None, required: bool = False
) -> Argument:
    """Return an argument that accepts a number, optionally with a minimum."""

    def fits(value: Any) -> bool:
        return _is_number(value) and (least is None or value >= least)

    return Argument(expected, fits, required)


def choice_argument(*choices: str, required: bool = True) -> Argument:
    """Return an argument that accepts one of several choices."""
    return Argument(f"one of {', '.join(choices)}", lambda value: value in choices, required)


SLIDE = count_argument()
SHAPE = Argument("a shape as rubrics name it, such as @title or 'Logo'", is_shape)
ON = {"slide": SLIDE, "shape": SHAPE}
HEX = Argument(
    "a colour of six hexadecimal digits, such as 1F4E79",
    lambda value: isinstance(value, str) and _COLOR.fullmatch(value) is not None,
)

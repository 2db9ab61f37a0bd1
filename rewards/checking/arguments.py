"""Kinds of arguments that several checks have: colours, shapes, texts, positions in tables."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field

from pptarena.decks.selectors import KINDS, require_spec
from pptarena.decks.text_match import normal
from pptarena.rewards.checking.colors import is_color

__all__ = [
    "Cells",
    "Code",
    "Color",
    "ColorOrNone",
    "Correction",
    "Count",
    "Kind",
    "Level",
    "Line",
    "Lines",
    "Number",
    "OldSelector",
    "Pair",
    "Question",
    "Selector",
    "SeveralShapes",
    "Texts",
    "ThemeColor",
]

ValueT = TypeVar("ValueT")


def _only(allows: Callable[[ValueT], object], expected: str) -> AfterValidator:
    """Return what refuses a value unless a test allows it; the message says what is expected."""

    def validate(value: ValueT) -> ValueT:
        if not allows(value):
            given = list(value) if isinstance(value, tuple) else value
            raise ValueError(f"expected {expected}, got {given!r}")
        return value

    return AfterValidator(validate)


def _are_several(values: tuple[object, ...]) -> bool:
    return len(set(values)) == len(values) > 1


def _selector(value: str) -> str:
    require_spec(value, new=True)
    return value


def _old_selector(value: str) -> str:
    require_spec(value)
    return value


def _theme_color(value: tuple[str, ...]) -> tuple[str, ...]:
    name, color = value
    if not is_color(color):
        raise ValueError(f"expected {_A_COLOR}, got {color!r}")
    if name.startswith("#"):
        raise ValueError(f"expected a name such as accent1, got {name!r}")
    return value


def _are_correction(pair: tuple[str, ...]) -> bool:
    wrong, right = map(normal, pair)
    return bool(wrong) and wrong != right


_A_COLOR = "a colour like '#1F4E79', 'accent1', 'dark blue', 'red|orange' or 'not red'"


Pair = Annotated[tuple[str, ...], Field(min_length=2, max_length=2)]
"""Two texts that belong together."""

Color = Annotated[str, _only(is_color, _A_COLOR)]
"""``#RRGGBB``, a colour of the theme such as ``accent1``, or words; see `checking.colors`."""

ColorOrNone = Annotated[
    str,
    _only(lambda color: color == "none" or is_color(color), _A_COLOR),
    Field(description='or `"none"`'),
]
"""A colour, or ``none``."""

Selector = Annotated[str, AfterValidator(_selector)]
"""A selector: it names a shape, perhaps one that the task creates."""

OldSelector = Annotated[str, AfterValidator(_old_selector)]
"""A selector of a shape that the original has."""

SeveralShapes = Annotated[
    tuple[Selector, ...], _only(lambda shapes: len(shapes) > 1, "two or more shapes")
]
"""Two or more shapes."""

Kind = Annotated[
    str,
    _only(KINDS.__contains__, f"kind to be one of {', '.join(KINDS)}"),
    Field(description="as after `@`"),
]
"""A kind of shape."""

Texts = Annotated[
    tuple[str, ...],
    _only(lambda texts: texts and all(map(normal, texts)), "a list of texts that are not empty"),
]
"""One or more texts."""

Count = Annotated[int, Field(ge=1)]
"""How many of something there should be."""

Number = Annotated[int, Field(ge=0)]
"""A number from 0."""

Level = Annotated[int, Field(ge=0, le=8)]
"""An outline level."""


Question = Annotated[str, _only(str.strip, "a question that is not empty")]
"""What a model is asked; the answer is the share of it that is true now, from 0 to 1."""

Code = Annotated[str, _only(str.strip, "code that is not empty")]
"""Python source that defines ``compute_score() -> (reason, score)``."""

ThemeColor = Annotated[Pair, AfterValidator(_theme_color)]
"""Name of a colour of the theme, and the colour that it should be."""

Correction = Annotated[Pair, _only(_are_correction, "a pair [wrong, right] of different words")]
"""A wrong word, and the right one."""

Line = Annotated[int | str, Field(description="position from 1, or text of the first cell")]
"""A row or column of a table: its position from 1, or the text of its first cell."""

Lines = Annotated[tuple[str, ...], _only(_are_several, "two or more different labels")]
"""Two or more rows or columns of a table, each by the text of its first cell."""

Cells = Annotated[
    tuple[str | None, ...],
    _only(any, "cells with at least one text"),
    Field(description="`null` = any text"),
]
"""The texts of a row or column; None stands for any text."""

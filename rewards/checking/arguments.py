"""Argument types shared by several checks: colors, shapes, texts, table positions."""

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
    """Return a validator that rejects values unless a predicate accepts them."""

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
"""``#RRGGBB``, a theme color such as ``accent1``, or color words; see `checking.colors`."""

ColorOrNone = Annotated[
    str,
    _only(lambda color: color == "none" or is_color(color), _A_COLOR),
    Field(description='or `"none"`'),
]
"""A color, or ``none``."""

Selector = Annotated[str, AfterValidator(_selector)]
"""A shape selector; the shape may be one that the task creates."""

OldSelector = Annotated[str, AfterValidator(_old_selector)]
"""A selector of a shape in the original."""

SeveralShapes = Annotated[
    tuple[Selector, ...], _only(lambda shapes: len(shapes) > 1, "two or more shapes")
]
"""Two or more shapes."""

Kind = Annotated[
    str,
    _only(KINDS.__contains__, f"kind to be one of {', '.join(KINDS)}"),
    Field(description="as after `@`"),
]
"""A type of shape."""

Texts = Annotated[
    tuple[str, ...],
    _only(lambda texts: texts and all(map(normal, texts)), "a list of texts that are not empty"),
]
"""One or more texts."""

Count = Annotated[int, Field(ge=1)]
"""A number from 1."""

Number = Annotated[int, Field(ge=0)]
"""A number from 0."""

Level = Annotated[int, Field(ge=0, le=8)]
"""An outline level, 0 to 8."""


Question = Annotated[str, _only(str.strip, "a question that is not empty")]
"""A question to a model. The answer is the degree to which it is true, from 0 to 1."""

Code = Annotated[str, _only(str.strip, "code that is not empty")]
"""Python source that defines ``compute_score() -> (reason, score)``."""

ThemeColor = Annotated[Pair, AfterValidator(_theme_color)]
"""Name of a theme color, and its expected value."""

Correction = Annotated[Pair, _only(_are_correction, "a pair [wrong, right] of different words")]
"""A wrong word and its correction."""

Line = Annotated[int | str, Field(description="position from 1, or text of the first cell")]
"""A row or column of a table: its 1-based position, or the text of its first cell."""

Lines = Annotated[tuple[str, ...], _only(_are_several, "two or more different labels")]
"""Two or more rows or columns of a table, each by the text of its first cell."""

Cells = Annotated[
    tuple[str | None, ...],
    _only(any, "cells with at least one text"),
    Field(description="`null` = any text"),
]
"""Texts of a row or column; None matches any text."""

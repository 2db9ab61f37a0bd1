"""Kinds of arguments that several checks have: colours, shapes, texts, positions in tables."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from pptarena.decks.selectors import KINDS, require_spec
from pptarena.decks.text_match import normal

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
    "Order",
    "Pair",
    "Question",
    "Selector",
    "SeveralShapes",
    "Texts",
    "ThemeColor",
]

_HEX = re.compile(r"#[0-9A-Fa-f]{6}")
_THEME = re.compile(r"(accent[1-6]|dk[12]|lt[12]|tx[12]|bg[12]|hlink|folHlink)")


def _color(value: str) -> str:
    if not _HEX.fullmatch(value) and not _THEME.fullmatch(value):
        raise ValueError(f"expected a colour like '#1F4E79' or 'accent1', got {value!r}")
    return value


def _color_or_none(value: str) -> str:
    return value if value == "none" else _color(value)


def _selector(value: str) -> str:
    require_spec(value)
    return value


def _kind(value: str) -> str:
    if value not in KINDS:
        raise ValueError(f"expected kind to be one of {', '.join(KINDS)}, got {value!r}")
    return value


def _two_or_more(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(value) < 2:
        raise ValueError(f"expected two or more shapes, got {list(value)}")
    return value


def _texts(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value or not all(normal(text) for text in value):
        raise ValueError(f"expected a list of texts that are not empty, got {list(value)}")
    return value


def _cells(value: tuple[str | None, ...]) -> tuple[str | None, ...]:
    if not any(value):
        raise ValueError(f"expected cells with at least one text, got {list(value)}")
    return value


def _labels(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) != len(value) or len(value) < 2:
        raise ValueError(f"expected two or more different labels, got {list(value)}")
    return value


def _order(value: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(value)) != len(value) or len(value) < 2:
        raise ValueError(f"expected two or more different slides, got {list(value)}")
    return value


def _question(value: str) -> str:
    if not value.strip():
        raise ValueError(f"expected a question that is not empty, got {value!r}")
    return value


def _code(value: str) -> str:
    if not value.strip():
        raise ValueError(f"expected code that is not empty, got {value!r}")
    return value


def _theme_color(value: tuple[str, ...]) -> tuple[str, ...]:
    name, color = value
    _color(color)
    if name.startswith("#"):
        raise ValueError(f"expected a name such as accent1, got {name!r}")
    return value


def _correction(value: tuple[str, ...]) -> tuple[str, ...]:
    wrong, right = map(normal, value)
    if not wrong or wrong == right:
        raise ValueError(f"expected a pair [wrong, right] of different words, got {list(value)}")
    return value


Pair = Annotated[tuple[str, ...], Field(min_length=2, max_length=2)]
"""Two texts that belong together."""

Color = Annotated[str, AfterValidator(_color)]
"""``#RRGGBB``, or a colour of the theme such as ``accent1``."""

ColorOrNone = Annotated[str, AfterValidator(_color_or_none), Field(description='or `"none"`')]
"""A colour, or ``none``."""

Selector = Annotated[str, AfterValidator(_selector)]
"""Words that mean a shape."""

SeveralShapes = Annotated[tuple[Selector, ...], AfterValidator(_two_or_more)]
"""Two or more shapes."""

Kind = Annotated[str, AfterValidator(_kind), Field(description="as after `@`")]
"""A kind of shape."""

Texts = Annotated[tuple[str, ...], AfterValidator(_texts)]
"""One or more texts."""

Count = Annotated[int, Field(ge=1)]
"""How many of something there should be."""

Number = Annotated[int, Field(ge=0)]
"""A number from 0."""

Level = Annotated[int, Field(ge=0, le=8)]
"""An outline level."""

Order = Annotated[tuple[int, ...], AfterValidator(_order)]
"""Two or more slides, each once."""

Question = Annotated[str, AfterValidator(_question)]
"""What a model is asked; the answer is the share of it that is true now, from 0 to 1."""

Code = Annotated[str, AfterValidator(_code)]
"""Python source that defines ``compute_score() -> (reason, score)``."""

ThemeColor = Annotated[Pair, AfterValidator(_theme_color)]
"""Name of a colour of the theme, and the colour that it should be."""

Correction = Annotated[Pair, AfterValidator(_correction)]
"""A wrong word, and the right one."""

Line = Annotated[int | str, Field(description="position from 1, or text of the first cell")]
"""A row or column of a table: its position from 1, or the text of its first cell."""

Lines = Annotated[tuple[str, ...], AfterValidator(_labels)]
"""Two or more rows or columns of a table, each by the text of its first cell."""

Cells = Annotated[
    tuple[str | None, ...], AfterValidator(_cells), Field(description="`null` = any text")
]
"""The texts of a row or column; None stands for any text."""

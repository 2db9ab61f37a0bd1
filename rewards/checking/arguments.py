"""Arguments shared by several checks: the slides and shapes, colors, texts, table positions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field

from pptarena.decks.selectors import KINDS, is_new_spec, require_spec
from pptarena.decks.text_match import normalize
from pptarena.rewards.checking.values import is_color
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest_position, to_plain_json

__all__ = [
    "SHAPE_KEYS",
    "SLIDE_KEYS",
    "Address",
    "Cells",
    "Code",
    "Color",
    "ColorOrNone",
    "Correction",
    "Count",
    "Kind",
    "LabeledValues",
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
    "require_keys",
    "require_old",
]


ValueT = TypeVar("ValueT")


def _require(allows: Callable[[ValueT], object], expected: str) -> AfterValidator:
    """Return a validator that rejects values unless a predicate accepts them."""

    def validate(value: ValueT) -> ValueT:
        if not allows(value):
            plain_value = list(value) if isinstance(value, tuple) else value
            raise ValueError(f"expected {expected}, got {plain_value!r}")
        return value

    return AfterValidator(validate)


def _are_distinct(values: tuple[object, ...]) -> bool:
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
        raise ValueError(f"expected {_COLOR_FORMAT}, got {color!r}")
    if name.startswith("#"):
        raise ValueError(f"expected a name such as accent1, got {name!r}")
    return value


def _is_correction(pair: tuple[str, ...]) -> bool:
    wrong, right = map(normalize, pair)
    return bool(wrong) and wrong != right


_COLOR_FORMAT = "a color such as '#1F4E79', 'accent1', 'dark blue', 'red|orange' or 'not red'"


Pair = Annotated[tuple[str, ...], Field(min_length=2, max_length=2)]
"""Two texts that belong together."""

Color = Annotated[str, _require(is_color, _COLOR_FORMAT)]
"""``#RRGGBB``, a theme color such as ``accent1``, or color words; see `checking.values`."""

ColorOrNone = Annotated[
    str,
    _require(lambda color: color == "none" or is_color(color), _COLOR_FORMAT),
    Field(description='or `"none"`'),
]
"""A color, or ``none``."""

Selector = Annotated[str, AfterValidator(_selector)]
"""A shape selector; the shape may be one that the task creates."""

OldSelector = Annotated[str, AfterValidator(_old_selector)]
"""A selector of a shape in the original."""

SeveralShapes = Annotated[
    tuple[Selector, ...], _require(lambda shapes: len(shapes) > 1, "two or more shapes")
]
"""Two or more shapes."""

Kind = Annotated[
    str,
    _require(KINDS.__contains__, f"kind to be one of {', '.join(KINDS)}"),
    Field(description="as after `@`"),
]
"""A type of shape."""

Texts = Annotated[
    tuple[str, ...],
    _require(lambda texts: texts and all(map(normalize, texts)), "a list of non-empty texts"),
]
"""One or more texts."""

Count = Annotated[int, Field(ge=1)]
"""A number from 1."""

Number = Annotated[int, Field(ge=0)]
"""A number from 0."""

Level = Annotated[int, Field(ge=0, le=8)]
"""An outline level, 0 to 8."""


Question = Annotated[str, _require(str.strip, "a non-empty question")]
"""A question to a model. The answer is the degree to which it is true, from 0 to 1."""

Code = Annotated[str, _require(str.strip, "non-empty code")]
"""Python source that defines ``compute_score() -> (reason, score)``."""

ThemeColor = Annotated[Pair, AfterValidator(_theme_color)]
"""Name of a theme color, and its expected value."""

Correction = Annotated[Pair, _require(_is_correction, "a pair [wrong, right] of different words")]
"""A wrong word and its correction."""

LabeledValues = Annotated[
    tuple[Pair, ...],
    _require(
        lambda pairs: (
            len(pairs) > 1 and all(map(normalize, "|".join(map("|".join, pairs)).split("|")))
        ),
        "two or more pairs [label, value] of non-empty texts",
    ),
    Field(description="pairs of a label and a value; a vertical bar separates alternatives"),
]
"""Values with their labels, such as years with their figures."""

Line = Annotated[int | str, Field(description="position from 1, or text of the first cell")]
"""A row or column of a table: its 1-based position, or the text of its first cell."""

Lines = Annotated[tuple[str, ...], _require(_are_distinct, "two or more different labels")]
"""Two or more rows or columns of a table, each by the text of its first cell."""

Cells = Annotated[
    tuple[str | None, ...],
    _require(any, "cells with at least one text"),
    Field(description="`null` = any text"),
]
"""Texts of a row or column; None matches any text."""


SLIDE_KEYS = ("slide", "slides", "slide_now", "slide_new")
SHAPE_KEYS = ("shape", "shape_now")


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Selects slides, and optionally a shape on each of them. Exactly one slide key is set.

    Attributes:
        slide: 1-based position in the original.
        slides: Several positions in the original, or all of them.
        skips_missing: Whether slides without the shape are skipped, because `slides` is a rule.
        slide_now: 1-based position in the current deck.
        slide_new: The n-th added slide, from 1.
        visible: Whether invisible shapes and text count as missing, unless they were already
            invisible in the original.
        shape: A shape of the original slide, followed to the current deck.
        shape_now: A shape of the current slide.
    """

    slide: OneSlide | None = None
    slides: SeveralSlides | None = None
    skips_missing: bool = False
    slide_now: int | None = None
    slide_new: int | None = None
    visible: bool = True
    shape: Selector | None = None
    shape_now: Selector | None = None

    @property
    def selector(self) -> str | None:
        """The selector of the shape; None if no shape is named."""
        return self.shape if self.shape is not None else self.shape_now

    @classmethod
    def split(cls, values: Mapping[str, Any]) -> tuple["Address", dict[str, Any]]:
        """Split the arguments of a check into the address and the remaining arguments."""
        arguments = {name: value for name, value in values.items() if name not in _FIELD_NAMES}
        return cls(**{name: values[name] for name in values if name in _FIELD_NAMES}), arguments


_FIELD_NAMES = frozenset(field.name for field in fields(Address))


def require_old(values: Mapping[str, Any]) -> None:
    """Raise ValueError for a shape created by the task, if a check requires an original shape."""
    for key in SHAPE_KEYS:
        if is_new_spec(values[key]):
            raise ValueError(f"expected a shape of the original, got {values[key]!r}")


def require_keys(values: Mapping[str, Any], shape: str) -> None:
    """Raise ValueError unless exactly one slide key is set, and shapes match `CheckSpec.shape`."""
    slide_values = [values[name] for name in SLIDE_KEYS if values[name] is not None]
    if len(slide_values) != 1:
        raise ValueError(
            f"expected exactly one of {', '.join(SLIDE_KEYS)}, got {len(slide_values)}"
        )
    if slide_values[0] == () or lowest_position(slide_values[0]) < 1:
        slides = to_plain_json(slide_values[0])
        raise ValueError(
            f"slide positions start at 1, and a list of slides must not be empty, got {slides}"
        )
    shapes = 0 if shape == "none" else sum(values[name] is not None for name in SHAPE_KEYS)
    if shapes > 1 or (shape == "required" and not shapes):
        quantifier = "exactly" if shape == "required" else "at most"
        raise ValueError(f"expected {quantifier} one of {', '.join(SHAPE_KEYS)}, got {shapes}")

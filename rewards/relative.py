"""Rubric values that depend on the deck: the last slide, slides of a layout, 30 % of a width.

A file may contain ``"last"`` where code expects a number. The types defined here accept both, and
`resolve_values` resolves them once the deck is known, so checks and scopes receive only numbers.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema

from pptarena.decks import Deck, Slide
from pptarena.decks.text_match import normalize_caseless
from pptarena.errors import UnscoredError

__all__ = [
    "HeightEmu",
    "LengthEmu",
    "OneSlide",
    "Relative",
    "SeveralSlides",
    "WidthEmu",
    "is_rule",
    "lowest_position",
    "resolve_values",
    "to_plain_json",
]

_UNITS_EMU = {"emu": 1, "mm": 36_000, "cm": 360_000, "in": 914_400, "pt": 12_700}
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?) ?(emu|mm|cm|in|pt|%)")


@dataclass(frozen=True, slots=True)
class Relative:
    """A value that depends on the deck.

    Attributes:
        raw: The value as written in the file.
        resolve: Resolves the raw value for a deck; raises UnscoredError if a slide is missing.
        uses_original: Whether it is resolved with the original rather than the current deck.
    """

    raw: Any
    resolve: Callable[[Any, Deck], Any]
    uses_original: bool = True


def resolve_values(values: Mapping[str, Any], original: Deck, current: Deck) -> dict[str, Any]:
    """Return the values with those that depend on the deck resolved.

    Raises:
        UnscoredError: If the original lacks a required slide.
    """
    return {
        name: value.resolve(value.raw, original if value.uses_original else current)
        if isinstance(value, Relative)
        else value
        for name, value in values.items()
    }


def to_plain_json(value: Any) -> Any:
    """Return a value in its JSON form."""
    if isinstance(value, Relative):
        return to_plain_json(value.raw)
    if isinstance(value, SlidesTitled):
        return {"title": value.title}
    if isinstance(value, SlidesOfLayout):
        return {"layout": value.layout}
    if isinstance(value, AllExcept):
        return {"except": to_plain_json(value.slides)}
    return [to_plain_json(each) for each in value] if isinstance(value, tuple) else value


def is_rule(value: Any) -> bool:
    """Return whether a slide value is a rule rather than a list."""
    if isinstance(value, Relative):
        return not isinstance(value.raw, tuple)
    return bool(value == "all")


def lowest_position(value: Any) -> int:
    """Return the lowest position in a slide value, or 1 if it contains no number."""
    if isinstance(value, Relative):
        return lowest_position(value.raw)
    if isinstance(value, AllExcept):
        return lowest_position(value.slides)
    if isinstance(value, tuple):
        return min(map(lowest_position, value), default=1)
    return value if isinstance(value, int) else 1


@dataclass(frozen=True, slots=True)
class SlidesTitled:
    """Slides with a title, ignoring case and whitespace."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    title: str


@dataclass(frozen=True, slots=True)
class SlidesOfLayout:
    """Slides of a layout, by its name."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    layout: str


_SlideValue = Annotated[int, Field(ge=0)] | Literal["last"] | SlidesTitled


@dataclass(frozen=True, slots=True)
class AllExcept:
    """All slides except some."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    slides: Annotated[tuple[_SlideValue, ...], Field(alias="except", min_length=1)]


_SlidesValue = tuple[_SlideValue, ...] | Literal["all"] | SlidesTitled | SlidesOfLayout | AllExcept


def _resolve_slide(raw: Any, deck: Deck) -> int:
    if isinstance(raw, int):
        return raw
    if raw == "last":
        return len(deck.slides)
    positions = _positions_by_title(raw.title, deck)
    if len(positions) > 1:
        raise UnscoredError(f"slides {_join(positions)} have the title {raw.title!r}")
    return positions[0]


def _resolve_slides(raw: Any, deck: Deck) -> tuple[int, ...]:
    if isinstance(raw, tuple):
        return tuple(dict.fromkeys(_resolve_slide(each, deck) for each in raw))
    if isinstance(raw, SlidesTitled):
        return _positions_by_title(raw.title, deck)
    if isinstance(raw, AllExcept):
        excluded = {_resolve_slide(each, deck) for each in raw.slides}
        numbers = range(1, len(deck.slides) + 1)
        if not excluded <= set(numbers) or len(excluded) == len(numbers):
            raise UnscoredError(
                f"all slides except {_join(sorted(excluded))} of {len(numbers)}:"
                " expected some of the slides, but not all"
            )
        return tuple(number for number in numbers if number not in excluded)
    name = normalize_caseless(raw.layout)
    positions = _positions(each for each in deck.slides if normalize_caseless(each.layout) == name)
    if not positions:
        layouts = sorted({slide.layout for slide in deck.slides if slide.layout})
        raise UnscoredError(f"no slide has the layout {raw.layout!r}; the deck has {layouts}")
    return positions


def _positions_by_title(title: str, deck: Deck) -> tuple[int, ...]:
    positions = _positions(
        each for each in deck.slides if normalize_caseless(each.title) == normalize_caseless(title)
    )
    if not positions:
        raise UnscoredError(f"no slide has the title {title!r}")
    return positions


def _positions(slides: Iterable[Slide]) -> tuple[int, ...]:
    return tuple(slide.index + 1 for slide in slides)


def _join(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class _ParsedAs:
    """Makes pydantic parse another type than the annotated one and convert the result."""

    type: Any
    convert: Callable[[Any], Any]
    expected: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler.generate_schema(self.type)
        return core_schema.no_info_wrap_validator_function(self._validate, schema)

    def _validate(self, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return self.convert(handler(_with_tuples(value)))
        except (_NoLengthError, ValidationError):
            raise ValueError(f"expected {self.expected}, got {json.dumps(value)}") from None


def _with_tuples(value: Any) -> Any:
    """Return JSON data with lists converted to tuples, which pydantic requires in Python mode."""
    if isinstance(value, list):
        return tuple(map(_with_tuples, value))
    if isinstance(value, dict):
        return {key: _with_tuples(each) for key, each in value.items()}
    return value


class _NoLengthError(ValueError):
    """A text is not a length."""


def _parse_slide(value: Any) -> Any:
    return value if isinstance(value, int) else Relative(value, _resolve_slide)


def _parse_slides(value: Any) -> Any:
    if isinstance(value, tuple) and all(isinstance(each, int) for each in value):
        return value
    return value if value == "all" else Relative(value, _resolve_slides)


def _parse_length(value: int | str, side: Literal["width", "height"] | None) -> Any:
    if isinstance(value, int):
        return value
    match = _LENGTH.fullmatch(value)
    if match is None or (match[2] == "%" and side is None):
        raise _NoLengthError
    number, unit = float(match[1]), match[2]
    if unit != "%" or side is None:
        return round(number * _UNITS_EMU[unit])
    return Relative(number, _SHARES[side], uses_original=False)


def _share_of_width(percent: float, deck: Deck) -> int:
    return round(deck.width_emu * percent / 100)


def _share_of_height(percent: float, deck: Deck) -> int:
    return round(deck.height_emu * percent / 100)


# Module-level functions, because rubrics are pickled for other processes.
_SHARES = {"width": _share_of_width, "height": _share_of_height}


_Length = (
    int | Annotated[str, WithJsonSchema({"type": "string", "pattern": f"^{_LENGTH.pattern}$"})]
)
_SLIDE_FORMAT = "a position of a slide, 'last' or {'title': ...}"
_SLIDES_FORMAT = (
    "a list of positions of slides, 'all', {'title': ...}, {'layout': ...} or {'except': [...]}"
)
_LENGTH_FORMAT = (
    "a length: EMU as a whole number, or a text such as '4.2cm', '10mm', '0.5in', '12pt'"
)
_SHARE_FORMAT = f"{_LENGTH_FORMAT}, '30%'"

OneSlide = Annotated[int, _ParsedAs(_SlideValue, _parse_slide, _SLIDE_FORMAT)]
"""A slide of the original: its 1-based position, ``last``, or ``{"title": ...}``."""

SeveralSlides = Annotated[
    tuple[int, ...] | Literal["all"], _ParsedAs(_SlidesValue, _parse_slides, _SLIDES_FORMAT)
]
"""Slides of the original: a list, ``all``, ``{"title": ...}``, ``{"layout": ...}`` or
``{"except": [...]}``."""

LengthEmu = Annotated[
    int, _ParsedAs(_Length, lambda value: _parse_length(value, None), _LENGTH_FORMAT)
]
"""A length: an integer in EMU, or a text with a unit, such as ``4.2cm``."""

WidthEmu = Annotated[
    int, _ParsedAs(_Length, lambda value: _parse_length(value, "width"), _SHARE_FORMAT)
]
"""A length that may be a share of the slide width, such as ``30%``."""

HeightEmu = Annotated[
    int, _ParsedAs(_Length, lambda value: _parse_length(value, "height"), _SHARE_FORMAT)
]
"""A length that may be a share of the slide height, such as ``30%``."""

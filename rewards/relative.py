"""Rubric values that depend on the deck: the last slide, slides of a layout, 30 % of a width.

A file may contain ``"last"`` where code expects a number. The types defined here accept both, and
`settle` resolves them once the deck is known, so checks and scopes receive only numbers.
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
from pptarena.decks.text_match import folded
from pptarena.errors import UnscoredError

__all__ = [
    "HeightEmu",
    "LengthEmu",
    "OneSlide",
    "Relative",
    "SeveralSlides",
    "WidthEmu",
    "is_rule",
    "lowest",
    "plain",
    "settle",
]

_UNITS_EMU = {"emu": 1, "mm": 36_000, "cm": 360_000, "in": 914_400, "pt": 12_700}
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?) ?(emu|mm|cm|in|pt|%)")


@dataclass(frozen=True, slots=True)
class Relative:
    """A value that depends on the deck.

    Attributes:
        written: The value in the file.
        of: Resolves the file's value for a deck; raises UnscoredError if the deck lacks a slide.
        of_original: Whether it is resolved with the original rather than the current deck.
    """

    written: Any
    of: Callable[[Any, Deck], Any]
    of_original: bool = True


def settle(values: Mapping[str, Any], original: Deck, current: Deck) -> dict[str, Any]:
    """Return the values with those that depend on the deck resolved.

    Raises:
        UnscoredError: If the original lacks a required slide.
    """
    return {
        name: value.of(value.written, original if value.of_original else current)
        if isinstance(value, Relative)
        else value
        for name, value in values.items()
    }


def plain(value: Any) -> Any:
    """Return a value in its JSON form."""
    if isinstance(value, Relative):
        return plain(value.written)
    if isinstance(value, SlidesTitled):
        return {"title": value.title}
    if isinstance(value, SlidesOfLayout):
        return {"layout": value.layout}
    if isinstance(value, AllExcept):
        return {"except": plain(value.slides)}
    return [plain(each) for each in value] if isinstance(value, tuple) else value


def is_rule(value: Any) -> bool:
    """Return whether a slide value is a rule rather than a list."""
    if isinstance(value, Relative):
        return not isinstance(value.written, tuple)
    return bool(value == "all")


def lowest(value: Any) -> int:
    """Return the lowest position in a slide value, or 1 if it contains no number."""
    if isinstance(value, Relative):
        return lowest(value.written)
    if isinstance(value, AllExcept):
        return lowest(value.slides)
    if isinstance(value, tuple):
        return min(map(lowest, value), default=1)
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


_One = Annotated[int, Field(ge=0)] | Literal["last"] | SlidesTitled


@dataclass(frozen=True, slots=True)
class AllExcept:
    """All slides except some."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    slides: Annotated[tuple[_One, ...], Field(alias="except", min_length=1)]


_Several = tuple[_One, ...] | Literal["all"] | SlidesTitled | SlidesOfLayout | AllExcept


def _one(written: Any, deck: Deck) -> int:
    if isinstance(written, int):
        return written
    if written == "last":
        return len(deck.slides)
    found = _titled(written.title, deck)
    if len(found) > 1:
        raise UnscoredError(f"slides {_listed(found)} have the title {written.title!r}")
    return found[0]


def _several(written: Any, deck: Deck) -> tuple[int, ...]:
    if isinstance(written, tuple):
        return tuple(dict.fromkeys(_one(each, deck) for each in written))
    if isinstance(written, SlidesTitled):
        return _titled(written.title, deck)
    if isinstance(written, AllExcept):
        left_out = {_one(each, deck) for each in written.slides}
        numbers = range(1, len(deck.slides) + 1)
        if not left_out <= set(numbers) or len(left_out) == len(numbers):
            raise UnscoredError(
                f"all slides except {_listed(sorted(left_out))} of {len(numbers)} cannot be meant"
            )
        return tuple(number for number in numbers if number not in left_out)
    name = folded(written.layout)
    found = _positions(each for each in deck.slides if folded(each.layout) == name)
    if not found:
        known = sorted({slide.layout for slide in deck.slides if slide.layout})
        raise UnscoredError(f"no slide has the layout {written.layout!r}; there are {known}")
    return found


def _titled(title: str, deck: Deck) -> tuple[int, ...]:
    found = _positions(each for each in deck.slides if folded(each.title) == folded(title))
    if not found:
        raise UnscoredError(f"no slide has the title {title!r}")
    return found


def _positions(slides: Iterable[Slide]) -> tuple[int, ...]:
    return tuple(slide.index + 1 for slide in slides)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class _ReadAs:
    """Makes pydantic parse another type than the annotated one and convert the result."""

    type: Any
    then: Callable[[Any], Any]
    expected: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        read = handler.generate_schema(self.type)
        return core_schema.no_info_wrap_validator_function(self._read, read)

    def _read(self, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return self.then(handler(_with_tuples(value)))
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


def _one_or_relative(read: Any) -> Any:
    return read if isinstance(read, int) else Relative(read, _one)


def _several_or_relative(read: Any) -> Any:
    if isinstance(read, tuple) and all(isinstance(each, int) for each in read):
        return read
    return read if read == "all" else Relative(read, _several)


def _length(read: int | str, side: Literal["width", "height"] | None) -> Any:
    if isinstance(read, int):
        return read
    match = _LENGTH.fullmatch(read)
    if match is None or (match[2] == "%" and side is None):
        raise _NoLengthError
    number, unit = float(match[1]), match[2]
    if unit != "%" or side is None:
        return round(number * _UNITS_EMU[unit])
    return Relative(number, _SHARES[side], of_original=False)


def _share_of_width(percent: float, deck: Deck) -> int:
    return round(deck.width_emu * percent / 100)


def _share_of_height(percent: float, deck: Deck) -> int:
    return round(deck.height_emu * percent / 100)


# Module-level functions, because rubrics are pickled for other processes.
_SHARES = {"width": _share_of_width, "height": _share_of_height}


_Length = (
    int | Annotated[str, WithJsonSchema({"type": "string", "pattern": f"^{_LENGTH.pattern}$"})]
)
_A_SLIDE = "a position of a slide, 'last' or {'title': ...}"
_SOME_SLIDES = (
    "a list of positions of slides, 'all', {'title': ...}, {'layout': ...} or {'except': [...]}"
)
_A_LENGTH = "a length: EMU as a whole number, or a text such as '4.2cm', '10mm', '0.5in', '12pt'"
_A_SHARE = f"{_A_LENGTH}, '30%'"

OneSlide = Annotated[int, _ReadAs(_One, _one_or_relative, _A_SLIDE)]
"""A slide of the original: its 1-based position, ``last``, or ``{"title": ...}``."""

SeveralSlides = Annotated[
    tuple[int, ...] | Literal["all"], _ReadAs(_Several, _several_or_relative, _SOME_SLIDES)
]
"""Slides of the original: a list, ``all``, ``{"title": ...}``, ``{"layout": ...}`` or
``{"except": [...]}``."""

LengthEmu = Annotated[int, _ReadAs(_Length, lambda read: _length(read, None), _A_LENGTH)]
"""A length: an integer in EMU, or a text with a unit, such as ``4.2cm``."""

WidthEmu = Annotated[int, _ReadAs(_Length, lambda read: _length(read, "width"), _A_SHARE)]
"""A length that may be a share of the slide width, such as ``30%``."""

HeightEmu = Annotated[int, _ReadAs(_Length, lambda read: _length(read, "height"), _A_SHARE)]
"""A length that may be a share of the slide height, such as ``30%``."""

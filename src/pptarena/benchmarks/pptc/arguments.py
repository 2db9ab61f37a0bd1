"""Validate the arguments of a call before anything is changed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.dml.color import RGBColor

from pptarena.benchmarks.pptc.calls import Argument, Call
from pptarena.benchmarks.pptc.constants import COLORS
from pptarena.benchmarks.pptc.errors import Refusal

__all__ = [
    "Parameter",
    "Reader",
    "bind",
    "chart_data",
    "color",
    "integer",
    "number",
    "position_or_name",
    "text",
    "text_list",
]

Reader = Callable[[Argument], Any]

_MAX_TEXT_CHARS = 20_000
_MAX_ITEMS = 100
# Characters that XML does not allow.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an API.

    Attributes:
        name: Keyword name.
        read: Converts the argument to a value, or raises `Refusal`.
        optional: Whether it may be omitted; the API then uses its default.
        kind: JSON-compatible type, for calls with named arguments.
    """

    name: str
    read: Reader
    optional: bool = False
    kind: Any = str


def bind(call: Call, parameters: Sequence[Parameter]) -> Mapping[str, Any]:
    """Return the values of a call's arguments by name.

    Raises:
        Refusal: If there are too many or too few arguments, or an unknown or invalid one.
    """
    if len(call.args) > len(parameters):
        raise Refusal(f"expected at most {len(parameters)} arguments, got {len(call.args)}")
    by_name = {parameter.name: parameter for parameter in parameters}
    arguments = dict(zip(by_name, call.args, strict=False))
    for name, value in call.keywords:
        if name not in by_name or name in arguments:
            raise Refusal(f"expected arguments out of {list(by_name)} once each, got '{name}'")
        arguments[name] = value
    missing = [p.name for p in parameters if not p.optional and p.name not in arguments]
    if missing:
        raise Refusal(f"expected an argument '{missing[0]}', got none")
    return {name: _read(by_name[name], value) for name, value in arguments.items()}


def _read(parameter: Parameter, value: Argument) -> Any:
    try:
        return parameter.read(value)
    except Refusal as error:
        raise Refusal(f"'{parameter.name}': {error}") from error


def text(value: Argument) -> str:
    """Read a text; a number is converted to text."""
    if isinstance(value, tuple):
        raise Refusal(f"expected a text, got {value!r}")
    string = str(value)
    if len(string) > _MAX_TEXT_CHARS:
        raise Refusal(f"expected at most {_MAX_TEXT_CHARS} characters, got {len(string)}")
    if _FORBIDDEN.search(string):
        raise Refusal(f"expected a text without control characters, got {string[:80]!r}")
    return string.replace("\r\n", "\n").replace("\r", "\n")


def color(value: Argument) -> RGBColor:
    """Read a color name."""
    name = " ".join(str(value).lower().replace("_", " ").split())
    if name not in COLORS:
        raise Refusal(f"expected one of {', '.join(sorted(COLORS))}, got {value!r}")
    return RGBColor.from_string(COLORS[name])  # type: ignore[no-untyped-call,no-any-return]


def number(low: float, high: float) -> Reader:
    """Return a reader of numbers within inclusive bounds."""

    def read(value: Argument) -> float:
        if not isinstance(value, int | float) or not low <= value <= high:
            raise Refusal(f"expected a number from {low} to {high}, got {value!r}")
        return float(value)

    return read


def integer(low: int, high: int) -> Reader:
    """Return a reader of integers within inclusive bounds."""

    def read(value: Argument) -> int:
        is_integer = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, str | tuple) or not is_integer or not low <= value <= high:
            raise Refusal(f"expected a whole number from {low} to {high}, got {value!r}")
        return int(value)

    return read


def position_or_name(value: Argument) -> int | str:
    """Read a position in EMU, or the name of an object."""
    if isinstance(value, str):
        return value
    return int(number(-100_000_000, 100_000_000)(value))


def text_list(value: Argument) -> tuple[str, ...]:
    """Read a list of texts; numbers are converted to text."""
    if not isinstance(value, tuple) or not 1 <= len(value) <= _MAX_ITEMS:
        raise Refusal(f"expected a list of 1 to {_MAX_ITEMS} texts, got {value!r}")
    return tuple(map(text, value))


def chart_data(value: Argument) -> tuple[tuple[float, ...], ...]:
    """Read chart data, one tuple per series; a plain number is a series with one value."""
    if not isinstance(value, tuple) or not 1 <= len(value) <= _MAX_ITEMS:
        raise Refusal(f"expected a list of 1 to {_MAX_ITEMS} numbers, got {value!r}")
    read = number(-1e15, 1e15)
    rows = [item if isinstance(item, tuple) else (item,) for item in value]
    if len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= _MAX_ITEMS:
        raise Refusal(f"expected series of one length, got {value!r}")
    return tuple(tuple(read(item) for item in row) for row in rows)

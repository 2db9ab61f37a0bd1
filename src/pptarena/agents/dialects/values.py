"""Validation of the arguments in a model's reply."""

import math
from collections.abc import Mapping
from typing import Any

from pptarena.errors import DialectError

__all__ = ["finite", "integer", "number", "optional_point", "point", "short_repr", "text", "texts"]

_MAX_NUMBER = 1e9
_REQUIRED = object()

Arguments = Mapping[str, Any]


def finite(value: object, name: str = "a number") -> float:
    """Return a number of reasonable size.

    Raises:
        DialectError: If the value is not a number, or is too large.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DialectError(f"expected {name} to be a number, got {short_repr(value)}")
    if not (-_MAX_NUMBER <= value <= _MAX_NUMBER) or math.isnan(value):
        raise DialectError(f"expected {name} to be a number of reasonable size")
    return value


def number(arguments: Arguments, name: str, default: object = _REQUIRED) -> float:
    """Return an argument that is a number."""
    return finite(_get(arguments, name, default), name)


def integer(arguments: Arguments, name: str, default: object = _REQUIRED) -> int:
    """Return an argument that is a whole number."""
    value = number(arguments, name, default)
    if value != int(value):
        raise DialectError(f"expected {name} to be a whole number, got {value:g}")
    return int(value)


def text(arguments: Arguments, name: str, default: object = _REQUIRED) -> str:
    """Return an argument that is a text."""
    value = _get(arguments, name, default)
    if not isinstance(value, str):
        raise DialectError(f"expected {name} to be a text, got {short_repr(value)}")
    return value


def texts(arguments: Arguments, name: str) -> list[str]:
    """Return an argument that is a list of texts; a single text counts as a list of one."""
    value = _get(arguments, name, _REQUIRED)
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list | tuple) or not value:
        raise DialectError(f"expected {name} to be a list of texts, got {short_repr(value)}")
    for item in value:
        if not isinstance(item, str):
            raise DialectError(f"expected {name} to hold texts, got {short_repr(item)}")
    return list(value)


def point(arguments: Arguments, name: str) -> tuple[float, float]:
    """Return an argument that is a pair of numbers."""
    value = _get(arguments, name, _REQUIRED)
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise DialectError(f"expected {name} to be [x, y], got {short_repr(value)}")
    return finite(value[0], name), finite(value[1], name)


def optional_point(arguments: Arguments, name: str) -> tuple[float, float] | None:
    """Return an argument that is a pair of numbers; None if it is missing."""
    return None if arguments.get(name) is None else point(arguments, name)


def short_repr(value: object) -> str:
    """Return a value for a message, shortened to one line."""
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return repr(value[:60] if isinstance(value, str) else value)[:80]


def _get(arguments: Arguments, name: str, default: object) -> Any:
    value = arguments.get(name)
    value = default if value is None else value
    if value is _REQUIRED:
        raise DialectError(
            f"expected the argument {name}, got {', '.join(arguments) or 'none'}"[:300]
        )
    return value

"""Plain data from JSON into frozen dataclasses, with errors that name the place."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pptarena.errors import RubricError

__all__ = ["parse_dataclass"]

T = TypeVar("T")


def parse_dataclass(kind: type[T], values: object, place: str) -> T:
    """Return a dataclass made from a JSON object.

    Fields may be of type str, int, float, bool, `Literal`, ``tuple[T, ...]`` (a JSON list), another
    dataclass (an object), a union of these, and None. Whole numbers are taken for floats, but no
    boolean for a number.

    Args:
        kind: The dataclass; a ValueError of its ``__post_init__`` becomes a RubricError.
        values: The JSON object.
        place: Where it stands, for messages.

    Raises:
        RubricError: If a value is missing, unknown, of another type, or not allowed.
    """
    if not isinstance(values, Mapping):
        raise RubricError(f"{place}: expected an object, got {values!r}")
    hints = _hints(cast(Any, kind))
    known: dict[str, Field[Any]] = {each.name: each for each in fields(cast(Any, kind))}
    for name in values:
        if name not in known:
            raise RubricError(
                f"{place}: unknown argument {name!r}; expected {', '.join(sorted(known)) or 'none'}"
            )
    for name, each in known.items():
        required = each.default is MISSING and each.default_factory is MISSING
        if required and name not in values:
            raise RubricError(f"{place}: {name!r} is missing")
    found = {
        name: _convert(hints[name], value, f"{place}/{name}") for name, value in values.items()
    }
    try:
        return kind(**found)
    except ValueError as error:
        raise RubricError(f"{place}: {error}") from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _convert(kind: Any, value: Any, place: str) -> Any:
    for option in _options(kind):
        found = _try(option, value, place)
        if found is not MISSING:
            return found
    raise RubricError(f"{place}: expected {_describe(kind)}, got {value!r}")


def _options(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (types.UnionType, Union) else (kind,)


def _try(kind: Any, value: Any, place: str) -> Any:
    if get_origin(kind) is Literal:
        return value if value in get_args(kind) and not isinstance(value, bool) else MISSING
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            return MISSING
        item = get_args(kind)[0]
        return tuple(_convert(item, each, f"{place}/{i}") for i, each in enumerate(value))
    if is_dataclass(kind):
        return parse_dataclass(cast(type, kind), value, place)
    if kind is type(None):
        return None if value is None else MISSING
    if isinstance(value, bool):
        return value if kind is bool else MISSING
    if kind is float and isinstance(value, int):
        return float(value)
    return value if isinstance(value, kind) else MISSING


def _describe(kind: Any) -> str:
    parts = []
    for option in _options(kind):
        if get_origin(option) is Literal:
            parts.append("one of " + ", ".join(repr(each) for each in get_args(option)))
        elif get_origin(option) is tuple:
            parts.append(f"a list of {_describe(get_args(option)[0])}")
        elif is_dataclass(option):
            parts.append("an object")
        elif option is not type(None):
            parts.append(option.__name__)
    return " or ".join(parts)

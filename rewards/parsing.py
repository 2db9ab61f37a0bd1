"""Validate JSON data with pydantic, with errors that name the location."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pptarena.errors import RubricError

__all__ = ["parse"]

_EXPECTED = {
    "int_type": "int",
    "int_from_float": "int",
    "float_type": "float",
    "bool_type": "bool",
    "string_type": "str",
    "none_required": "null",
    "tuple_type": "a list",
    "list_type": "a list",
    "model_type": "an object",
    "json_invalid": "JSON",
    "dataclass_type": "an object",
    "too_short": "at least {min_length} items",
    "too_long": "at most {max_length} items",
    "literal_error": "one of {expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
}
_TYPES = ("int", "float", "str", "bool")
_UNKNOWN_KEY_TYPES = ("extra_forbidden", "unexpected_keyword_argument")


def parse(adapter: TypeAdapter[Any], values: object, location: str) -> Any:
    """Return the result of an adapter for a JSON object.

    Types are strict: texts and booleans are not numbers, but an integer is accepted as a float.

    Args:
        adapter: The expected type; it must forbid unknown keys.
        values: The JSON object.
        location: Location of the object, for messages.

    Raises:
        RubricError: If values are missing, unknown, of another type or not allowed; all are listed.
    """
    if not isinstance(values, Mapping):
        raise RubricError(f"{location}: expected an object, got {values!r}")
    try:
        text = json.dumps(dict(values))
    except (TypeError, ValueError, RecursionError) as error:
        raise RubricError(f"{location}: expected JSON, got {values!r}") from error
    try:
        # Validated as JSON, because in strict Python mode a list is not a tuple.
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        raise RubricError(*_problems(adapter, error, location)) from error


def _problems(adapter: TypeAdapter[Any], error: ValidationError, location: str) -> list[str]:
    """Return the problems by location: unknown keys, then missing ones, then the rest."""
    groups: dict[tuple[int | str, ...], list[ErrorDetails]] = {}
    for each in error.errors(include_url=False):
        groups.setdefault(_value_location(each["loc"]), []).append(each)
    for above in [key[:size] for key in groups for size in range(len(key))]:
        # A list with an invalid item is also reported as too short; drop that report.
        if all(each["type"] == "too_short" for each in groups.get(above, ())):
            groups.pop(above, None)
    described = [_describe_problem(adapter, errors, location) for errors in groups.values()]
    problems = [text for _, text in sorted(described, key=lambda each: each[0])]
    return list(dict.fromkeys(problems))


def _value_location(loc: Sequence[int | str]) -> tuple[int | str, ...]:
    """Return the location up to the first union; all errors below it concern one value."""
    path = _without_type_names(loc)
    for at, part in enumerate(loc):
        if at >= len(path) or path[at] != part:
            return tuple(loc[:at])
    return tuple(loc)


def _describe_problem(
    adapter: TypeAdapter[Any], errors: Sequence[ErrorDetails], location: str
) -> tuple[int, str]:
    """Return the rank of the errors of one value, and the problem."""
    first = min(errors, key=lambda each: _rank(str(each["type"])))
    rank, path = _rank(str(first["type"])), _without_type_names(first["loc"])
    if rank < 2:
        *above, name = first["loc"]
        path = _without_type_names(above)
        parent = "/".join((location, *map(str, path)))
        if first["type"] not in _UNKNOWN_KEY_TYPES:
            return rank, f"{parent}: {name!r} is missing"
        allowed = ", ".join(sorted(_allowed_keys(adapter.json_schema(), path))) or "none"
        return rank, f"{parent}: unknown argument {name!r}; expected {allowed}"
    if first["type"] == "value_error":
        return rank, f"{'/'.join((location, *map(str, path)))}: {first['ctx']['error']}"
    # For a union, report the option that validated furthest.
    path = max((_without_type_names(each["loc"]) for each in errors), key=len)
    options = [each for each in errors if _without_type_names(each["loc"]) == path]
    expected = " or ".join(
        _EXPECTED.get(each["type"], "{msg}").format(
            msg=each["msg"].removeprefix("Input should be "), **each.get("ctx", {})
        )
        for each in options
    )
    where = "/".join((location, *map(str, path)))
    return rank, f"{where}: expected {expected}, got {options[0]['input']!r}"


def _rank(kind: str) -> int:
    return 0 if kind in _UNKNOWN_KEY_TYPES else 1 if kind.startswith("missing") else 2


def _without_type_names(loc: Sequence[int | str]) -> list[int | str]:
    """Return a location without the type names that pydantic adds for union options."""
    return [
        part
        for part in loc
        if isinstance(part, int) or (part.isidentifier() and part not in _TYPES)
    ]


def _allowed_keys(schema: Mapping[str, Any], path: Sequence[int | str]) -> Sequence[str]:
    """Return the allowed keys of an object at a location of a schema."""
    node = dict(schema)
    for part in path:
        node = node["items"] if isinstance(part, int) else node["properties"][part]
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return tuple(node.get("properties", ()))

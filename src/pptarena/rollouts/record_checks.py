"""Checks of values in records, which are untrusted."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from pptarena.errors import StoreError

__all__ = [
    "MAX_NAME_CHARS",
    "Check",
    "boolean",
    "check_fields",
    "each",
    "fields",
    "file_name",
    "integer",
    "is_encodable",
    "number",
    "optional",
    "single_line",
    "text",
]

MAX_TEXT_CHARS = 1_000_000
MAX_NAME_CHARS = 300
MAX_ITEMS = 1_000_000

Check = Callable[[Any], str]
"""Returns a description of the expected value; ``""`` if the value is valid."""


def check_fields(value: object, checks: Mapping[str, Check], record: str) -> dict[str, Any]:
    """Return the known fields of a record; other fields are ignored.

    Raises:
        StoreError: If a field is missing or invalid.
    """
    if not isinstance(value, Mapping):
        raise StoreError(f"not {record}: expected an object, got {_short(value)}")
    if missing := [name for name in checks if name not in value]:
        raise StoreError(f"not {record}: missing: {', '.join(missing)}")
    for name, check in checks.items():
        if expected := check(value[name]):
            raise StoreError(
                f"not {record}: {name}: expected {expected}, got {_short(value[name])}"
            )
    return {name: value[name] for name in checks}


def text(max_chars: int = MAX_TEXT_CHARS) -> Check:
    """Check a text."""
    return lambda value: (
        ""
        if isinstance(value, str) and len(value) <= max_chars and is_encodable(value)
        else f"a text of at most {max_chars} characters"
    )


def single_line(max_chars: int = MAX_NAME_CHARS) -> Check:
    """Check a text of one line without control characters."""
    check = text(max_chars)

    def plain(value: Any) -> str:
        controls = "a text without control characters"
        return check(value) or ("" if all(c >= " " for c in value) else controls)

    return plain


def is_encodable(value: str) -> bool:
    """Return whether a text can be encoded as UTF-8: it has no lone surrogates."""
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def file_name(suffix: str) -> Check:
    """Check the name of a file in the episode's own folder."""
    pattern = re.compile(rf"[A-Za-z0-9_][A-Za-z0-9_.-]{{0,99}}{re.escape(suffix)}")
    return lambda value: (
        ""
        if isinstance(value, str) and pattern.fullmatch(value)
        else f"the name of a {suffix} file in the folder of the episode"
    )


def integer(low: int, high: int) -> Check:
    """Check an integer."""
    return lambda value: (
        "" if type(value) is int and low <= value <= high else f"an integer, {low} to {high}"
    )


def number(low: float, high: float) -> Check:
    """Check a number."""
    return lambda value: "" if _is_number(value, low, high) else f"a number, {low:g} to {high:g}"


def boolean(value: Any) -> str:
    """Check a Boolean."""
    return "" if isinstance(value, bool) else "true or false"


def optional(check: Check) -> Check:
    """Check a value that may be null."""
    return lambda value: "" if value is None else check(value)


def each(check: Check, length: int | None = None) -> Check:
    """Check a list or the values of an object; with a length, only a list of that length."""

    def check_all(value: Any) -> str:
        if not isinstance(value, list | tuple) and (length is not None or not _is_named(value)):
            return "a list"
        values = list(value.values()) if isinstance(value, Mapping) else list(value)
        if len(values) > MAX_ITEMS or (length is not None and len(values) != length):
            return f"{length if length is not None else f'at most {MAX_ITEMS}'} values"
        return next(filter(None, map(check, values)), "")

    return check_all


def fields(checks: Mapping[str, Check], *, allow_missing: bool = False) -> Check:
    """Check an object.

    Args:
        checks: The checks of its fields.
        allow_missing: Whether fields may be missing.
    """

    def check_object(value: Any) -> str:
        if not isinstance(value, Mapping):
            return "an object"
        required = {
            name: check for name, check in checks.items() if name in value or not allow_missing
        }
        try:
            check_fields(value, required, "an object")
        except StoreError as error:
            return f"an object ({error})"
        return ""

    return check_object


def _is_named(value: Any) -> bool:
    return isinstance(value, Mapping) and not any(map(text(MAX_NAME_CHARS), value))


def _is_number(value: Any, low: float, high: float) -> bool:
    is_numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return is_numeric and math.isfinite(value) and low <= value <= high


def _short(value: object) -> str:
    text_ = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text_ if len(text_) <= 60 else f"{text_[:57]}..."

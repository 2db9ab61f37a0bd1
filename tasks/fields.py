"""Read the fields of a JSON object, with the location in every error."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pptarena.errors import TaskError
from pptarena.suggestions import similar_names

__all__ = ["Fields", "require_valid_text"]

T = TypeVar("T")

_TYPE_NAMES = {str: "a string", int: "a whole number", bool: "true or false", dict: "an object"}


def require_valid_text(value: Any) -> None:
    """Check that no text of a JSON value has a lone surrogate, which UTF-8 cannot encode.

    Raises:
        TaskError: If a text has one; the message names the location, such as ``rubric/root/name``.
    """
    pending = [("", value)]
    while pending:
        location, item = pending.pop()
        if isinstance(item, str):
            _require_valid_text(location, item)
        elif isinstance(item, Mapping):
            for name in item:
                _require_valid_text(location, str(name))
            pending += [(f"{location}/{name}".lstrip("/"), child) for name, child in item.items()]
        elif isinstance(item, list):
            pending += [(f"{location}/{number}", child) for number, child in enumerate(item)]


def _require_valid_text(location: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TaskError(
            f"{location or 'the task'}: U+{ord(text[error.start]):04X}, "
            f"character {error.start + 1} of the text, is half of a surrogate pair: "
            "write the complete character instead"
        ) from None


class Fields:
    """A JSON object in a file. `finish` rejects fields that were not taken.

    Args:
        value: The parsed value.
        location: Its location, such as ``"demonstration/2"``; ``""`` for the entire file.

    Raises:
        TaskError: If the value is not an object; the message begins with the location.
    """

    def __init__(self, value: Any, location: str = "") -> None:
        self._location = location
        if not isinstance(value, Mapping):
            raise self._type_error(location, "an object", value)
        self._remaining = dict(value)
        self._expected: set[str] = set()
        self._suggested: set[str] = set()

    def take(self, name: str, kind: type[T], default: T | None = None) -> T:
        """Return a field of a type.

        Args:
            name: Name of the field.
            kind: ``str``, ``int``, ``bool`` or ``dict``.
            default: Value of an absent field; without one, the field is required.

        Raises:
            TaskError: If it is missing or of another type.
        """
        self._expected.add(name)
        if name not in self._remaining:
            if default is None:
                raise self.missing(name, _TYPE_NAMES[kind])
            return default
        value = self._remaining.pop(name)
        # In Python True is an int, in JSON it is not a number.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self._type_error(self.location(name), _TYPE_NAMES[kind], value)
        return value

    def missing(self, name: str, expected: str) -> TaskError:
        """Return the error for a missing field; it suggests a possibly misspelled field."""
        similar = similar_names(name, map(str, self._remaining.keys() - self._expected))
        self._suggested.update(similar[:1])
        hint = f"; the unknown field {similar[0]!r} may be meant" if similar else ""
        return TaskError(f"{self.location(name)}: missing; expected {expected}{hint}")

    def has(self, name: str) -> bool:
        """Return whether a field exists that has not been taken."""
        self._expected.add(name)
        return name in self._remaining

    def choice(self, name: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """Return a string field that is one of `choices`.

        Raises:
            TaskError: If it is missing without a default, or has another value.
        """
        value = self.take(name, str, default)
        if value not in choices:
            raise self._type_error(self.location(name), f"one of {', '.join(choices)}", value)
        return value

    def list(self, name: str, default: list[Any] | None = None) -> list[Any]:
        """Return a field that is a list.

        Raises:
            TaskError: If it is missing without a default, or not a list.
        """
        self._expected.add(name)
        if name not in self._remaining and default is not None:
            return default
        if name not in self._remaining:
            raise self.missing(name, "a list")
        value = self._remaining.pop(name)
        if not isinstance(value, list):
            raise self._type_error(self.location(name), "a list", value)
        return value

    def optional(self, name: str) -> Any:
        """Return a field of any type, or None if it is absent."""
        self._expected.add(name)
        return self._remaining.pop(name, None)

    def finish(self) -> None:
        """Reject remaining fields, except those that an error of `missing` already named.

        Raises:
            TaskError: If fields remain.
        """
        if unexplained := self._remaining.keys() - self._suggested:
            unknown = ", ".join(sorted(map(self._with_hint, unexplained)))
            raise TaskError(f"{self._location or 'the task'}: unknown fields: {unknown}")

    def location(self, name: str | int) -> str:
        """Return the location of a field of this object."""
        return f"{self._location}/{name}" if self._location else str(name)

    def _with_hint(self, name: object) -> str:
        similar = similar_names(str(name), self._expected)
        return f"{name!r} (did you mean {similar[0]!r}?)" if similar else repr(name)

    @staticmethod
    def _type_error(location: str, expected: str, value: Any) -> TaskError:
        return TaskError(f"{location or 'the task'}: expected {expected}, got {value!r}")

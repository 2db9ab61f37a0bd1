"""Read the fields of a JSON object, with the location in every error."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pptarena.errors import TaskError
from pptarena.suggestions import similar_names

__all__ = ["Fields", "require_characters"]

T = TypeVar("T")

_WORDS = {str: "a string", int: "a whole number", bool: "true or false", dict: "an object"}


def require_characters(value: Any) -> None:
    """Check that no text of a JSON value has a lone surrogate, which UTF-8 cannot encode.

    Raises:
        TaskError: If a text has one; the message names the location, such as ``rubric/root/name``.
    """
    left = [("", value)]
    while left:
        place, part = left.pop()
        if isinstance(part, str):
            _require_characters(place, part)
        elif isinstance(part, Mapping):
            for name in part:
                _require_characters(place, str(name))
            left += [(f"{place}/{name}".lstrip("/"), inner) for name, inner in part.items()]
        elif isinstance(part, list):
            left += [(f"{place}/{number}", inner) for number, inner in enumerate(part)]


def _require_characters(place: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TaskError(
            f"{place or 'the task'}: U+{ord(text[error.start]):04X}, "
            f"character {error.start + 1} of the text, is half of a surrogate pair: "
            "write the complete character instead"
        ) from None


class Fields:
    """A JSON object in a file. Every field is taken once, and none may remain.

    Args:
        value: The parsed value.
        place: Its location, such as ``"demonstration/2"``; ``""`` for the entire file.

    Raises:
        TaskError: If the value is not an object; the message begins with the location.
    """

    def __init__(self, value: Any, place: str = "") -> None:
        self._place = place
        if not isinstance(value, Mapping):
            raise self._wrong(place, "an object", value)
        self._left = dict(value)
        self._known: set[str] = set()
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
        self._known.add(name)
        if name not in self._left:
            if default is None:
                raise self.missing(name, _WORDS[kind])
            return default
        value = self._left.pop(name)
        # In Python True is an int, in JSON it is not a number.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self._wrong(self.place(name), _WORDS[kind], value)
        return value

    def missing(self, name: str, expected: str) -> TaskError:
        """Return the error for a missing field; it suggests a possibly misspelled field."""
        near = similar_names(name, map(str, self._left.keys() - self._known))
        self._suggested.update(near[:1])
        hint = f"; the unknown field {near[0]!r} may be meant" if near else ""
        return TaskError(f"{self.place(name)}: missing; expected {expected}{hint}")

    def has(self, name: str) -> bool:
        """Return whether a field exists that was not taken yet."""
        self._known.add(name)
        return name in self._left

    def choice(self, name: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """Return a string field that is one of `choices`.

        Raises:
            TaskError: If it is missing without a default, or has another value.
        """
        value = self.take(name, str, default)
        if value not in choices:
            raise self._wrong(self.place(name), f"one of {', '.join(choices)}", value)
        return value

    def list(self, name: str, default: list[Any] | None = None) -> list[Any]:
        """Return a field that is a list.

        Raises:
            TaskError: If it is missing without a default, or not a list.
        """
        self._known.add(name)
        if name not in self._left and default is not None:
            return default
        if name not in self._left:
            raise self.missing(name, "a list")
        value = self._left.pop(name)
        if not isinstance(value, list):
            raise self._wrong(self.place(name), "a list", value)
        return value

    def optional(self, name: str) -> Any:
        """Return a field of any type, or None if it is absent."""
        self._known.add(name)
        return self._left.pop(name, None)

    def finish(self) -> None:
        """Reject remaining fields, except those that an error of `missing` already named.

        Raises:
            TaskError: If fields remain.
        """
        if unexplained := self._left.keys() - self._suggested:
            unknown = ", ".join(sorted(map(self._with_hint, unexplained)))
            raise TaskError(f"{self._place or 'the task'}: unknown fields: {unknown}")

    def place(self, name: str | int) -> str:
        """Return the location of a field of this object."""
        return f"{self._place}/{name}" if self._place else str(name)

    def _with_hint(self, name: object) -> str:
        near = similar_names(str(name), self._known)
        return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)

    @staticmethod
    def _wrong(place: str, expected: str, value: Any) -> TaskError:
        return TaskError(f"{place or 'the task'}: expected {expected}, got {value!r}")

"""Fill names and arithmetic expressions into JSON: ``"bar {i} of {n}"``, ``"{100 * i / n}%"``.

Expressions are evaluated by a small parser that supports numbers, names, ``+ - * /`` and
parentheses. Nothing is executed.
"""

import re
from collections.abc import Mapping
from typing import Any

from pptarena.errors import RubricError

__all__ = ["Names", "fill"]

Names = Mapping[str, int | float | str]
"""The names available in braces."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z_]\w*)|([-+*/()]))")
_LONGEST = 80
_DEEPEST = 10


def fill(value: Any, names: Names, place: str) -> Any:
    """Return JSON data with the expressions in braces evaluated.

    A text that consists of a single pair of braces becomes the value itself, possibly a number.

    Raises:
        RubricError: If braces contain an unknown name or an invalid expression; the message begins
            with `place`.
    """
    if isinstance(value, str):
        return _filled(value, names, place)
    if isinstance(value, list | tuple):
        return [fill(each, names, f"{place}/{at}") for at, each in enumerate(value)]
    if isinstance(value, Mapping):
        return {key: fill(each, names, f"{place}/{key}") for key, each in value.items()}
    return value


def _filled(text: str, names: Names, place: str) -> Any:
    whole = _BRACES.fullmatch(text)
    if whole is not None:
        return _value(whole[1], names, place)
    return _BRACES.sub(lambda found: _shown(_value(found[1], names, place)), text)


def _shown(value: int | float | str) -> str:
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def _value(text: str, names: Names, place: str) -> int | float | str:
    name = text.strip()
    if isinstance(found := names.get(name), str):
        return found
    try:
        number = _Sum(name, names).value()
    except _NoSumError as error:
        known = ", ".join(sorted(names))
        raise RubricError(
            f"{place}: expected a sum of numbers and {known} in braces, got {{{text}}}: {error}"
        ) from None
    return int(number) if number == int(number) else number


class _NoSumError(ValueError):
    """Braces contain no valid expression."""


class _Sum:
    """Recursive-descent parser of an arithmetic expression."""

    def __init__(self, text: str, names: Names) -> None:
        if len(text) > _LONGEST:
            raise _NoSumError(f"it is longer than {_LONGEST} characters")
        self._names = names
        self._tokens: list[str] = []
        at = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise _NoSumError(f"{text[at:].strip()[:1]!r} has no meaning here")
            self._tokens.append(match[0].strip())
            at = match.end()

    def value(self) -> float:
        """Return the value of the expression."""
        found = self._terms(0)
        if self._tokens:
            raise _NoSumError(f"{self._tokens[0]!r} is one too many")
        return found

    def _terms(self, depth: int) -> float:
        total = self._factors(depth)
        while self._tokens and self._tokens[0] in "+-":
            sign = 1 if self._tokens.pop(0) == "+" else -1
            total += sign * self._factors(depth)
        return total

    def _factors(self, depth: int) -> float:
        product = self._one(depth)
        while self._tokens and self._tokens[0] in "*/":
            if self._tokens.pop(0) == "*":
                product *= self._one(depth)
            elif (divisor := self._one(depth)) != 0:
                product /= divisor
            else:
                raise _NoSumError("it divides by 0")
        return product

    def _one(self, depth: int) -> float:
        if depth > _DEEPEST or not self._tokens:
            raise _NoSumError("a number is missing" if not self._tokens else "it is too deep")
        token = self._tokens.pop(0)
        if token == "-":
            return -self._one(depth + 1)
        if token == "(":
            inner = self._terms(depth + 1)
            if not self._tokens or self._tokens.pop(0) != ")":
                raise _NoSumError("a bracket is not closed")
            return inner
        if token[0].isdigit():
            return float(token)
        number = self._names.get(token)
        if not isinstance(number, int | float):
            raise _NoSumError(f"{token!r} is no number here")
        return number

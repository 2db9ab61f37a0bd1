"""Macros: the steps of a task at the level of a user's plan, such as "edit that text".

A demonstration lists actions; macros list the intended results. The agent ``macro``
(`pptarena.agents.macros`) performs them on the screen and verifies them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pptarena.errors import TaskError
from pptarena.problems import Problems
from pptarena.suggestions import not_found
from pptarena.tasks.macro_words import MACROS, Argument

__all__ = ["MacroCall", "load_macros"]


@dataclass(frozen=True, slots=True)
class MacroCall:
    """A macro with its arguments.

    Attributes:
        name: One of `pptarena.tasks.macro_words.MACROS`.
        arguments: Values by name; optional ones may be missing.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the form used in task files."""
        return {"macro": self.name, **self.arguments}


def load_macros(value: Sequence[Any], place: str = "macros") -> tuple[MacroCall, ...]:
    """Read macros from JSON objects with ``macro``, the name, and the arguments.

    Raises:
        TaskError: If a macro is unknown, or its arguments are missing, unknown or invalid. Each
            problem begins with its location.
    """
    problems = Problems(TaskError)
    calls = problems.read_each(value, lambda index, each: _call(each, f"{place}/{index}"))
    problems.finish()
    return calls


def _call(value: Any, place: str) -> MacroCall:
    if not isinstance(value, Mapping):
        raise TaskError(
            f"{place}: expected an object with 'macro' and its arguments, got {value!r}"
        )
    name = value.get("macro")
    if not isinstance(name, str):
        raise TaskError(f"{place}/macro: expected the name of a macro, got {name!r}")
    if name not in MACROS:
        raise TaskError(f"{place}/macro: {not_found('macro', name, sorted(MACROS))}")
    words = MACROS[name]
    arguments = {key: each for key, each in value.items() if key != "macro"}
    problems = Problems(TaskError)
    problems.read(lambda: _require_known(name, arguments, place))
    for key, argument in words.arguments.items():
        if key in arguments or argument.required:
            read = partial(
                _argument, argument, arguments.get(key), f"{place}/{key}", key in arguments
            )
            arguments[key] = problems.read(read)
    problems.finish()
    if words.one_of and not any(key in arguments for key in words.one_of):
        raise TaskError(f"{place}: {name} needs at least one of {', '.join(words.one_of)}")
    return MacroCall(name, arguments)


def _require_known(name: str, arguments: Mapping[str, Any], place: str) -> None:
    words = MACROS[name]
    if unknown := set(arguments) - set(words.arguments):
        raise TaskError(
            f"{place}: {name} has no {', '.join(sorted(map(str, unknown)))}; "
            f"it takes {', '.join(words.arguments) or 'nothing'}"
        )


def _argument(argument: Argument, value: Any, place: str, given: bool) -> Any:
    if not given:
        raise TaskError(f"{place}: missing; expected {argument.expected}")
    if not argument.fits(value):
        raise TaskError(f"{place}: expected {argument.expected}, got {value!r}")
    return value

"""Macros: the steps of a task at the level of a user's plan, such as "edit that text".

A demonstration lists actions; macros list the intended results. The agent ``macro``
(`pptarena.agents.macros`) performs them on the screen and verifies them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pptarena.errors import TaskError
from pptarena.problems import Problems

__all__ = ["MacroCall", "load_macros"]


@dataclass(frozen=True, slots=True)
class MacroCall:
    """A macro with its arguments.

    Attributes:
        name: One of `pptarena.agents.macros.MACRO_FUNCTIONS`.
        arguments: Values by name; optional ones may be missing.
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the form used in task files."""
        return {"macro": self.name, **self.arguments}


def load_macros(value: Sequence[Any], location: str = "macros") -> tuple[MacroCall, ...]:
    """Read macros from JSON objects with ``macro``, the name, and the arguments.

    Names and arguments are checked when the macros are played.

    Raises:
        TaskError: If an entry is malformed. Each problem begins with its location.
    """
    problems = Problems(TaskError)
    calls = problems.read_each(value, lambda index, each: _call(each, f"{location}/{index}"))
    problems.finish()
    return calls


def _call(value: Any, location: str) -> MacroCall:
    if not isinstance(value, Mapping):
        raise TaskError(
            f"{location}: expected an object with 'macro' and its arguments, got {value!r}"
        )
    name = value.get("macro")
    if not isinstance(name, str):
        raise TaskError(f"{location}/macro: expected the name of a macro, got {name!r}")
    return MacroCall(name, {key: each for key, each in value.items() if key != "macro"})

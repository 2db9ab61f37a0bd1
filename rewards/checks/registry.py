"""The checks by name."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_type_hints

from pptarena.errors import RubricError
from pptarena.rewards.arguments import parse_dataclass
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.view import View

__all__ = ["CheckSpec", "check", "check_names", "get_check"]

ArgsT = TypeVar("ArgsT")

_CHECKS: dict[str, "CheckSpec"] = {}


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A check.

    Attributes:
        name: As rubrics write it.
        args_type: Dataclass of its arguments.
        is_goal: Whether it measures a goal: then what the original has already earns nothing.
        run: Measures a deck against the original; the second argument is of `args_type`.
        edit_types: Kinds of edits that it measures, as tasks name them.
        is_binary: Whether it is met or not for each slide or shape, with nothing in between.
    """

    name: str
    args_type: type
    is_goal: bool
    run: Callable[[View, Any], CheckResult]
    edit_types: tuple[str, ...] = ()
    is_binary: bool = False

    def parse(self, values: object, place: str) -> object:
        """Return the arguments from JSON.

        Raises:
            RubricError: If they do not fit; the message begins with `place`.
        """
        return parse_dataclass(self.args_type, values, place)

    def __reduce__(self) -> tuple[Callable[..., "CheckSpec"], tuple[str, str]]:
        return get_check, (self.name, "check")


def check(
    name: str, *edit_types: str, is_goal: bool = True, is_binary: bool = False
) -> Callable[[Callable[[View, ArgsT], CheckResult]], Callable[[View, ArgsT], CheckResult]]:
    """Register a function ``(view, args)`` as the check of that name.

    Args:
        name: As rubrics write it.
        edit_types: Kinds of edits that it measures, as tasks name them.
        is_goal: Whether it measures a goal, so that only progress beyond the original counts.
        is_binary: Whether it is met or not for each slide or shape, with nothing in between.
    """

    def register(
        function: Callable[[View, ArgsT], CheckResult],
    ) -> Callable[[View, ArgsT], CheckResult]:
        if name in _CHECKS:
            raise ValueError(f"there are two checks of the name {name!r}")
        args_type = get_type_hints(function)["args"]
        _CHECKS[name] = CheckSpec(name, args_type, is_goal, function, edit_types, is_binary)
        return function

    return register


def check_names() -> tuple[str, ...]:
    """Return the names of all checks, sorted."""
    return tuple(sorted(_CHECKS))


def get_check(name: str, place: str) -> CheckSpec:
    """Return a check by name.

    Raises:
        RubricError: If there is none; the message begins with `place` and names near matches.
    """
    if name not in _CHECKS:
        near = difflib.get_close_matches(name, _CHECKS, 3)
        hint = f"; did you mean {' or '.join(repr(each) for each in near)}?" if near else ""
        raise RubricError(f"{place}: unknown check {name!r}{hint}")
    return _CHECKS[name]

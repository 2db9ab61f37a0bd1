"""Registry of checks, and the decorators that register a function as a check.

The first parameter of the function is the object it checks. The others are the arguments that
rubrics specify: names, types and defaults come from the signature, descriptions from the docstring.
Arguments of types such as `Color` are validated.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from pptarena.errors import RubricError
from pptarena.rewards.checking.definition import CheckSpec, Rules, Scale
from pptarena.rewards.checking.result import CheckResult
from pptarena.suggestions import not_found

__all__ = [
    "check_names",
    "deck_check",
    "get_check",
    "part_check",
    "shape_check",
    "slide_check",
    "slides_check",
]

FunctionT = TypeVar("FunctionT", bound=Callable[..., CheckResult])

_CHECKS: dict[str, CheckSpec] = {}


def _check(
    scale: Scale,
    *edit_types: str,
    shape: str = "none",
    is_goal: bool = True,
    is_binary: bool = False,
    visible: bool = True,
    explain_hidden: bool = False,
    exactly_one: tuple[str, ...] = (),
    at_least_one: tuple[str, ...] = (),
    at_most_one: tuple[str, ...] = (),
    more: Callable[[Mapping[str, Any]], None] | None = None,
) -> Callable[[FunctionT], FunctionT]:
    """Register a function as a check; see `CheckSpec` and `Rules` for the arguments."""
    rules = Rules(exactly_one, at_least_one, at_most_one, more)

    def register(function: FunctionT) -> FunctionT:
        spec = CheckSpec(
            function, scale, edit_types, is_goal, is_binary, shape, visible, explain_hidden, rules
        )
        if spec.name in _CHECKS:
            raise ValueError(f"there are two checks of the name {spec.name!r}")
        _CHECKS[spec.name] = spec
        return function

    return register


deck_check = partial(_check, "deck")
"""Register a check that receives the `View` of both decks."""

slides_check = partial(_check, "slides")
"""Register a check that receives all `Slides` that a leaf selects."""

slide_check = partial(_check, "slide")
"""Register a check that receives a `SlidePair`; the score is the mean over the slides.

A removed slide scores 0 without a call.
"""

shape_check = partial(_check, "shape", shape="required")
"""Register a check that receives a `ShapePair`; the score is the mean over the shapes.

A removed or invisible shape scores 0 without a call.
"""

part_check = partial(_check, "part", shape="optional")
"""Register a check that receives a `Part`: a shape, or the slide if no shape is named."""


def check_names() -> tuple[str, ...]:
    """Return the names of all checks, sorted."""
    return tuple(sorted(_CHECKS))


def get_check(name: str, place: str) -> CheckSpec:
    """Return a check by name.

    Raises:
        RubricError: If no check has that name; the message begins with `place` and suggests similar
            names.
    """
    if name not in _CHECKS:
        raise RubricError(f"{place}: {not_found('check', name, check_names())}")
    return _CHECKS[name]

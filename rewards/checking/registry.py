"""The checks by name, and the decorators that make a check of a function.

The first parameter of the function is what it looks at. The other ones are the arguments that
rubrics give: their names, types and defaults are read from the signature, what to know of them from
the docstring. An argument of type `Color` and the like is refused where it makes no sense.
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
    """Make a check of a function; see `CheckSpec` and `Rules` for the arguments."""
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
"""Make a check of a function that is shown the `View` of both decks."""

slides_check = partial(_check, "slides")
"""Make a check of a function that is shown all `Slides` that a leaf means, at once."""

slide_check = partial(_check, "slide")
"""Make a check of a function that is shown a `SlidePair`; the score is the mean over slides.

A slide that is gone scores 0, and is not shown.
"""

shape_check = partial(_check, "shape", shape="required")
"""Make a check of a function that is shown a `ShapePair`; the score is the mean over shapes.

A shape that is gone, or that nobody can see, scores 0 and is not shown.
"""

part_check = partial(_check, "part", shape="optional")
"""Make a check of a function that is shown a `Part`: a shape, or a slide if none is named."""


def check_names() -> tuple[str, ...]:
    """Return the names of all checks, sorted."""
    return tuple(sorted(_CHECKS))


def get_check(name: str, place: str) -> CheckSpec:
    """Return a check by name.

    Raises:
        RubricError: If there is none; the message begins with `place` and names near matches.
    """
    if name not in _CHECKS:
        raise RubricError(f"{place}: {not_found('check', name, check_names())}")
    return _CHECKS[name]

"""The checks by name, and the decorators that make a check of a function.

The first parameter of the function is what it looks at. The other ones are the arguments that
rubrics give: their names, types and defaults are read from the signature, what to know of them from
the docstring. An argument of type `Color` and the like is refused where it makes no sense.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypedDict, TypeVar, Unpack

from pptarena.errors import RubricError
from pptarena.rewards.checks.definition import CheckSpec, Rules, Scale
from pptarena.rewards.checks.result import CheckResult

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
_RULES = frozenset(field.name for field in fields(Rules))


class Options(TypedDict, total=False):
    """What may be said of a check; see `CheckSpec` and `Rules`."""

    is_goal: bool
    is_binary: bool
    shape: str
    visible: bool
    explain_hidden: bool
    exactly_one: tuple[str, ...]
    at_least_one: tuple[str, ...]
    at_most_one: tuple[str, ...]
    more: Callable[[Mapping[str, Any]], None]


def deck_check(*edit_types: str, **options: Unpack[Options]) -> Callable[[FunctionT], FunctionT]:
    """Make a check of a function that is shown the `View` of both decks.

    Args:
        edit_types: Kinds of edits that it measures, as tasks name them.
        options: Fields of `CheckSpec` and `Rules`.
    """
    return _register("deck", edit_types, options)


def slides_check(*edit_types: str, **options: Unpack[Options]) -> Callable[[FunctionT], FunctionT]:
    """Make a check of a function that is shown all `Slides` that a leaf means, at once."""
    return _register("slides", edit_types, options)


def slide_check(*edit_types: str, **options: Unpack[Options]) -> Callable[[FunctionT], FunctionT]:
    """Make a check of a function that is shown a `SlidePair`; the score is the mean over slides.

    A slide that is gone scores 0, and is not shown.
    """
    return _register("slide", edit_types, options)


def shape_check(*edit_types: str, **options: Unpack[Options]) -> Callable[[FunctionT], FunctionT]:
    """Make a check of a function that is shown a `ShapePair`; the score is the mean over shapes.

    A shape that is gone, or that nobody can see, scores 0 and is not shown.
    """
    return _register("shape", edit_types, {"shape": "required", **options})


def part_check(*edit_types: str, **options: Unpack[Options]) -> Callable[[FunctionT], FunctionT]:
    """Make a check of a function that is shown a `Part`: a shape, or a slide if none is named."""
    return _register("part", edit_types, {"shape": "optional", **options})


def _register(
    scale: Scale, edit_types: tuple[str, ...], options: Options
) -> Callable[[FunctionT], FunctionT]:
    given: Mapping[str, Any] = options
    rules = Rules(**{name: value for name, value in given.items() if name in _RULES})
    other = {name: value for name, value in given.items() if name not in _RULES}

    def register(function: FunctionT) -> FunctionT:
        spec = CheckSpec(function, scale, edit_types, rules=rules, **other)
        if spec.name in _CHECKS:
            raise ValueError(f"there are two checks of the name {spec.name!r}")
        _CHECKS[spec.name] = spec
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

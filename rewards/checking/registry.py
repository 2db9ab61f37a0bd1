"""Registry of checks, and the decorators that register a function as a check.

The first parameter of the function is the object it checks. The others are the arguments that
rubrics specify: names, types and defaults come from the signature, descriptions from the docstring.
Arguments of types such as `Color` are validated.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from pptarena.errors import RubricError
from pptarena.rewards.checking.definition import Alias, CheckSpec, Rules, Scale
from pptarena.rewards.checking.result import CheckResult
from pptarena.suggestions import not_found

__all__ = [
    "ALIASES",
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
    shape: str = "none",
    is_goal: bool = True,
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
        spec = CheckSpec(function, scale, is_goal, shape, visible, explain_hidden, rules)
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


ALIASES: Mapping[str, Alias] = {
    "alt_text_is": Alias("shape_text_is", (), (("of", "alt_text"), ("match_case", False))),
    "animation_order": Alias("shapes_in_order", (), (("by", "animation"),)),
    "chart_categories_are": Alias(
        "chart_names_are", (("categories", "names"),), (("of", "categories"),)
    ),
    "chart_legend_is": Alias("chart_is", (("position", "legend"),)),
    "chart_series_are": Alias("chart_names_are", (("series", "names"),), (("of", "series"),)),
    "chart_title_is": Alias("chart_is", (("text", "title"),)),
    "chart_type_is": Alias("chart_is"),
    "line_spacing": Alias(
        "paragraph_format",
        (("percent", "line_spacing_pct"), ("tolerance", "spacing_tolerance_pct")),
    ),
    "paragraph_alignment": Alias("paragraph_format"),
    "paragraph_bullet": Alias(
        "paragraph_format",
        tuple((name, f"bullet_{name}") for name in ("char", "color", "size_pct", "start")),
    ),
    "paragraph_direction": Alias("paragraph_format", (), (("right_to_left", True),)),
    "paragraph_level": Alias("paragraph_format"),
    "reading_order": Alias("shapes_in_order", (), (("by", "reading"),)),
    "shape_fill_color": Alias("shape_fill_is"),
    "shape_geometry_is": Alias("shape_format"),
    "shape_rotation": Alias(
        "shape_format", (("degrees", "rotation_deg"), ("tolerance", "tolerance_deg"))
    ),
    "shape_text_contains": Alias("text_contains"),
    "slide_background": Alias("background_is"),
    "slide_text_contains": Alias("text_contains"),
    "table_lacks_column": Alias("table_lacks", (), (("line", "column"),)),
    "table_lacks_row": Alias("table_lacks", (), (("line", "row"),)),
    "text_frame_is": Alias("shape_format"),
}
"""Former names of checks, which rubrics may still use."""


def check_names() -> tuple[str, ...]:
    """Return the names of all checks, sorted; without those of `ALIASES`."""
    return tuple(sorted(_CHECKS))


def get_check(name: str, place: str) -> CheckSpec:
    """Return a check by its present or a former name.

    Raises:
        RubricError: If no check has that name; the message begins with `place` and suggests similar
            names.
    """
    if name in ALIASES:
        alias = ALIASES[name]
        return replace(_CHECKS[alias.check], former=name, alias=alias)
    if name not in _CHECKS:
        raise RubricError(f"{place}: {not_found('check', name, check_names())}")
    return _CHECKS[name]

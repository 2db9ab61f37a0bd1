"""Checks: their definition, their registry and the decorators that register a function.

The first parameter of the function is the object it checks. The others are the arguments that
rubrics specify: names, types and defaults come from the signature, descriptions from the docstring.
Arguments of types such as `Color` are validated.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model, model_validator

from pptarena.decks.selectors import find_shape, is_new_spec
from pptarena.docstrings import describe
from pptarena.errors import RubricError, UnscoredError
from pptarena.rewards.checking.arguments import SHAPE_KEYS, SLIDE_KEYS, Address, require_keys
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    require,
    with_note,
    zero_if_missing,
)
from pptarena.rewards.checking.view import Part, ShapePair, SlidePair, Slides, View, slide_pairs
from pptarena.rewards.parsing import parse
from pptarena.rewards.relative import is_rule, resolve_values
from pptarena.suggestions import not_found

__all__ = [
    "ALIASES",
    "Argument",
    "CheckSpec",
    "Scale",
    "adapter",
    "check_names",
    "deck_check",
    "get_check",
    "part_check",
    "shape_check",
    "slide_check",
    "slides_check",
]


Scale = Literal["deck", "slides", "slide", "part", "shape"]

_REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a check.

    Attributes:
        name: Name in rubrics.
        type: Type of the values; an `Annotated` type may validate them.
        default: Default value; `inspect.Parameter.empty` if the argument is required.
        note: Description, possibly empty.
    """

    name: str
    type: Any
    default: Any
    note: str = ""

    @property
    def required(self) -> bool:
        """Whether the argument is required."""
        return self.default is _REQUIRED


@dataclass(frozen=True, slots=True)
class Alias:
    """A former name of a check.

    Attributes:
        check: Present name of the check.
        renamed: Pairs of a former and the present name of an argument.
        implied: Arguments that apply unless others are given, as (name, value).
    """

    check: str
    renamed: tuple[tuple[str, str], ...] = ()
    implied: tuple[tuple[str, Any], ...] = ()

    def translate(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of the present check for those of the former one."""
        names = dict(self.renamed)
        return {**dict(self.implied), **{names.get(n, n): v for n, v in values.items()}}


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """A check.

    Attributes:
        function: Scores its first parameter; the other parameters are the arguments. Its name is
            the name of the check.
        scale: What the function receives: the deck, all slides of the leaf, each slide, each shape,
            or each slide or shape depending on whether the leaf names a shape.
        is_goal: Whether the check measures a goal; what the original already fulfills earns
            nothing.
        shape: Whether the leaf names a shape: ``none``, ``optional``, ``required``, or a default
            such as ``@table``.
        visible: Default for whether only visible content counts.
        explain_hidden: Whether reasons about slides explain why text is invisible.
        exactly_one: Exactly one of these arguments must be given (not None).
        at_least_one: At least one of these must be given.
        at_most_one: At most one of these may be given.
        validate: Raises ValueError for arguments that do not fit together.
        former_name: Former name that a rubric uses; empty for the present one.
        alias: The present check and arguments of a former name.
    """

    function: Callable[..., CheckResult]
    scale: Scale
    is_goal: bool = True
    shape: str = "none"
    visible: bool = True
    explain_hidden: bool = False
    exactly_one: tuple[str, ...] = ()
    at_least_one: tuple[str, ...] = ()
    at_most_one: tuple[str, ...] = ()
    validate: Callable[[Mapping[str, Any]], None] | None = None
    former_name: str = ""
    alias: Alias | None = None

    @property
    def name(self) -> str:
        """Name of the check in rubrics."""
        return self.former_name or self.function.__name__

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments, with those that select slides and shapes first."""
        return (*_address_arguments(self), *_own_arguments(self.function))

    def parse(self, values: object, location: str) -> dict[str, Any]:
        """Parse the arguments from JSON; omitted ones are absent from the result.

        Raises:
            RubricError: If they are invalid; the message begins with `location`.
        """
        if self.alias is not None:
            return self._parse_former(self.alias, values, location)
        model = parse(adapter(self), values, location)
        return {name: value for name, value in model if name in model.model_fields_set}

    def _parse_former(self, alias: Alias, values: object, location: str) -> dict[str, Any]:
        """Parse the arguments of a former name; errors name them as they are written."""
        present = replace(self, former_name="", alias=None)
        translated = alias.translate(values) if isinstance(values, Mapping) else values
        try:
            return present.parse(translated, location)
        except RubricError as error:
            former_locations = {
                f"{location}/{now}": f"{location}/{former}" for former, now in alias.renamed
            }
            parts = (problem.partition(":") for problem in error.problems)
            raise RubricError(
                *(
                    former_locations.get(problem_location, problem_location) + separator + message
                    for problem_location, separator, message in parts
                )
            ) from None

    def require_rules(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError if arguments violate a rule, such as `exactly_one`."""
        for names, quantifier, low, high in (
            (self.exactly_one, "exactly one of ", 1, 1),
            (self.at_least_one, "at least one of ", 1, len(self.at_least_one)),
            (self.at_most_one, "at most one of ", 0, 1),
        ):
            specified = [name for name in names if values[name] is not None]
            if names and not low <= len(specified) <= high:
                expected = (
                    " or ".join(names) if len(names) == high == 2 else quantifier + ", ".join(names)
                )
                raise ValueError(f"expected {expected}, got {' and '.join(specified) or 'none'}")
        if self.validate is not None:
            self.validate(values)

    def run(self, view: View, values: Mapping[str, Any]) -> CheckResult:
        """Score a deck against the original.

        Args:
            view: The two decks.
            values: The arguments, from `parse`.

        Raises:
            UnscoredError: If the check cannot be scored.
        """
        resolved = resolve_values(values, view.original, view.current)
        if self.scale == "deck":
            return zero_if_missing(self.function)(view, **resolved)
        arguments = {
            "visible": self.visible,
            "skips_missing": is_rule(values.get("slides")),
            **resolved,
        }
        if self.shape.startswith("@") and all(arguments.get(key) is None for key in SHAPE_KEYS):
            arguments["shape"] = self.shape
        address, remaining = Address.split(arguments)
        measure = zero_if_missing(partial(self.function, **remaining))
        if self.scale == "slides":
            return measure(Slides(view, address, tuple(slide_pairs(view, address))))
        return _mean_over(view, address, self.scale, measure, self.explain_hidden)


def _mean_over(
    view: View,
    address: Address,
    scale: Scale,
    measure: Callable[[Any], CheckResult],
    explain_hidden: bool,
) -> CheckResult:
    """Return the mean over slides or shapes; removed ones score 0."""
    is_per_shape = scale == "shape" or (scale == "part" and address.selector is not None)

    @zero_if_missing
    def score_slide(slide: SlidePair) -> CheckResult:
        target = _shape_pair(slide) if is_per_shape else slide
        now = target.after
        result = measure(_part(target) if scale == "part" else target)
        explains = (is_per_shape or explain_hidden) and target.visible is not now
        return with_note(result, view.hidden_text_reason(slide.after)) if explains else result

    slides = slide_pairs(view, address)
    if is_per_shape:
        slides = [slide for slide in slides if not _lacks_shape(slide)]
        if not slides:
            raise UnscoredError(f"no slide of the original has a shape {address.shape!r}")
    return mean_of(map(score_slide, slides), "shapes" if is_per_shape else "slides")


def _part(target: SlidePair | ShapePair) -> Part:
    if isinstance(target, SlidePair):
        return Part(target, target.current_label, None, target.after.shapes, target.visible.shapes)
    return Part(target.slide_pair, target.label, target.after, (target.after,), (target.visible,))


def _lacks_shape(slide: SlidePair) -> bool:
    """Return whether the leaf selects slides by a rule and this slide never had the shape."""
    selector, before = slide.address.shape, slide.before
    if not slide.address.skips_missing or selector is None or before is None:
        return False
    if is_new_spec(selector):
        return False  # a shape created by the task is missing until it is created
    return find_shape(before, selector) is None


def _shape_pair(slide: SlidePair) -> ShapePair:
    address, after = slide.address, slide.after
    selector = address.selector or ""
    of_original = address.slide is not None or address.slides is not None
    is_followed = (address.shape is not None and of_original) or is_new_spec(selector)
    shape = slide.follow(selector) if is_followed else find_shape(after, selector)
    now = require(shape, f"{slide.label} has no shape {selector!r} now")
    label = f"{now.label} on {slide.label}"
    in_view = not address.visible or slide.view.is_in_view(after, now)
    require(in_view, f"{label} is not visible")
    return ShapePair(slide, label, slide.original_of(now), now, slide.visible.shapes[now.index])


def _address_arguments(spec: CheckSpec) -> Iterator[Argument]:
    if spec.scale == "deck":
        return
    hints = get_type_hints(Address, include_extras=True)
    for name in (*SLIDE_KEYS, *(SHAPE_KEYS if spec.shape != "none" else ())):
        yield Argument(name, hints[name], None)
    yield Argument("visible", bool, spec.visible)


def _own_arguments(function: Callable[..., CheckResult]) -> Iterator[Argument]:
    hints = get_type_hints(function, include_extras=True)
    notes = describe(function)[1]
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        kind = hints[parameter.name]
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            note = notes.get(parameter.name, "")
            yield Argument(parameter.name, kind, parameter.default, note)
            continue
        (shared,) = get_args(kind)  # from Unpack[...]: arguments shared by several checks
        for name, each in get_type_hints(shared, include_extras=True).items():
            yield Argument(name, each, None, notes.get(name, ""))


@cache
def adapter(spec: CheckSpec) -> TypeAdapter[Any]:
    """Return the pydantic adapter that validates and describes the arguments of a check."""

    def apply_rules(model: BaseModel) -> BaseModel:
        values = dict(model)
        if spec.scale != "deck":
            require_keys(values, spec.shape)
        spec.require_rules(values)
        return model

    validators: dict[str, Any] = {"rules": model_validator(mode="after")(apply_rules)}
    fields: dict[str, Any] = {}
    for each in spec.arguments:
        kind = Annotated[each.type, Field(description=each.note)] if each.note else each.type
        fields[each.name] = (kind, ... if each.required else each.default)
    return TypeAdapter(
        create_model(
            spec.name,
            __config__=ConfigDict(extra="forbid"),
            __doc__=describe(spec.function)[0],
            __validators__=validators,
            **fields,
        )
    )


FunctionT = TypeVar("FunctionT", bound=Callable[..., CheckResult])

_CHECKS: dict[str, CheckSpec] = {}


def _check(scale: Scale, **fields: Any) -> Callable[[FunctionT], FunctionT]:
    """Register a function as a check; `fields` are those of `CheckSpec`."""

    def register(function: FunctionT) -> FunctionT:
        spec = CheckSpec(function, scale, **fields)
        if spec.name in _CHECKS:
            raise ValueError(f"duplicate check name {spec.name!r}")
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


def get_check(name: str, location: str) -> CheckSpec:
    """Return a check by its present or a former name.

    Raises:
        RubricError: If no check has that name; the message begins with `location` and suggests
            similar names.
    """
    if name in ALIASES:
        alias = ALIASES[name]
        return replace(_CHECKS[alias.check], former_name=name, alias=alias)
    if name not in _CHECKS:
        raise RubricError(f"{location}: {not_found('check', name, check_names())}")
    return _CHECKS[name]

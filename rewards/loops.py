"""``for_each``: repeat a rubric node for each slide, shape or value.

Texts of the node contain names and arithmetic in braces, as in ``"{i} of {n}"``.
Expressions consist of numbers, names, ``+ - * /`` and parentheses. They are parsed, not executed.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, cast

from pydantic import ConfigDict, Field, TypeAdapter

from pptarena.decks import Deck, Slide
from pptarena.decks.selectors import is_kind, spec_of
from pptarena.errors import RubricError, UnscoredError
from pptarena.rewards.checking.arguments import Kind
from pptarena.rewards.parsing import parse
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest_position, resolve_values

__all__ = ["Loop", "Names", "expand_node", "fill", "load_loop"]


Names = Mapping[str, int | float | str]
"""The names available in braces."""

_BRACES = re.compile(r"\{([^{}]*)\}")
_MAX_EXPRESSION_CHARS = 80
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def fill(value: Any, names: Names, location: str) -> Any:
    """Return JSON data with the expressions in braces evaluated.

    A text that consists of a single pair of braces becomes the value itself, possibly a number.

    Raises:
        RubricError: If braces contain an unknown name or an invalid expression; the message begins
            with `location`.
    """
    if isinstance(value, str):
        return _fill_text(value, names, location)
    if isinstance(value, list | tuple):
        return [fill(each, names, f"{location}/{at}") for at, each in enumerate(value)]
    if isinstance(value, Mapping):
        return {key: fill(each, names, f"{location}/{key}") for key, each in value.items()}
    return value


def _fill_text(text: str, names: Names, location: str) -> Any:
    entire_match = _BRACES.fullmatch(text)
    if entire_match is not None:
        return _value(entire_match[1], names, location)
    return _BRACES.sub(lambda match: _format_value(_value(match[1], names, location)), text)


def _format_value(value: int | float | str) -> str:
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def _value(text: str, names: Names, location: str) -> int | float | str:
    name = text.strip()
    if isinstance(value := names.get(name), str):
        return value
    try:
        number = _calculate(name, names)
    except ValueError as error:
        allowed = ", ".join(sorted(names))
        raise RubricError(
            f"{location}: expected a sum of numbers and {allowed} in braces,"
            f" got {{{text}}}: {error}"
        ) from None
    return int(number) if number == int(number) else number


def _calculate(text: str, names: Names) -> float:
    """Return the value of an arithmetic expression.

    Raises:
        ValueError: If the text is anything else.
    """
    if len(text) > _MAX_EXPRESSION_CHARS:
        raise ValueError(f"it is longer than {_MAX_EXPRESSION_CHARS} characters")
    try:
        result = _evaluate(ast.parse(text, mode="eval").body, names)
    except (SyntaxError, MemoryError, RecursionError):
        raise ValueError("it cannot be parsed") from None
    except ArithmeticError as error:
        raise ValueError(str(error)) from None
    if not math.isfinite(result):
        raise ValueError("it is too large")
    return result


def _evaluate(node: ast.expr, names: Names) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(id=name) if isinstance(number := names.get(name), int | float):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, names)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_evaluate(left, names), _evaluate(right, names))
    raise ValueError(f"{ast.unparse(node)!r} is not a number")


MAX_ITERATIONS = 200
"""Maximum number of nodes that a loop may create."""

_RESERVED_NAMES = frozenset(("i", "n", "slide", "title", "shape", "value"))

Value = int | float | str
Values = Annotated[
    tuple[Value | dict[str, Value], ...], Field(min_length=1, max_length=MAX_ITERATIONS)
]


@dataclass(frozen=True, slots=True)
class Loop:
    """Repeats a rubric node; exactly one of `slides`, `shapes` and `values` is set.

    In texts of the node, ``{i}`` is the iteration (1-based) and ``{n}`` the number of iterations.

    Attributes:
        slides: Slides of the original: ``{slide}`` is the position, ``{title}`` the title.
        slide: A slide of the original, for `shapes`.
        shapes: A type of shapes on `slide`: ``{shape}`` is the selector of the shape.
        values: Texts or numbers, ``{value}``; or objects, whose keys are the names.
    """

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    slides: SeveralSlides | None = None
    slide: OneSlide | None = None
    shapes: Kind | None = None
    values: Values | None = None

    def __post_init__(self) -> None:
        sources = [n for n in ("slides", "shapes", "values") if getattr(self, n) is not None]
        if len(sources) != 1:
            raise ValueError(f"expected one of slides, shapes, values, got {len(sources)}")
        if (self.shapes is None) != (self.slide is None):
            raise ValueError("expected slide and shapes together, got one of them")
        if self.slides == () or min(lowest_position(self.slides), lowest_position(self.slide)) < 1:
            raise ValueError("slide positions start at 1, and a list of slides must not be empty")
        objects = [each for each in self.values or () if isinstance(each, dict)]
        if objects and len(objects) < len(self.values or ()):
            raise ValueError("expected values to be all objects, or none")
        keys = {frozenset(each) for each in objects}
        invalid = sorted(
            k for each in keys for k in each if k in _RESERVED_NAMES or not k.isidentifier()
        )
        if len(keys) > 1 or invalid:
            raise ValueError(
                f"expected objects with the same names, none of {sorted(_RESERVED_NAMES)}"
            )

    def examples(self) -> tuple[Names, ...]:
        """Return the names of each iteration without a deck, using one example if a deck is needed.

        Loading a rubric validates the node with these names.
        """
        if self.values is not None:
            return _with_counters([_names(value) for value in self.values])
        if self.shapes is not None:
            return _with_counters([{"slide": 1, "shape": f"@{self.shapes}"}])
        return _with_counters([{"slide": 1, "title": "Title"}])

    def iterations(self, original: Deck) -> tuple[Names, ...]:
        """Return the names of each iteration.

        Raises:
            UnscoredError: If the original has too few or too many items for the loop.
        """
        if self.values is not None:
            return self.examples()
        slide_values = {"slides": self.slides, "slide": self.slide}
        resolved = resolve_values(slide_values, original, original)
        if self.shapes is None:
            numbers = resolved["slides"]
            if numbers == "all":
                numbers = tuple(range(1, len(original.slides) + 1))
            slides = [_slide(original, number) for number in numbers]
            names: list[Names] = [{"slide": s.index + 1, "title": s.title} for s in slides]
        else:
            slide = _slide(original, resolved["slide"])
            names = list(_shapes(slide, self.shapes))
        if not 1 <= len(names) <= MAX_ITERATIONS:
            raise UnscoredError(
                f"for_each: expected 1 to {MAX_ITERATIONS} iterations, got {len(names)}"
            )
        return _with_counters(names)


def load_loop(value: object, location: str) -> Loop:
    """Return a loop from JSON.

    Raises:
        RubricError: If it is invalid; the message begins with `location`.
    """
    return cast(Loop, parse(_adapter(), value, location))


def expand_node(
    node: Mapping[str, Any], rounds: tuple[Names, ...], location: str
) -> list[dict[str, Any]]:
    """Return a node for each iteration with the names filled in, made distinct by its name."""
    nodes = []
    for names in rounds:
        node_copy = fill(dict(node), names, location)
        if (
            isinstance(node_copy.get("name"), str | int | float)
            and node_copy["name"] == node["name"]
        ):
            node_copy["name"] = f"{node_copy['name']} {names['i']}"
        node_copy["name"] = str(node_copy.get("name", ""))
        nodes.append(node_copy)
    return nodes


@cache
def _adapter() -> TypeAdapter[Loop]:
    return TypeAdapter(Loop)


def _names(value: Value | dict[str, Value]) -> Names:
    return dict(value) if isinstance(value, dict) else {"value": value}


def _with_counters(rounds: list[Names]) -> tuple[Names, ...]:
    return tuple({**each, "i": at, "n": len(rounds)} for at, each in enumerate(rounds, start=1))


def _slide(original: Deck, number: int) -> Slide:
    if not 1 <= number <= len(original.slides):
        raise UnscoredError(f"for_each: the original has no slide {number}")
    return original.slides[number - 1]


def _shapes(slide: Slide, kind: str) -> Iterator[Names]:
    for shape in slide.shapes:
        if is_kind(shape, kind) and not shape.hidden:
            selector = spec_of(slide, shape)
            if selector is None:
                raise UnscoredError(f"for_each: no selector identifies {shape.label}")
            yield {"slide": slide.index + 1, "shape": selector}

"""``for_each``: repeat a rubric node for each slide, shape or value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, cast

from pydantic import ConfigDict, Field, TypeAdapter

from pptarena.decks import Deck, Slide
from pptarena.decks.selectors import is_kind
from pptarena.decks.specs import spec_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Kind
from pptarena.rewards.filling import Names, fill
from pptarena.rewards.parsing import parse
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest, settle

__all__ = ["MOST_ROUNDS", "Loop", "filled_nodes", "load_loop"]

MOST_ROUNDS = 200
"""Maximum number of nodes that a loop may create."""

_OWN = frozenset(("i", "n", "slide", "title", "shape", "value"))

Value = int | float | str
Values = Annotated[
    tuple[Value | dict[str, Value], ...], Field(min_length=1, max_length=MOST_ROUNDS)
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
        given = [n for n in ("slides", "shapes", "values") if getattr(self, n) is not None]
        if len(given) != 1:
            raise ValueError(f"expected one of slides, shapes, values, got {len(given)}")
        if (self.shapes is None) != (self.slide is None):
            raise ValueError("expected slide and shapes together, got one of them")
        if self.slides == () or min(lowest(self.slides), lowest(self.slide)) < 1:
            raise ValueError("slides count from 1, and a list of them must not be empty")
        objects = [each for each in self.values or () if isinstance(each, dict)]
        if objects and len(objects) < len(self.values or ()):
            raise ValueError("expected values to be all objects, or none")
        keys = {frozenset(each) for each in objects}
        wrong = sorted(k for each in keys for k in each if k in _OWN or not k.isidentifier())
        if len(keys) > 1 or wrong:
            raise ValueError(f"expected objects with the same names, none of {sorted(_OWN)}")

    def examples(self) -> tuple[Names, ...]:
        """Return the names of each iteration without a deck, using one example if a deck is needed.

        Loading a rubric validates the node with these names.
        """
        if self.values is not None:
            return _counted([_names(value) for value in self.values])
        if self.shapes is not None:
            return _counted([{"slide": 1, "shape": f"@{self.shapes}"}])
        return _counted([{"slide": 1, "title": "Title"}])

    def rounds(self, original: Deck) -> tuple[Names, ...]:
        """Return the names of each iteration.

        Raises:
            UnscoredError: If the original has too few or too many items for the loop.
        """
        if self.values is not None:
            return self.examples()
        given = {"slides": self.slides, "slide": self.slide}
        settled = settle(given, original, original)
        if self.shapes is None:
            numbers = settled["slides"]
            if numbers == "all":
                numbers = tuple(range(1, len(original.slides) + 1))
            slides = [_slide(original, number) for number in numbers]
            found: list[Names] = [{"slide": s.index + 1, "title": s.title} for s in slides]
        else:
            slide = _slide(original, settled["slide"])
            found = list(_shapes(slide, self.shapes))
        if not 1 <= len(found) <= MOST_ROUNDS:
            raise UnscoredError(f"for_each: expected 1 to {MOST_ROUNDS} rounds, got {len(found)}")
        return _counted(found)


def load_loop(value: object, place: str) -> Loop:
    """Return a loop from JSON.

    Raises:
        RubricError: If it is invalid; the message begins with `place`.
    """
    return cast(Loop, parse(_adapter(), value, place))


def filled_nodes(
    node: Mapping[str, Any], rounds: tuple[Names, ...], place: str
) -> list[dict[str, Any]]:
    """Return a node for each iteration with the names filled in, made distinct by its name."""
    found = []
    for names in rounds:
        filled = fill(dict(node), names, place)
        if isinstance(filled.get("name"), str | int | float) and filled["name"] == node["name"]:
            filled["name"] = f"{filled['name']} {names['i']}"
        filled["name"] = str(filled.get("name", ""))
        found.append(filled)
    return found


@cache
def _adapter() -> TypeAdapter[Loop]:
    return TypeAdapter(Loop)


def _names(value: Value | dict[str, Value]) -> Names:
    return dict(value) if isinstance(value, dict) else {"value": value}


def _counted(rounds: list[Names]) -> tuple[Names, ...]:
    return tuple({**each, "i": at, "n": len(rounds)} for at, each in enumerate(rounds, start=1))


def _slide(original: Deck, number: int) -> Slide:
    if not 1 <= number <= len(original.slides):
        raise UnscoredError(f"for_each: the original has no slide {number}")
    return original.slides[number - 1]


def _shapes(slide: Slide, kind: str) -> Iterator[Names]:
    for shape in slide.shapes:
        if is_kind(shape, kind) and not shape.hidden:
            words = spec_of(slide, shape)
            if words is None:
                raise UnscoredError(f"for_each: nothing names {shape.label}")
            yield {"slide": slide.index + 1, "shape": words}

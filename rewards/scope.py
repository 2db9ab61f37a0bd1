"""The part of a deck that a task may touch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pptarena.rewards.arguments import parse_dataclass
from pptarena.rewards.change import ASPECTS, Aspect
from pptarena.rewards.lookup import require_spec

__all__ = ["Scope", "load_scope"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a deck that a task may touch. A change is inside if all conditions hold.

    Attributes:
        slides: Slides by position in the original, from 1, or ``all``. Changes of the deck as a
            whole (slide size, themes, masters) are inside only with ``all``.
        aspects: Aspects that may change; None for all of them.
        shapes: Shapes of the original that may change, in the words of a check's ``shape``; None
            for all. Changes of a slide itself, and added shapes, are ruled by `aspects` alone.
        new_slides: Whether slides may be added, or at most how many. It alone rules them.
    """

    slides: tuple[int, ...] | Literal["all"] = ()
    aspects: tuple[Aspect, ...] | None = None
    shapes: tuple[str, ...] | None = None
    new_slides: bool | int = False

    def __post_init__(self) -> None:
        if self.slides != "all" and any(slide < 1 for slide in self.slides):
            raise ValueError(f"slides count from 1, got {list(self.slides)}")
        unknown = sorted(set(self.aspects or ()) - ASPECTS)
        if unknown:
            raise ValueError(f"unknown aspects {unknown}; expected {sorted(ASPECTS)}")
        for spec in self.shapes or ():
            require_spec(spec)
        if self.new_slides < 0:
            raise ValueError(f"new_slides must not be negative, got {self.new_slides}")

    def has_slide(self, number: int) -> bool:
        """Return whether a slide of the original (from 1) may change."""
        return self.slides == "all" or number in self.slides

    def has_aspect(self, aspect: str) -> bool:
        """Return whether an aspect may change."""
        return self.aspects is None or aspect in self.aspects

    def to_json(self) -> dict[str, Any]:
        """Return the scope as plain data that `load_scope` takes."""
        found: dict[str, Any] = {"new_slides": self.new_slides}
        found["slides"] = self.slides if self.slides == "all" else list(self.slides)
        if self.aspects is not None:
            found["aspects"] = list(self.aspects)
        if self.shapes is not None:
            found["shapes"] = list(self.shapes)
        return found


def load_scope(values: Mapping[str, Any]) -> Scope:
    """Return a scope from JSON.

    Raises:
        RubricError: If it does not fit; the message begins with ``scope``.
    """
    return parse_dataclass(Scope, values, "scope")

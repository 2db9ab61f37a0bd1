"""Leaves of a draft, and the slides and shapes that a part of the changes concerns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.selectors import spec_of
from pptarena.rewards.gold.plan import GoldPlan, Part

__all__ = ["Leaf", "PartContext"]


@dataclass(frozen=True)
class Leaf:
    """A check with its arguments.

    Attributes:
        check: Name of the check.
        args: Arguments as written in rubrics.
    """

    check: str
    args: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A text that is equal for equal leaves."""
        return repr((self.check, sorted(self.args.items(), key=repr)))

    def on_slides(self, numbers: list[int]) -> "Leaf":
        """Return the same leaf for several slides."""
        others = {name: value for name, value in self.args.items() if name != "slide"}
        return Leaf(self.check, {"slides": numbers, **others})


@dataclass(frozen=True)
class PartContext:
    """A part of a gold deck's changes, with access to its slides and shapes.

    Attributes:
        part: The part.
        plan: All changes of the gold deck.
    """

    part: Part
    plan: GoldPlan

    @property
    def original(self) -> Deck:
        """The original deck."""
        return self.plan.original

    @property
    def slide(self) -> Slide | None:
        """The original slide; None if it is new."""
        return None if self.part.slide is None else self.original.slides[self.part.slide - 1]

    @property
    def slide_gold(self) -> Slide | None:
        """The gold slide; None if it was removed."""
        number = self.part.slide_gold
        return None if number is None else self.plan.gold.slides[number - 1]

    @property
    def shape(self) -> Shape | None:
        """The original shape; None if it is new, or for a change of the slide."""
        index = self.part.shape
        return None if index is None or self.slide is None else self.slide.shapes[index]

    @property
    def shape_gold(self) -> Shape | None:
        """The gold shape; None if it was removed, or for a change of the slide."""
        index = self.part.shape_gold
        return None if index is None or self.slide_gold is None else self.slide_gold.shapes[index]

    @property
    def at(self) -> dict[str, Any]:
        """Check arguments that select the slide, and the shape if the part concerns one."""
        args: dict[str, Any] = {"slide": self.part.slide}
        if self.slide is not None and self.shape is not None:
            spec = spec_of(self.slide, self.shape)
            args |= {} if spec is None else {"shape": spec}
        return args

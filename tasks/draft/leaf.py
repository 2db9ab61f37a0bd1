"""A leaf that a draft may use, and where the thing that it looks at is called what."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.specs import spec_of
from pptarena.rewards.gold.parts import Part
from pptarena.rewards.gold.plan import GoldPlan

__all__ = ["Leaf", "Seen"]


@dataclass(frozen=True)
class Leaf:
    """A check with its arguments.

    Attributes:
        check: Its name.
        args: As rubrics write them.
    """

    check: str
    args: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The same text for the same leaf."""
        return repr((self.check, sorted(self.args.items(), key=repr)))

    def on_slides(self, numbers: list[int]) -> "Leaf":
        """Return the same leaf for several slides."""
        rest = {name: value for name, value in self.args.items() if name != "slide"}
        return Leaf(self.check, {"slides": numbers, **rest})


@dataclass(frozen=True)
class Seen:
    """A part with the slides and shapes that it concerns.

    Attributes:
        part: What the gold changes.
        plan: The whole of it.
    """

    part: Part
    plan: GoldPlan

    @property
    def original(self) -> Deck:
        """The deck before."""
        return self.plan.original

    @property
    def slide(self) -> Slide | None:
        """The slide of the original, None if it is new."""
        return None if self.part.slide is None else self.original.slides[self.part.slide - 1]

    @property
    def slide_gold(self) -> Slide | None:
        """The slide of the gold, None if it is gone."""
        number = self.part.slide_gold
        return None if number is None else self.plan.gold.slides[number - 1]

    @property
    def shape(self) -> Shape | None:
        """The shape of the original, None if it is new, or of the slide."""
        index = self.part.shape
        return None if index is None or self.slide is None else self.slide.shapes[index]

    @property
    def shape_gold(self) -> Shape | None:
        """The shape of the gold, None if it is gone, or of the slide."""
        index = self.part.shape_gold
        return None if index is None or self.slide_gold is None else self.slide_gold.shapes[index]

    @property
    def at(self) -> dict[str, Any]:
        """The arguments that name the slide, and the shape if it concerns one."""
        found: dict[str, Any] = {"slide": self.part.slide}
        if self.slide is not None and self.shape is not None:
            spec = spec_of(self.slide, self.shape)
            found |= {} if spec is None else {"shape": spec}
        return found

"""What edits are grown on: a deck as the application saves it, and the places on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.specs import spec_of
from pptarena.tasks.grow.references import References

__all__ = ["Ground", "Site"]


@dataclass(frozen=True, eq=False)
class Ground:
    """A deck on which tasks are grown.

    Attributes:
        label: What a task file calls the deck: the name of a packaged one, or a path.
        sha256: Of the deck's file as it came.
        file: The .pptx file as the application saves it unchanged.
        deck: The facts of `file`.
        names: The names of all shapes of each slide in the file as it came, which the screen shows
            of most: when it saves, the application gives placeholders other ones.
        came: The file as it came, before the application saved it; None if `file` is that one.
    """

    label: str
    sha256: str
    file: bytes
    deck: Deck
    names: tuple[tuple[str, ...], ...] = ()
    came: "Ground | None" = None

    @cached_property
    def references(self) -> References:
        """The names of all things on the deck."""
        return References(self.deck)

    @cached_property
    def specs(self) -> dict[tuple[int, int], str | None]:
        """Words of a rubric by slide and shape, both from 0, as they are asked for."""
        return {}

    def spec(self, slide: int, shape: int) -> str | None:
        """Return the words by which a rubric finds a shape; None if there are none."""
        key = slide, shape
        if key not in self.specs:
            there = self.deck.slides[slide]
            self.specs[key] = spec_of(there, there.shapes[shape])
        return self.specs[key]


@dataclass(frozen=True, eq=False)
class Site:
    """A place where an operator can work.

    Attributes:
        ground: The deck.
        slide_index: The slide from 0; None for the deck as a whole.
        shape_index: The shape from 0; None for the slide as a whole.
        detail: What else says where it is, such as a row; plain data.
        other_index: Another shape of the slide that it is about, from 0; None if there is none.
    """

    ground: Ground
    slide_index: int | None = None
    shape_index: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    other_index: int | None = None

    @property
    def deck(self) -> Deck:
        """The facts of the deck."""
        return self.ground.deck

    @property
    def number(self) -> int:
        """The slide's position from 1; 0 for the deck as a whole."""
        return 0 if self.slide_index is None else self.slide_index + 1

    @property
    def slide(self) -> Slide:
        """The facts of the slide."""
        assert self.slide_index is not None
        return self.deck.slides[self.slide_index]

    @property
    def shape(self) -> Shape:
        """The facts of the shape."""
        assert self.shape_index is not None
        return self.slide.shapes[self.shape_index]

    @property
    def spec(self) -> str:
        """The words by which a rubric finds the shape."""
        assert self.slide_index is not None
        assert self.shape_index is not None
        return self.ground.spec(self.slide_index, self.shape_index) or ""

    @property
    def other(self) -> Shape:
        """The facts of the other shape."""
        assert self.other_index is not None
        return self.slide.shapes[self.other_index]

    @property
    def other_spec(self) -> str:
        """The words by which a rubric finds the other shape."""
        assert self.slide_index is not None
        assert self.other_index is not None
        return self.ground.spec(self.slide_index, self.other_index) or ""

    @property
    def args(self) -> dict[str, Any]:
        """The arguments of a check that name the place."""
        if self.shape_index is None:
            return {"slide": self.number}
        return {"slide": self.number, "shape": self.spec}

    def to_json(self) -> dict[str, Any]:
        """Return the place as plain data."""
        found: dict[str, Any] = {} if self.slide_index is None else dict(self.args)
        if self.other_index is not None:
            found["other_shape"] = self.other_spec
        return found | dict(self.detail)

"""Deck context of generated tasks: a saved deck and the sites in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.selectors import spec_of
from pptarena.tasks.grow.references import References

__all__ = ["Ground", "Site"]


@dataclass(frozen=True, eq=False)
class Ground:
    """A deck on which tasks are generated.

    Attributes:
        label: Name of the deck in task files: a packaged deck's name, or a path.
        sha256: Hash of the file as received.
        file: The .pptx file as saved unchanged by the application.
        deck: The facts of `file`.
        names: Shape names by slide in the file as received. The screen mostly shows these; on
            saving, the application renames placeholders.
        came: Context of the file as received; None if `file` is that file.
    """

    label: str
    sha256: str
    file: bytes
    deck: Deck
    names: tuple[tuple[str, ...], ...] = ()
    came: "Ground | None" = None

    @cached_property
    def references(self) -> References:
        """Names of the objects in the deck."""
        return References(self.deck)

    @cached_property
    def specs(self) -> dict[tuple[int, int], str | None]:
        """Cache of `spec` by (slide, shape) index."""
        return {}

    def spec(self, slide: int, shape: int) -> str | None:
        """Return the selector of a shape for rubrics, or None if there is none."""
        key = slide, shape
        if key not in self.specs:
            there = self.deck.slides[slide]
            self.specs[key] = spec_of(there, there.shapes[shape])
        return self.specs[key]


@dataclass(frozen=True, eq=False)
class Site:
    """A site: a place where an operator can be applied.

    Attributes:
        ground: The deck context.
        slide_index: Slide index (0-based); None for the deck.
        shape_index: Shape index (0-based); None for the slide.
        detail: Further location, such as a row; JSON data.
        other_index: Index of another shape involved (0-based); None if there is none.
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
        """1-based position of the slide; 0 for the deck."""
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
        """The selector of the shape."""
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
        """The selector of the other shape."""
        assert self.slide_index is not None
        assert self.other_index is not None
        return self.ground.spec(self.slide_index, self.other_index) or ""

    @property
    def args(self) -> dict[str, Any]:
        """Check arguments that select the site."""
        if self.shape_index is None:
            return {"slide": self.number}
        return {"slide": self.number, "shape": self.spec}

    def to_json(self) -> dict[str, Any]:
        """Return the site as JSON data."""
        found: dict[str, Any] = {} if self.slide_index is None else dict(self.args)
        if self.other_index is not None:
            found["other_shape"] = self.other_spec
        return found | dict(self.detail)

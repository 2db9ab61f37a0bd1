"""The deck on which tasks are generated, and the targets of edits in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.selectors import spec_of
from pptarena.tasks.generator.references import References

__all__ = ["DeckContext", "Target"]


@dataclass(frozen=True, eq=False)
class DeckContext:
    """A deck on which tasks are generated.

    Attributes:
        label: Name of the deck in task files: a packaged deck's name, or a path.
        sha256: Hash of the file as received.
        file: The .pptx file as saved unchanged by the application.
        deck: The facts of `file`.
        names: Shape names by slide in the file as received. The screen mostly shows these; on
            saving, the application renames placeholders.
        input_context: Context of the file as received; None if `file` is that file.
    """

    label: str
    sha256: str
    file: bytes
    deck: Deck
    names: tuple[tuple[str, ...], ...] = ()
    input_context: "DeckContext | None" = None

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
            facts = self.deck.slides[slide]
            self.specs[key] = spec_of(facts, facts.shapes[shape])
        return self.specs[key]


@dataclass(frozen=True, eq=False)
class Target:
    """The deck, a slide, a shape or a part of one, to which an operator can be applied.

    Attributes:
        context: The deck context.
        slide_index: Slide index (0-based); None for the deck.
        shape_index: Shape index (0-based); None for the slide.
        detail: Further location, such as a row; JSON data.
        other_index: Index of another shape involved (0-based); None if there is none.
    """

    context: DeckContext
    slide_index: int | None = None
    shape_index: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    other_index: int | None = None

    @property
    def deck(self) -> Deck:
        """The facts of the deck."""
        return self.context.deck

    @property
    def slide_number(self) -> int:
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
        return self.context.spec(self.slide_index, self.shape_index) or ""

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
        return self.context.spec(self.slide_index, self.other_index) or ""

    @property
    def args(self) -> dict[str, Any]:
        """Check arguments that select the target."""
        if self.shape_index is None:
            return {"slide": self.slide_number}
        return {"slide": self.slide_number, "shape": self.spec}

    def to_json(self) -> dict[str, Any]:
        """Return the target as JSON data."""
        data: dict[str, Any] = {} if self.slide_index is None else dict(self.args)
        if self.other_index is not None:
            data["other_shape"] = self.other_spec
        return data | dict(self.detail)

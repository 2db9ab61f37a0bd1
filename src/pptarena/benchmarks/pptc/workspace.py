"""`Workspace`: the deck that calls edit, its current slide and the selected object."""

import io
import zipfile
from typing import Any, Self

from pptx import Presentation
from pptx.table import _Cell

from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation, save_presentation

__all__ = ["Workspace"]

_TITLE_AND_CONTENT = 1


class Workspace:
    """The state shared by consecutive calls.

    Attributes:
        presentation: The python-pptx presentation.
        slide_index: Index of the current slide, from 0.
        current: The selected or last inserted shape or table cell; None if there is none.
        quirks: Whether going to the next or previous slide does nothing, and a pie has one slice,
            as in the original.
    """

    def __init__(self, presentation: Any, *, quirks: bool = False) -> None:
        self.presentation = presentation
        self.quirks = quirks
        self.current: Any = None
        self.slide_index = max(len(presentation.slides) - 1, 0)

    @classmethod
    def open(cls, deck: bytes | None = None, *, quirks: bool = False) -> Self:
        """Open a deck on its last slide; None for a new deck with one slide.

        Raises:
            DeckError: If the deck cannot be read.
        """
        work = cls(_open(deck), quirks=quirks)
        if deck is None:
            work.add_slide()
        return work

    def drop_stale_references(self) -> None:
        """Drop references to deleted slides and shapes after other tools have changed the deck."""
        count = len(self.presentation.slides)
        self.slide_index = min(self.slide_index, max(count - 1, 0))
        if self.current is not None:
            element = getattr(self.current, "_element", None)
            element = self.current._tc if element is None else element
            tree = self.slide.shapes._spTree if count else None
            if tree is None or tree not in element.iterancestors():
                self.current = None

    @property
    def slide(self) -> Any:
        """The current slide.

        Raises:
            Refusal: If the deck has no slides.
        """
        slides = self.presentation.slides
        if not len(slides):
            raise Refusal("expected a slide, but the deck has none")
        return slides[self.slide_index]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the slides in EMU."""
        presentation = self.presentation
        return int(presentation.slide_width), int(presentation.slide_height)

    def add_slide(self) -> None:
        """Add a title and content slide at the end and go to it."""
        layouts = self.presentation.slide_layouts
        layout = layouts[min(_TITLE_AND_CONTENT, len(layouts) - 1)]
        self.presentation.slides.add_slide(layout)
        self.go_to(len(self.presentation.slides) - 1)

    def go_to(self, index: int) -> None:
        """Go to a slide; clears the selection.

        Raises:
            Refusal: If the slide does not exist.
        """
        count = len(self.presentation.slides)
        if not 0 <= index < count:
            raise Refusal(f"expected a slide from 0 to {count - 1}, got {index}")
        self.slide_index = index
        self.current = None

    def selected_object(self) -> Any:
        """Return the selected object.

        Raises:
            Refusal: If nothing is selected.
        """
        if self.current is None:
            raise Refusal("expected a chosen object, but nothing is: call a choose API first")
        return self.current

    def selected_shape(self) -> Any:
        """Return the selected object if it has a position and a size.

        Raises:
            Refusal: If nothing or a table cell is selected.
        """
        selected = self.selected_object()
        if isinstance(selected, _Cell):
            raise Refusal("expected a chosen shape, got a cell of a table")
        return selected

    def to_bytes(self) -> bytes:
        """Return the deck as a .pptx file; the output is deterministic."""
        file, output = io.BytesIO(save_presentation(self.presentation)), io.BytesIO()
        with zipfile.ZipFile(file) as saved, zipfile.ZipFile(output, "w") as target:
            for name in saved.namelist():
                target.writestr(zipfile.ZipInfo(name), saved.read(name), zipfile.ZIP_DEFLATED)
        return output.getvalue()


def _open(deck: bytes | None) -> Any:
    if deck is None:
        return Presentation()
    # Rejects hostile files such as zip bombs, unlike python-pptx.
    read_deck(deck)
    return open_presentation(deck)

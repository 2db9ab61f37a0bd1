"""`OpenDeck`: a deck that is open for editing."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pptarena.edits.addresses import resolve_shape, resolve_slide, shown
from pptarena.errors import EditError

__all__ = ["OpenDeck"]

_NO_FILES: Mapping[str, bytes] = MappingProxyType({})


class OpenDeck:
    """A deck that is open for editing.

    A subclass that caches data derived from the deck overrides `changing`, `touch` and
    `require_room`.

    Args:
        presentation: The deck, as `pptarena.decks.presentation.open_presentation` returns it.
        files: Attachments by name, for edits that insert one.

    Attributes:
        files: The attachments.
    """

    def __init__(self, presentation: Any, files: Mapping[str, bytes] = _NO_FILES) -> None:
        self.files = files
        self._presentation = presentation

    @property
    def presentation(self) -> Any:
        """The python-pptx presentation."""
        return self._presentation

    def slide_index(self, address: int | str) -> int:
        """Return the index, from 0, of a slide.

        Raises:
            EditError: If the deck has no such slide.
        """
        return resolve_slide(self.presentation, address)

    def slide(self, address: int | str) -> Any:
        """Return a slide that is about to change.

        Raises:
            EditError: If the deck has no such slide.
        """
        slide = self.presentation.slides[self.slide_index(address)]
        self.changing(slide)
        return slide

    def shape(self, slide: int | str, shape: str) -> Any:
        """Return a shape that is about to change; members of groups are shapes too.

        Raises:
            EditError: If the deck has no such slide, or the slide no such shape.
        """
        index = self.slide_index(slide)
        self.changing(self.presentation.slides[index])
        return resolve_shape(self.presentation, index, shape)

    def text_frame(self, slide: int | str, shape: str) -> Any:
        """Return the text frame of a shape that is about to change.

        Raises:
            EditError: If there is no such shape, or it cannot contain text.
        """
        target = self.shape(slide, shape)
        if not target.has_text_frame:
            raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} holds no text")
        return target.text_frame

    def table(self, slide: int | str, shape: str) -> Any:
        """Return the graphic frame of a table that is about to change.

        Raises:
            EditError: If there is no such shape, or it is no table.
        """
        frame = self.shape(slide, shape)
        if not getattr(frame, "has_table", False):
            raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} is no table")
        return frame

    def chart(self, slide: int | str, shape: str) -> Any:
        """Return a chart that is about to change.

        Raises:
            EditError: If there is no such shape, or it is no chart.
        """
        frame = self.shape(slide, shape)
        if not getattr(frame, "has_chart", False):
            raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} is no chart")
        return frame.chart

    def layout(self, name: str, like: Any = None) -> Any:
        """Return a layout by its name.

        Args:
            name: Its name.
            like: A slide whose master is searched first.

        Raises:
            EditError: If no master has a layout of the name.
        """
        masters = list(self.presentation.slide_masters)
        if like is not None:
            masters.insert(0, like.slide_layout.slide_master)
        layouts = [candidate for master in masters for candidate in master.slide_layouts]
        layout = next((candidate for candidate in layouts if candidate.name == name), None)
        if layout is None:
            names = ", ".join(repr(candidate.name) for candidate in layouts[:40])
            raise EditError(f"no layout is called {name!r}; there are {names}")
        return layout

    def file(self, name: str) -> bytes:
        """Return an attachment.

        Raises:
            EditError: If there is no attachment of the name.
        """
        if name not in self.files:
            available = ", ".join(sorted(self.files)) or "no files"
            raise EditError(f"no file {name!r}: the deck comes with {available}")
        return self.files[name]

    def changing(self, slide: Any) -> None:
        """Record that a slide, or one of its parts such as the notes, is about to change."""

    def touch(self, *parts: Any) -> None:
        """Record that parts that do not belong to a slide have changed."""

    def require_room(self, slides: int = 0, shapes: int = 0) -> None:
        """Refuse an edit that would make the deck too large.

        Raises:
            EditError: If the deck would have too many slides or shapes.
        """

"""The facts that the slides of one master share."""

from dataclasses import dataclass

from pptarena.decks.facts.paint import NO_PAINT, Paint
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph

__all__ = ["Layout", "Master"]


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of a master.

    Attributes:
        name: As the application shows it.
        type: Such as ``titleOnly``; empty if the file does not say.
        background: What is behind everything, inherited or its own.
        shapes: Its shapes in z-order, placeholders included.
        show_master_shapes: Whether the master's shapes show on its slides.
        fingerprint: Place and digest of what is not read any further.
    """

    name: str
    type: str = ""
    background: Paint = NO_PAINT
    shapes: tuple[Shape, ...] = ()
    show_master_shapes: bool = True
    fingerprint: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Master:
    """What the slides of one master share.

    Attributes:
        palette: Theme colours as pairs of name (``accent1``, ``tx1`` ...) and ``#RRGGBB``.
        fonts: Typeface of headings and of text.
        background: What is behind everything.
        name: As the application shows it; that of its theme if it has none.
        theme_name: As the application shows it.
        shapes: Its shapes in z-order, placeholders included.
        text_styles: Pairs of a kind with its level (``title 1``, ``body 1`` to ``other 9``) and a
            sample in that style: a paragraph whose one run is that name.
        layouts: All its layouts; their order means nothing.
        fingerprint: Place and digest of what is not read any further.
    """

    palette: tuple[tuple[str, str], ...]
    fonts: tuple[str, str]
    background: Paint
    name: str = ""
    theme_name: str = ""
    shapes: tuple[Shape, ...] = ()
    text_styles: tuple[tuple[str, Paragraph], ...] = ()
    layouts: tuple[Layout, ...] = ()
    fingerprint: tuple[tuple[str, str], ...] = ()

    @property
    def theme(self) -> tuple[object, ...]:
        """What makes its theme: name, colours and typefaces."""
        return self.name, self.palette, self.fonts

    @property
    def colors(self) -> dict[str, str]:
        """The palette by name, in memory of its own."""
        return dict(self.palette)

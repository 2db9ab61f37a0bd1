"""Facts about masters and layouts."""

from dataclasses import dataclass

from pptarena.decks.facts.paint import NO_PAINT, Paint
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph

__all__ = ["Layout", "Master"]


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of a master.

    Attributes:
        name: Name of the layout.
        type: Type such as ``titleOnly``; empty if unknown.
        background: Background fill, inherited or the layout's own.
        shapes: Shapes in z-order, including placeholders.
        show_master_shapes: Whether the master's shapes appear on slides with this layout.
        fingerprint: Location and digest of content that no other field holds.
    """

    name: str
    type: str = ""
    background: Paint = NO_PAINT
    shapes: tuple[Shape, ...] = ()
    show_master_shapes: bool = True
    fingerprint: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Master:
    """A slide master.

    Attributes:
        palette: Theme colors as pairs of name (``accent1``, ``tx1`` ...) and ``#RRGGBB``.
        fonts: Typefaces of headings and of body text.
        background: Background fill.
        name: Name of the master, or else of its theme.
        theme_name: Name of the theme.
        shapes: Shapes in z-order, including placeholders.
        text_styles: Text styles by type and level (``title 1``, ``body 1`` to ``other 9``), each
            with a sample: a paragraph in that style whose text is the name.
        layouts: All layouts; their order has no meaning.
        fingerprint: Location and digest of content that no other field holds.
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
        """Identity of the theme: name, colors and typefaces."""
        return self.name, self.palette, self.fonts

    @property
    def colors(self) -> dict[str, str]:
        """The palette by name, as a new dict."""
        return dict(self.palette)

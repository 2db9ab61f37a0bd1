"""Facts about decks and slides, independent of how a file stores them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.motion import NO_TRANSITION, Animation, Transition
from pptarena.decks.facts.paint import NO_PAINT, Paint
from pptarena.decks.facts.shape import Shape

__all__ = ["NO_PROPERTIES", "Comment", "Deck", "Properties", "Section", "Slide"]


@dataclass(frozen=True, slots=True)
class Comment:
    """A review comment on a slide.

    Attributes:
        author: Name of the author; empty if unknown.
        text: Text of the comment, one paragraph per line.
        replies: Number of replies.
        resolved: Whether the comment is marked as resolved.
        answers: Texts of the replies.
    """

    author: str
    text: str
    replies: int = 0
    resolved: bool = False
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slide:
    """A slide.

    Attributes:
        index: Position in the deck, from 0.
        id: Id in the file; some applications renumber slides at every save.
        shapes: All shapes in z-order; members follow their group.
        layout: Name of the layout.
        notes: Text of the speaker notes, one paragraph per line.
        transition: Transition to this slide.
        animations: Animation effects in playing order.
        hidden: Whether slide shows skip this slide.
        background: Background fill, inherited or the slide's own.
        comments: Legacy and modern comments, in file order.
        section: Name of its section; empty for none.
        show_master_shapes: Whether the shapes of layout and master appear on the slide.
        fingerprint: Location and digest of content that no other field holds.
        master: Index in `Deck.masters`.
        layout_index: Index in the master's `layouts`; None for no layout.
    """

    index: int
    id: int
    shapes: tuple[Shape, ...]
    layout: str = ""
    notes: str = ""
    transition: Transition = NO_TRANSITION
    animations: tuple[Animation, ...] = ()
    hidden: bool = False
    background: Paint = NO_PAINT
    comments: tuple[Comment, ...] = ()
    section: str = ""
    show_master_shapes: bool = True
    fingerprint: tuple[tuple[str, str], ...] = ()
    master: int = 0
    layout_index: int | None = None

    @cached_property
    def title(self) -> str:
        """Text of the title placeholder; empty for none."""
        shape = self.title_shape
        return shape.text if shape else ""

    @cached_property
    def title_shape(self) -> Shape | None:
        """The first title placeholder; None for none."""
        titles = (s for s in self.shapes if s.placeholder in ("title", "ctrTitle"))
        return next(titles, None)

    @cached_property
    def text(self) -> str:
        """All text on the slide, including tables and chart titles, one paragraph per line."""
        return "\n".join(shape.all_text for shape in self.shapes if shape.all_text)

    @cached_property
    def footer(self) -> str:
        """Text of the footer placeholder; empty for none."""
        return self._text_of("ftr")

    @cached_property
    def date(self) -> str:
        """Text of the date placeholder; ``[datetime]`` for a date that updates automatically."""
        return self._text_of("dt")

    @cached_property
    def number_shown(self) -> bool:
        """Whether the slide number appears, in a placeholder or in other text."""
        return any("[slidenum]" in shape.all_text for shape in self.shapes if not shape.hidden)

    @cached_property
    def reading_order(self) -> tuple[int, ...]:
        """Indexes of the shapes that a screen reader announces, in its order (z-order)."""
        return tuple(s.index for s in self.shapes if not (s.hidden or s.decorative))

    def _text_of(self, placeholder: str) -> str:
        texts = (s.text for s in self.shapes if s.placeholder == placeholder and not s.hidden)
        return next(texts, "")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the deck.

    Attributes:
        name: Name of the section.
        slides: Positions of its slides, from 0.
    """

    name: str
    slides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Properties:
    """Document properties.

    Attributes:
        title: Title of the deck.
        subject: Subject of the deck.
        author: Author of the deck.
        keywords: Search keywords.
        description: Comments.
        category: Category of the deck.
        status: Status, such as ``Final``.
        custom: Names and values of custom properties, sorted.
    """

    title: str = ""
    subject: str = ""
    author: str = ""
    keywords: str = ""
    description: str = ""
    category: str = ""
    status: str = ""
    custom: tuple[tuple[str, str], ...] = ()


NO_PROPERTIES: Final = Properties()


@dataclass(frozen=True, eq=False)
class Deck:
    """All facts about a .pptx file. Decks compare by identity.

    Attributes:
        slides: Slides in show order.
        width_emu: Slide width.
        height_emu: Slide height.
        masters: Masters that slides use, in order of first use.
        layouts: Names of all layouts.
        sections: Sections in deck order; empty for none.
        properties: Document properties.
        show: Names and values of slide show settings that differ from the default, sorted.
        fingerprint: Location and digest of content that no other field holds.
    """

    slides: tuple[Slide, ...]
    width_emu: int
    height_emu: int
    masters: tuple[Master, ...] = ()
    layouts: frozenset[str] = field(default_factory=frozenset)
    sections: tuple[Section, ...] = ()
    properties: Properties = NO_PROPERTIES
    show: tuple[tuple[str, str], ...] = ()
    fingerprint: tuple[tuple[str, str], ...] = ()

    def master_of(self, slide: Slide) -> Master | None:
        """Return the master of a slide; None if it is missing."""
        return self.masters[slide.master] if slide.master < len(self.masters) else None

    def layout_of(self, slide: Slide) -> Layout | None:
        """Return the layout of a slide; None if it is missing."""
        master, index = self.master_of(slide), slide.layout_index
        if master is None or index is None or index >= len(master.layouts):
            return None
        return master.layouts[index]

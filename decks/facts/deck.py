"""The facts of a deck: what is on its slides, independent of how a file says it."""

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
    """A remark on a slide.

    Attributes:
        author: Who wrote it; empty if the file does not say.
        text: What it says, one paragraph a line.
        replies: Number of answers.
        resolved: Whether it is marked as done.
        answers: Texts of the answers.
    """

    author: str
    text: str
    replies: int = 0
    resolved: bool = False
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slide:
    """One slide.

    Attributes:
        index: Position in the deck, from 0.
        id: Its id in the file; some applications number anew at every save.
        shapes: All shapes in z-order, members of groups behind their group.
        layout: Name of its layout.
        notes: Text of its speaker notes, one paragraph a line.
        transition: How it comes in.
        animations: Effects in playing order.
        hidden: Whether a show leaves it out.
        background: What is behind everything, inherited or its own.
        comments: Remarks on it, old and modern ones, in the order of the file.
        section: Name of the section that it is in; empty for none.
        show_master_shapes: Whether the shapes of layout and master show on it.
        fingerprint: Place and digest of what is not read any further.
        master: Index in `Deck.masters`.
        layout_index: Index in the master's `layouts`; None if the slide has no layout.
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
        """Text of its title placeholder; empty if it has none."""
        found = self.title_shape
        return found.text if found else ""

    @cached_property
    def title_shape(self) -> Shape | None:
        """Its first title placeholder."""
        titles = (s for s in self.shapes if s.placeholder in ("title", "ctrTitle"))
        return next(titles, None)

    @cached_property
    def text(self) -> str:
        """All text on it, tables and titles of charts included, one paragraph a line."""
        return "\n".join(shape.all_text for shape in self.shapes if shape.all_text)

    @cached_property
    def footer(self) -> str:
        """Text of its footer placeholder; empty if it has none."""
        return self._text_of("ftr")

    @cached_property
    def date(self) -> str:
        """Text of its date placeholder, ``[datetime]`` for one that follows the clock."""
        return self._text_of("dt")

    @cached_property
    def number_shown(self) -> bool:
        """Whether its number stands on it, in a placeholder or in other text."""
        return any("[slidenum]" in shape.all_text for shape in self.shapes if not shape.hidden)

    @cached_property
    def reading_order(self) -> tuple[int, ...]:
        """Indexes of the shapes that a screen reader reads, in its order, which is z-order."""
        return tuple(s.index for s in self.shapes if not (s.hidden or s.decorative))

    def _text_of(self, placeholder: str) -> str:
        found = (s.text for s in self.shapes if s.placeholder == placeholder and not s.hidden)
        return next(found, "")


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of the deck.

    Attributes:
        name: As the application shows it.
        slides: Positions of its slides, from 0.
    """

    name: str
    slides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Properties:
    """What the deck's author says about it.

    Attributes:
        title: Its title.
        subject: Its subject.
        author: Who made it.
        keywords: Words to find it by.
        description: Remarks.
        category: Its category.
        status: Such as ``Final``.
        custom: Name and value of properties of one's own, sorted.
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
    """Everything that is known of a .pptx file. Two decks are equal only if they are the same one.

    Attributes:
        slides: In the order of the show.
        width_emu: Width of every slide.
        height_emu: Height of every slide.
        masters: Of the slides that are there, in order of their first use.
        layouts: Names of all layouts.
        sections: In the order of the deck; empty if it is not divided.
        properties: What its author says about it.
        show: Settings of the show that are not the usual ones, as name and value, sorted.
        fingerprint: Place and digest of what is not read any further.
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
        """Return the master of one of its slides; None if it is not known."""
        return self.masters[slide.master] if slide.master < len(self.masters) else None

    def layout_of(self, slide: Slide) -> Layout | None:
        """Return the layout of one of its slides; None if it is not known."""
        master, index = self.master_of(slide), slide.layout_index
        if master is None or index is None or index >= len(master.layouts):
            return None
        return master.layouts[index]

"""The facts of a deck: what is on its slides, independent of how a file says it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from pptarena.rewards.deck.content_model import (
    NO_LINE,
    NO_PAINT,
    Chart,
    Line,
    Paint,
    Picture,
    Table,
)
from pptarena.rewards.deck.text_model import Paragraph, plain_text

__all__ = ["Animation", "Box", "Deck", "Kind", "Master", "Shape", "Slide", "Transition"]

Kind = Literal[
    "text_box", "shape", "placeholder", "picture", "media", "table", "chart", "group", "line",
    "graphic",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Box:
    """Where a shape is, in EMU from the slide's top left corner; groups are resolved.

    Attributes:
        left: Left edge before rotation.
        top: Upper edge before rotation.
        width: Extent from left to right, not negative.
        height: Extent from top to bottom, not negative.
        rotation_deg: Turned clockwise by this, in [0, 360).
        flip_h: Mirrored left to right.
        flip_v: Mirrored top to bottom.
    """

    left: int
    top: int
    width: int
    height: int
    rotation_deg: float = 0.0
    flip_h: bool = False
    flip_v: bool = False

    @property
    def right(self) -> int:
        """Right edge before rotation."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Lower edge before rotation."""
        return self.top + self.height


@dataclass(frozen=True)
class Shape:
    """One shape of a slide. Members of groups stand behind their group in `Slide.shapes`.

    Attributes:
        index: Position in `Slide.shapes`, which is z-order, from 0.
        name: As the selection pane shows it.
        kind: What sort of thing it is.
        placeholder: Type of placeholder such as ``title``; empty if it is none.
        geometry: Name of its outline, such as ``rect``, or ``custom``; empty if it has none.
        box: Where it is.
        paragraphs: Its own text, without that of tables, charts and members.
        fill: What it is filled with.
        line: Its outline.
        picture: Set for pictures and media.
        table: Set for tables.
        chart: Set for charts.
        alt_text: Description for people who cannot see it.
        link: Where a click on the whole shape leads; empty for nowhere.
        hidden: Whether it is not shown.
        autofit: ``none``, ``shape`` (grows with its text) or ``text`` (text shrinks).
        group: Index of the group it belongs to, None if to none.
        opaque: Digest of content that is not read any further; empty if there is none.
    """

    index: int
    name: str
    kind: Kind
    placeholder: str
    geometry: str
    box: Box
    paragraphs: tuple[Paragraph, ...] = ()
    fill: Paint = NO_PAINT
    line: Line = NO_LINE
    picture: Picture | None = None
    table: Table | None = None
    chart: Chart | None = None
    alt_text: str = ""
    link: str = ""
    hidden: bool = False
    autofit: str = "none"
    group: int | None = None
    opaque: str = ""

    @cached_property
    def text(self) -> str:
        """Its own text, one paragraph a line."""
        return plain_text(self.paragraphs)

    @cached_property
    def all_text(self) -> str:
        """Its text with that of its table or its chart's title."""
        parts = [self.text]
        if self.table is not None:
            parts += [cell.text for row in self.table.rows for cell in row]
        if self.chart is not None:
            parts.append(self.chart.title)
        return "\n".join(part for part in parts if part)

    @property
    def shows_nothing(self) -> bool:
        """Whether it is a picture whose file is missing; an application may drop it."""
        return self.picture is not None and not (self.picture.sha256 or self.picture.media_sha256)

    @property
    def label(self) -> str:
        """How a reason speaks of it."""
        words = " ".join(self.text.split())
        if self.placeholder:
            return f"the {self.placeholder} placeholder" + (f" '{words[:30]}'" if words else "")
        return f"the {self.kind.replace('_', ' ')} '{self.name or words[:30]}'"


@dataclass(frozen=True, slots=True)
class Transition:
    """How a slide comes in.

    Attributes:
        type: Name of the effect such as ``fade``; ``none`` for none.
        variant: Direction and other options as one text.
        duration_sec: How long it takes; None if the file does not say.
        on_click: Whether a click leads to the next slide.
        advance_after_sec: Time after which the next slide comes by itself; None for never.
    """

    type: str = "none"
    variant: str = ""
    duration_sec: float | None = None
    on_click: bool = True
    advance_after_sec: float | None = None


@dataclass(frozen=True, slots=True)
class Animation:
    """One effect of a slide's animation; `Slide.animations` is in playing order.

    Attributes:
        kind: ``entrance``, ``emphasis``, ``exit``, ``motion``, ``media`` or ``other``.
        effect: Name such as ``fly_in``, or the preset's number as text if it has none here.
        preset: The preset's number, 0 if it has none.
        trigger: ``on_click``, ``with_previous``, ``after_previous`` or ``on_shape_click``.
        shape: Index of the animated shape in `Slide.shapes`, None if it is not there.
        paragraphs: First and last animated paragraph from 0; None for the whole shape.
        duration_sec: How long it takes; 0 for at once, None if the file does not say.
        delay_sec: How long it waits.
    """

    kind: str
    effect: str
    preset: int
    trigger: str
    shape: int | None
    paragraphs: tuple[int, int] | None = None
    duration_sec: float | None = None
    delay_sec: float = 0.0


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
    """

    index: int
    id: int
    shapes: tuple[Shape, ...]
    layout: str = ""
    notes: str = ""
    transition: Transition = Transition()
    animations: tuple[Animation, ...] = ()
    hidden: bool = False
    background: Paint = NO_PAINT

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


@dataclass(frozen=True, slots=True)
class Master:
    """What the slides of one master share.

    Attributes:
        palette: Theme colours as pairs of name (``accent1``, ``tx1`` ...) and ``#RRGGBB``.
        fonts: Typeface of headings and of text.
        background: What is behind everything.
    """

    palette: tuple[tuple[str, str], ...]
    fonts: tuple[str, str]
    background: Paint

    @property
    def colors(self) -> dict[str, str]:
        """The palette by name, in memory of its own."""
        return dict(self.palette)


@dataclass(frozen=True, eq=False)
class Deck:
    """Everything that is known of a .pptx file. Two decks are equal only if they are the same one.

    Attributes:
        slides: In the order of the show.
        width_emu: Width of every slide.
        height_emu: Height of every slide.
        masters: Of the slides that are there, in order of their first use.
        layouts: Names of all layouts.
    """

    slides: tuple[Slide, ...]
    width_emu: int
    height_emu: int
    masters: tuple[Master, ...] = ()
    layouts: frozenset[str] = field(default_factory=frozenset)

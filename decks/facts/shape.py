"""The facts of one shape."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pptarena.decks.facts.chart import Chart
from pptarena.decks.facts.content import Embedded, Picture, SmartArt, Table
from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Effect, Line, Paint
from pptarena.decks.facts.text import Link, Paragraph, TextFrame, plain_text

__all__ = ["Box", "Kind", "Shape"]

_LABEL_CHARS = 30

Kind = Literal[
    "text_box", "shape", "placeholder", "picture", "media", "table", "chart", "group", "line",
    "graphic",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Box:
    """Where a shape is rendered, in EMU from the slide's top left corner.

    Position, size, rotation and flips of the groups around it are resolved.

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
        kind: What sort of thing it is. What shows nothing but text is a text box, whether or not
            the file marks it as one.
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
        link: Where a click on the whole shape leads; None for nowhere.
        hidden: Whether it is not shown.
        autofit: ``none``, ``shape`` (grows with its text) or ``text`` (text shrinks).
        group: Index of the group it belongs to, None if to none.
        fingerprint: Digest of content that is not read any further; empty if there is none.
        frame: The room for its text; None if it has no text.
        effects: Shadows, glows and the like.
        adjustments: Name and value of what its outline can be shaped by, those of the preset
            written out.
        path_digest: Digest of an outline of its own; empty for presets.
        connects: Indexes of the shapes that the start and the end of a connector are glued to.
        smart_art: Set for diagrams.
        embedded: Set for files of other programs.
        decorative: Whether screen readers are to pass it over.
        hover_link: Where the pointer leads by resting on it; None for nowhere.
        tooltip: What the link of the whole shape says of itself.
        unread: Attributes that no other field holds, such as ``fillRect l=40000``.
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
    link: Link | None = None
    hidden: bool = False
    autofit: str = "none"
    group: int | None = None
    fingerprint: str = ""
    frame: TextFrame | None = None
    effects: tuple[Effect, ...] = ()
    adjustments: tuple[tuple[str, int], ...] = ()
    path_digest: str = ""
    connects: tuple[int | None, int | None] = (None, None)
    smart_art: SmartArt | None = None
    embedded: Embedded | None = None
    decorative: bool = False
    hover_link: Link | None = None
    tooltip: str = ""
    unread: str = ""

    @cached_property
    def text(self) -> str:
        """Its own text, one paragraph a line."""
        return plain_text(self.paragraphs)

    @cached_property
    def all_text(self) -> str:
        """Its text with that of its table, its diagram or its chart's title."""
        parts = [self.text]
        if self.table is not None:
            parts += [cell.text for row in self.table.rows for cell in row]
        if self.chart is not None:
            parts.append(self.chart.title)
        if self.smart_art is not None:
            parts.append(self.smart_art.text)
        return "\n".join(part for part in parts if part)

    @property
    def shows_nothing(self) -> bool:
        """Whether it is a picture without a file; an application may drop it."""
        picture = self.picture
        return picture is not None and not (picture.sha256 or picture.media_sha256)

    @property
    def label(self) -> str:
        """How a reason speaks of it."""
        words = " ".join(self.text.split())
        if self.placeholder:
            return f"the {self.placeholder} placeholder" + (f" '{_brief(words)}'" if words else "")
        return f"the {self.kind.replace('_', ' ')} '{self.name or _brief(words)}'"


def _brief(text: str) -> str:
    """Return the beginning of a text, cut between two words if possible."""
    if len(text) <= _LABEL_CHARS:
        return text
    cut = text[:_LABEL_CHARS]
    words = cut.rpartition(" ")[0]
    return f"{words if len(words) > _LABEL_CHARS / 2 else cut[:-1]}\N{HORIZONTAL ELLIPSIS}"

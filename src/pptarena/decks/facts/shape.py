"""Facts about shapes."""

import math
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
    """Bounding box of a rendered shape, in EMU from the top left corner of the slide.

    Transforms of the enclosing groups are applied.

    Attributes:
        left: Left edge before rotation.
        top: Top edge before rotation.
        width: Width, not negative.
        height: Height, not negative.
        rotation_deg: Clockwise rotation, in [0, 360).
        flip_h: Whether the shape is mirrored left to right.
        flip_v: Whether the shape is mirrored top to bottom.
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
        """Bottom edge before rotation."""
        return self.top + self.height

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom edge of the rotated box."""
        angle = math.radians(self.rotation_deg)
        sine, cosine = abs(math.sin(angle)), abs(math.cos(angle))
        half_width = (self.width * cosine + self.height * sine) / 2
        half_height = (self.width * sine + self.height * cosine) / 2
        x, y = self.left + self.width / 2, self.top + self.height / 2
        return x - half_width, y - half_height, x + half_width, y + half_height


@dataclass(frozen=True)
class Shape:
    """A shape on a slide. In `Slide.shapes`, members follow their group.

    Attributes:
        index: Position in `Slide.shapes` (z-order), from 0.
        name: Name in the selection pane.
        kind: Type of the shape. A shape with nothing but text is a text box, whether or not the
            file marks it as one.
        placeholder: Placeholder type, such as ``title``; empty for none.
        geometry: Name of the outline, such as ``rect``, or ``custom``; empty for none.
        box: Position and size.
        paragraphs: The shape's own text, without tables, charts and members.
        fill: Fill of the shape.
        line: Outline of the shape.
        picture: Set for pictures and media.
        table: Set for tables.
        chart: Set for charts.
        alt_text: Alternative text for screen readers.
        link: Target of a click on the shape; None for none.
        hidden: Whether the shape is hidden.
        autofit: ``none``, ``shape`` (resize shape to fit text) or ``text`` (shrink text on
            overflow).
        group: Index of the enclosing group; None for none.
        fingerprint: Digest of content that no other field holds; empty for none.
        frame: Text frame properties; None for shapes without text.
        effects: Visual effects, such as shadows and glows.
        adjustments: Names and values of the outline's adjustments, with the preset's defaults
            filled in.
        path_digest: Digest of a custom outline; empty for presets.
        connects: Indexes of the shapes that the start and the end of a connector are attached to.
        smart_art: Set for diagrams.
        embedded: Set for embedded files of other programs.
        decorative: Whether screen readers skip the shape.
        hover_link: Target on mouse over; None for none.
        tooltip: ScreenTip of the shape's link.
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
        """The shape's own text, one paragraph per line."""
        return plain_text(self.paragraphs)

    @cached_property
    def all_text(self) -> str:
        """The shape's text, including its table, its diagram or its chart's title."""
        parts = [self.text]
        if self.table is not None:
            parts += [cell.text for row in self.table.rows for cell in row]
        if self.chart is not None:
            parts.append(self.chart.title)
        if self.smart_art is not None:
            parts.append(self.smart_art.text)
        return "\n".join(part for part in parts if part)

    @property
    def content(self) -> Picture | Table | Chart | SmartArt | Embedded | None:
        """The picture, table, chart, diagram or embedded file; None for other shapes."""
        return self.picture or self.table or self.chart or self.smart_art or self.embedded

    @property
    def shows_nothing(self) -> bool:
        """Whether this is a picture without a file; an application may drop it."""
        picture = self.picture
        return picture is not None and not (picture.sha256 or picture.media_sha256)

    @property
    def label(self) -> str:
        """Description of the shape in messages."""
        text = " ".join(self.text.split())
        if self.placeholder:
            return f"the {self.placeholder} placeholder" + (f" '{_shorten(text)}'" if text else "")
        return f"the {self.kind.replace('_', ' ')} '{self.name or _shorten(text)}'"


def _shorten(text: str) -> str:
    """Return the beginning of a text, cut between words if possible."""
    if len(text) <= _LABEL_CHARS:
        return text
    cut = text[:_LABEL_CHARS]
    beginning = cut.rpartition(" ")[0]
    return f"{beginning if len(beginning) > _LABEL_CHARS / 2 else cut[:-1]}\N{HORIZONTAL ELLIPSIS}"

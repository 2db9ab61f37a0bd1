"""The facts of text: runs, paragraphs, and the values they show after all inheritance."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

__all__ = [
    "CELL_INSETS_EMU",
    "NO_BULLET",
    "Align",
    "Anchor",
    "Bullet",
    "Link",
    "Paragraph",
    "Run",
    "RunStyle",
    "TextFrame",
    "plain_text",
]

Align = Literal["left", "center", "right", "justify"]
Anchor = Literal["top", "middle", "bottom"]

# Left, top, right and bottom space around text where a file does not say any.
CELL_INSETS_EMU: Final = (91_440, 45_720, 91_440, 45_720)


@dataclass(frozen=True, slots=True)
class RunStyle:
    """What a run of letters looks like; every value is the effective one.

    Attributes:
        size_pt: Size of type in points, as set, before any automatic shrinking.
        bold: Whether it is bold.
        italic: Whether it is italic.
        underline: ``none``, or the kind of line as in the file, such as ``sng``.
        underline_color: ``#RRGGBB`` of the underline; None if it has the color of the text or if
            there is no underline (ECMA-376-1, 21.1.2.3.12 to 21.1.2.3.15).
        strike: Whether it is struck through.
        double_strike: Whether it is struck through by two lines.
        color: ``#RRGGBB``; None if it is not one colour.
        font: Name of the typeface that its characters use, which is that for Latin, for East
            Asian or for complex script; theme fonts resolved; empty if unknown.
        baseline: Percent that it is raised (superscript) or lowered, 0 for normal.
        highlight: Colour behind the letters, None for none.
        caps: ``none``, ``small`` or ``all``.
        spacing_pt: Space added between letters in points.
        opacity_pct: 0 (cannot be seen) to 100 (solid); 0 for letters without any fill.
        outlined: Whether the letters have an outline.
        detail: What is unusual: colours of a gradient, outline and effects of the letters.
    """

    size_pt: float = 18.0
    bold: bool = False
    italic: bool = False
    underline: str = "none"
    strike: bool = False
    color: str | None = "#000000"
    font: str = ""
    baseline: int = 0
    highlight: str | None = None
    caps: str = "none"
    spacing_pt: float = 0.0
    opacity_pct: int = 100
    outlined: bool = False
    detail: str = ""
    underline_color: str | None = None
    double_strike: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Where a click leads.

    Attributes:
        address: Of a page, a file or a place; empty for a slide of the deck.
        slide: Position of a slide of the deck, from 1; None for anything else.
    """

    address: str = ""
    slide: int | None = None

    def __str__(self) -> str:
        return self.address if self.slide is None else f"slide:{self.slide}"


@dataclass(frozen=True, slots=True)
class Run:
    r"""Letters that look alike; neighbours never share style and link.

    Attributes:
        text: Line breaks are ``\v``; fields are their kind, such as ``[slidenum]``.
        style: What they look like.
        link: Where a click leads; None for nowhere.
        tooltip: What the link says of itself when the pointer rests on it.
    """

    text: str
    style: RunStyle
    link: Link | None = None
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Bullet:
    """The sign before a paragraph.

    Attributes:
        kind: What sort of sign it is.
        char: The sign, or the numbering scheme such as ``arabicPeriod``; empty for a picture.
        start: Number that the numbering starts with.
        color: ``#RRGGBB`` where it is not that of the text.
        size_pct: Its size in percent of the text's; 0 where `size_pt` says it.
        size_pt: Its size in points where it does not follow the text.
        font: Typeface of the sign where it is not that of the text.
    """

    kind: Literal["none", "char", "number", "picture"] = "none"
    char: str = ""
    start: int = 1
    color: str | None = None
    size_pct: float = 100.0
    size_pt: float | None = None
    font: str = ""


NO_BULLET: Final = Bullet()


@dataclass(frozen=True)
class Paragraph:
    """One paragraph with its effective values.

    Attributes:
        runs: Never empty strings; an empty paragraph has none.
        level: Outline level, from 0.
        align: Side that its lines keep to.
        bullet: The sign before it.
        line_spacing_pct: Distance of lines in percent, None if it is set in points.
        line_spacing_pt: The same in points, None if it is set in percent.
        space_before_pt: Space above it in points.
        space_after_pt: Space below it in points.
        margin_emu: Left margin of its text.
        indent_emu: How far its first line starts from there; negative hangs.
        right_to_left: Whether it is read from right to left.
        tabs: Tab stops of its own, as place in EMU and side (``l``, ``ctr``, ``r``, ``dec``).
        font_alignment: How characters of different sizes line up: ``base``, ``t``, ``ctr`` or ``b``
            (ECMA-376-1, 20.1.10.59); ``auto`` reads as ``base``.
    """

    runs: tuple[Run, ...]
    level: int = 0
    align: Align = "left"
    bullet: Bullet = NO_BULLET
    line_spacing_pct: float | None = 100.0
    line_spacing_pt: float | None = None
    space_before_pt: float = 0.0
    space_after_pt: float = 0.0
    margin_emu: int = 0
    indent_emu: int = 0
    right_to_left: bool = False
    tabs: tuple[tuple[int, str], ...] = ()
    font_alignment: str = "base"

    @cached_property
    def text(self) -> str:
        """The letters of all its runs."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class TextFrame:
    """The room that a shape gives its text; every value is the effective one.

    Attributes:
        insets_emu: Space around the text: left, top, right, bottom.
        anchor: Where the text stands.
        centered: Whether the text as a whole is centred from left to right.
        wrap: Whether lines break at the shape's sides.
        columns: Number of columns.
        column_gap_emu: Space between columns.
        vertical: Direction of the text: ``horz``, or the file's name such as ``vert270``.
        autofit_scale_pct: Size that type was shrunk to by the application, 100 for not at all.
        autofit_reduction_pct: How much it took away from the spacing of lines.
        rotation_deg: Turned clockwise against the shape.
        warp: Preset of word art such as ``textArchUp``; empty for none.
        columns_right_to_left: Whether the first of several columns is the rightmost.
        upright: Whether the text stays upright however the shape is rotated.
        overflow: What happens to text that is too high: ``overflow``, ``clip`` or ``ellipsis``.
    """

    insets_emu: tuple[int, int, int, int] = CELL_INSETS_EMU
    anchor: Anchor = "top"
    centered: bool = False
    wrap: bool = True
    columns: int = 1
    column_gap_emu: int = 0
    vertical: str = "horz"
    autofit_scale_pct: float = 100.0
    autofit_reduction_pct: float = 0.0
    rotation_deg: float = 0.0
    warp: str = ""
    columns_right_to_left: bool = False
    upright: bool = False
    overflow: str = "overflow"


def plain_text(paragraphs: tuple[Paragraph, ...]) -> str:
    """Return the text of paragraphs, one a line."""
    return "\n".join(paragraph.text for paragraph in paragraphs)

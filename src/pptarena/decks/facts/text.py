"""Facts about text: runs and paragraphs with their effective values."""

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

# Default left, top, right and bottom insets.
CELL_INSETS_EMU: Final = (91_440, 45_720, 91_440, 45_720)


@dataclass(frozen=True, slots=True)
class RunStyle:
    """Character formatting of a run; all values are effective ones.

    Attributes:
        size_pt: Font size in points, before autofit.
        bold: Whether the text is bold.
        italic: Whether the text is italic.
        underline: ``none``, or the underline type in the file, such as ``sng``.
        underline_color: ``#RRGGBB`` of the underline; None if it follows the text or if there is no
            underline (ECMA-376-1, 21.1.2.3.12 to 21.1.2.3.15).
        strike: Whether the text is struck through.
        double_strike: Whether the strikethrough is double.
        color: ``#RRGGBB``; None if it is not a single color.
        font: Typeface for the script of the characters (Latin, East Asian or complex), with theme
            fonts resolved; empty if unknown.
        baseline: Percent by which the text is raised (superscript) or lowered; 0 for normal.
        highlight: Highlight color; None for none.
        caps: ``none``, ``small`` or ``all``.
        spacing_pt: Character spacing in points.
        opacity_pct: 0 (transparent) to 100 (opaque); 0 for characters without fill.
        outlined: Whether the characters have an outline.
        detail: Gradient colors, outline and effects of the characters.
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
    """Target of a hyperlink.

    Attributes:
        address: URL, file or action; empty for a slide of the deck.
        slide: Position of a slide of the deck, from 1; None for other targets.
    """

    address: str = ""
    slide: int | None = None

    def __str__(self) -> str:
        return self.address if self.slide is None else f"slide:{self.slide}"


@dataclass(frozen=True, slots=True)
class Run:
    r"""Text with uniform formatting; adjacent runs never share both style and link.

    Attributes:
        text: The text; line breaks are ``\v``, fields are their type, such as ``[slidenum]``.
        style: Character formatting.
        link: Target of the hyperlink; None for none.
        tooltip: ScreenTip of the hyperlink.
    """

    text: str
    style: RunStyle
    link: Link | None = None
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Bullet:
    """The bullet or number of a paragraph.

    Attributes:
        kind: Type of the bullet.
        char: The character, or the numbering scheme such as ``arabicPeriod``; empty for a picture.
        start: First number of the list.
        color: ``#RRGGBB`` if it differs from the text.
        size_pct: Size in percent of the text; 0 if `size_pt` is set.
        size_pt: Absolute size in points; None if it follows the text.
        font: Typeface of the bullet if it differs from the text.
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
    """A paragraph with its effective values.

    Attributes:
        runs: Runs, none of them an empty string; empty for an empty paragraph.
        level: Outline level, from 0.
        align: Horizontal alignment.
        bullet: Bullet or number.
        line_spacing_pct: Line spacing in percent; None if set in points.
        line_spacing_pt: Line spacing in points; None if set in percent.
        space_before_pt: Space before the paragraph in points.
        space_after_pt: Space after the paragraph in points.
        margin_emu: Left margin.
        indent_emu: First-line indent relative to the margin; negative for a hanging indent.
        right_to_left: Whether the text direction is right to left.
        tabs: The paragraph's own tab stops, as position in EMU and alignment (``l``, ``ctr``,
            ``r``, ``dec``).
        font_alignment: Vertical alignment of characters of different sizes: ``base``, ``t``,
            ``ctr`` or ``b`` (ECMA-376-1, 20.1.10.59); ``auto`` reads as ``base``.
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
        """Text of all runs."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class TextFrame:
    """Text frame properties of a shape; all values are effective ones.

    Attributes:
        insets_emu: Left, top, right and bottom inset.
        anchor: Vertical alignment of the text.
        centered: Whether the text block as a whole is centered horizontally.
        wrap: Whether lines wrap at the edges of the shape.
        columns: Number of columns.
        column_gap_emu: Space between columns.
        vertical: Text direction: ``horz``, or the file's name such as ``vert270``.
        autofit_scale_pct: Font scale applied by autofit; 100 for none.
        autofit_reduction_pct: Line spacing reduction applied by autofit.
        rotation_deg: Clockwise rotation relative to the shape.
        warp: WordArt preset, such as ``textArchUp``; empty for none.
        columns_right_to_left: Whether columns run from right to left.
        upright: Whether the text stays upright if the shape is rotated.
        overflow: Handling of vertical overflow: ``overflow``, ``clip`` or ``ellipsis``.
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
    """Return the text of paragraphs, one per line."""
    return "\n".join(paragraph.text for paragraph in paragraphs)

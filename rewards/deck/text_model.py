"""The facts of text: runs, paragraphs, and the values they show after all inheritance."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

__all__ = ["NO_BULLET", "Align", "Bullet", "Paragraph", "Run", "RunStyle", "plain_text"]

Align = Literal["left", "center", "right", "justify"]


@dataclass(frozen=True, slots=True)
class RunStyle:
    """What a run of letters looks like; every value is the effective one.

    Attributes:
        size_pt: Size of type in points, as set, before any automatic shrinking.
        bold: Whether it is bold.
        italic: Whether it is italic.
        underline: ``none``, or the kind of line as in the file, such as ``sng``.
        strike: Whether it is struck through.
        color: ``#RRGGBB``; None if it is not one colour.
        font: Name of the Latin typeface, theme fonts resolved; empty if unknown.
        baseline: Percent that it is raised (superscript) or lowered, 0 for normal.
        highlight: Colour behind the letters, None for none.
        caps: ``none``, ``small`` or ``all``.
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


@dataclass(frozen=True, slots=True)
class Run:
    r"""Letters that look alike; neighbours never share style and link.

    Attributes:
        text: Line breaks are ``\v``; fields are their kind, such as ``[slidenum]``.
        style: What they look like.
        link: Where a click leads: an address, or ``slide:<position from 1>`` within the deck;
            empty for nowhere.
    """

    text: str
    style: RunStyle
    link: str = ""


@dataclass(frozen=True, slots=True)
class Bullet:
    """The sign before a paragraph.

    Attributes:
        kind: What sort of sign it is.
        char: The sign, or the numbering scheme such as ``arabicPeriod``.
    """

    kind: Literal["none", "char", "number", "picture"] = "none"
    char: str = ""


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

    @cached_property
    def text(self) -> str:
        """The letters of all its runs."""
        return "".join(run.text for run in self.runs)


def plain_text(paragraphs: tuple[Paragraph, ...]) -> str:
    """Return the text of paragraphs, one a line."""
    return "\n".join(paragraph.text for paragraph in paragraphs)

"""The facts of pictures, tables, diagrams and embedded files."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Line, Paint
from pptarena.decks.facts.text import CELL_INSETS_EMU, Anchor, Paragraph, plain_text

__all__ = [
    "NO_BORDERS",
    "THUMBNAIL_PX",
    "Borders",
    "Cell",
    "Embedded",
    "Picture",
    "PictureFile",
    "SmartArt",
    "Table",
    "Thumbnail",
]

THUMBNAIL_PX: Final = 96
"""Width and height of thumbnails, whatever the shape of the picture."""

Borders = tuple[Line, Line, Line, Line]

NO_BORDERS: Borders = (NO_LINE, NO_LINE, NO_LINE, NO_LINE)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture made small, which tells whether two files show the same.

    Attributes:
        width: Of the file in pixels.
        height: Of the file in pixels.
        rgb: `THUMBNAIL_PX` rows of as many pixels, three bytes each; holes are white.
    """

    width: int
    height: int
    rgb: bytes


class PictureFile:
    """The file of a picture, decoded when its thumbnail is asked for.

    Args:
        find: Returns the thumbnail, None if the file cannot be decoded safely.
    """

    def __init__(self, find: Callable[[], Thumbnail | None]) -> None:
        self._find = find

    @cached_property
    def thumbnail(self) -> Thumbnail | None:
        """The picture made small; None if it cannot be decoded safely."""
        return self._find()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture or the still of a medium.

    Attributes:
        sha256: Of the file's bytes; empty if the file is missing.
        crop_pct: Cut off at left, top, right, bottom, in percent of the whole.
        media_sha256: Of the film or sound; empty for a picture.
        media_kind: Whether the medium is a film or a sound; empty for a picture.
        linked: Address of a picture or medium that is not in the file; empty if it is.
        brightness_pct: Added to its brightness, -100 to 100.
        contrast_pct: Added to its contrast, -100 to 100.
        recolor: How its colours are changed, such as ``grayscale``; empty for not at all.
        opacity_pct: 0 (cannot be seen) to 100 (solid).
        see_through: Whether what is beneath may show through holes of the picture.
        file: What the file shows; None if it is not in the deck.
    """

    sha256: str
    crop_pct: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    media_sha256: str = ""
    media_kind: Literal["video", "audio", ""] = ""
    linked: str = ""
    brightness_pct: int = 0
    contrast_pct: int = 0
    recolor: str = ""
    opacity_pct: int = 100
    see_through: bool = False
    file: PictureFile | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        paragraphs: Its text, with the letters of the table's style.
        fill: What it is filled with, by itself or by the table's style.
        spans: How many columns and rows it covers; (0, 0) if another cell covers it.
        anchor: Where its text stands.
        borders: Its left, right, upper and lower border, by themselves or by the table's style.
        insets_emu: Space around its text: left, top, right, bottom.
        vertical: Direction of its text, as in `TextFrame`.
        centered: Whether its block of text is centered from left to right.
    """

    paragraphs: tuple[Paragraph, ...]
    fill: Paint = NO_PAINT
    spans: tuple[int, int] = (1, 1)
    anchor: Anchor = "top"
    borders: Borders = NO_BORDERS
    insets_emu: tuple[int, int, int, int] = CELL_INSETS_EMU
    vertical: str = "horz"
    centered: bool = False

    @cached_property
    def text(self) -> str:
        """Its text, one paragraph a line."""
        return plain_text(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        rows: Cells, from top to bottom and left to right.
        column_widths: In EMU.
        row_heights: In EMU; at least, as rows grow with their text.
        style: Name of its style, its id where the name is not known; empty for none.
        header_row: Whether the style treats the first row as headings.
        total_row: Whether the style treats the last row as totals.
        banded_rows: Whether the style tells every other row apart.
        first_column: Whether the style treats the first column as headings.
        last_column: Whether the style treats the last column as totals.
        banded_columns: Whether the style tells every other column apart.
        right_to_left: Whether the first column is the rightmost.
    """

    rows: tuple[tuple[Cell, ...], ...]
    column_widths: tuple[int, ...]
    row_heights: tuple[int, ...]
    style: str = ""
    header_row: bool = False
    total_row: bool = False
    banded_rows: bool = False
    first_column: bool = False
    last_column: bool = False
    banded_columns: bool = False
    right_to_left: bool = False


@dataclass(frozen=True, slots=True)
class SmartArt:
    """A diagram that the application lays out by itself.

    Attributes:
        layout: Name of its layout such as ``process1``; empty if the file does not say.
        nodes: Level from 0 and text of each node, in the order of the outline.
        fingerprint: Digest of its layout, style and colours; empty if they are missing.
    """

    layout: str
    nodes: tuple[tuple[int, str], ...]
    fingerprint: str = ""

    @property
    def text(self) -> str:
        """Text of all nodes, one a line."""
        return "\n".join(text for _, text in self.nodes if text)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A file of another program within the deck.

    Attributes:
        program: What it belongs to, such as ``Excel.Sheet.12``; empty if the file does not say.
        sha256: Of what is in it; empty if it is missing or only linked.
        linked: Address of the file if it is not in the deck; else empty.
    """

    program: str
    sha256: str
    linked: str = ""

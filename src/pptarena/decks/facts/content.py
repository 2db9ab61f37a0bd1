"""Facts about pictures, tables, diagrams and embedded files."""

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
"""Width and height of thumbnails; the aspect ratio of the picture is not kept."""

Borders = tuple[Line, Line, Line, Line]

NO_BORDERS: Borders = (NO_LINE, NO_LINE, NO_LINE, NO_LINE)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A downscaled picture, used to compare the content of picture files.

    Attributes:
        width: Width of the file in pixels.
        height: Height of the file in pixels.
        rgb: `THUMBNAIL_PX` rows of `THUMBNAIL_PX` pixels, three bytes each; transparent pixels are
            white.
    """

    width: int
    height: int
    rgb: bytes


class PictureFile:
    """A picture file, decoded when its thumbnail is first accessed.

    Args:
        find: Returns the thumbnail; None if the file cannot be decoded safely.
    """

    def __init__(self, find: Callable[[], Thumbnail | None]) -> None:
        self._find = find

    @cached_property
    def thumbnail(self) -> Thumbnail | None:
        """The downscaled picture; None if the file cannot be decoded safely."""
        return self._find()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, or the poster frame of a video or sound.

    Attributes:
        sha256: Digest of the picture file; empty if it is missing.
        crop_pct: Crop at left, top, right and bottom, in percent of the picture.
        media_sha256: Digest of the video or sound; empty for a picture.
        media_kind: Type of the media; empty for a picture.
        linked: Address of an external picture or media file; empty if it is embedded.
        brightness_pct: Brightness adjustment, -100 to 100.
        contrast_pct: Contrast adjustment, -100 to 100.
        recolor: Recoloring, such as ``grayscale``; empty for none.
        opacity_pct: 0 (transparent) to 100 (opaque).
        see_through: Whether the picture may have transparent pixels.
        file: The decoded file; None if it is not in the deck.
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
    """A table cell.

    Attributes:
        paragraphs: Text, with the formatting of the table style applied.
        fill: Fill of the cell or of the table style.
        spans: Number of columns and rows that the cell spans; (0, 0) if another cell covers it.
        anchor: Vertical alignment of the text.
        borders: Left, right, top and bottom border of the cell or of the table style.
        insets_emu: Left, top, right and bottom inset.
        vertical: Text direction, as in `TextFrame`.
        centered: Whether the text block as a whole is centered horizontally.
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
        """Text of the cell, one paragraph per line."""
        return plain_text(self.paragraphs)


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        rows: Cells, from top to bottom and left to right.
        column_widths: Column widths in EMU.
        row_heights: Minimum row heights in EMU; rows grow with their text.
        style: Name of the table style, or its id if the name is unknown; empty for none.
        header_row: Whether the style formats the first row as a header.
        total_row: Whether the style formats the last row as a total.
        banded_rows: Whether the style formats alternate rows differently.
        first_column: Whether the style formats the first column as a header.
        last_column: Whether the style formats the last column as a total.
        banded_columns: Whether the style formats alternate columns differently.
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
    """A SmartArt diagram.

    Attributes:
        layout: Name of the layout, such as ``process1``; empty if unknown.
        nodes: Level from 0 and text of each node, in outline order.
        fingerprint: Digest of layout, style and colors; empty if they are missing.
    """

    layout: str
    nodes: tuple[tuple[int, str], ...]
    fingerprint: str = ""

    @property
    def text(self) -> str:
        """Text of all nodes, one per line."""
        return "\n".join(text for _, text in self.nodes if text)


@dataclass(frozen=True, slots=True)
class Embedded:
    """An embedded file of another program.

    Attributes:
        program: Program id, such as ``Excel.Sheet.12``; empty if unknown.
        sha256: Digest of the content; empty if it is missing or only linked.
        linked: Address of an external file; empty if the file is embedded.
    """

    program: str
    sha256: str
    linked: str = ""

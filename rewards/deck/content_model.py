"""The facts of fills, lines, pictures, tables and charts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from pptarena.rewards.deck.text_model import Paragraph, plain_text

__all__ = ["NO_LINE", "NO_PAINT", "Cell", "Chart", "Line", "Paint", "Picture", "Series", "Table"]


@dataclass(frozen=True, slots=True)
class Paint:
    """What a surface is filled with.

    Attributes:
        kind: What sort of fill.
        color: ``#RRGGBB`` of a solid fill; None for others.
        opacity_pct: 0 (cannot be seen) to 100 (solid).
        detail: Colours of a gradient or pattern, or the digest of a picture; else empty.
    """

    kind: Literal["none", "solid", "gradient", "pattern", "picture"] = "none"
    color: str | None = None
    opacity_pct: int = 100
    detail: str = ""


NO_PAINT: Final = Paint()


@dataclass(frozen=True, slots=True)
class Line:
    """An outline.

    Attributes:
        paint: What it is drawn with; of kind ``none`` it is not there.
        width_pt: Its width in points; 0 where `paint` is none.
        dash: ``solid`` or the name of its pattern.
        ends: Arrow heads at its start and its end, ``none`` for none.
    """

    paint: Paint = NO_PAINT
    width_pt: float = 0.0
    dash: str = "solid"
    ends: tuple[str, str] = ("none", "none")


NO_LINE: Final = Line()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture or the still of a medium.

    Attributes:
        sha256: Of the file's bytes; empty if the file is missing.
        crop_pct: Cut off at left, top, right, bottom, in percent of the whole.
        media_sha256: Of the film or sound; empty for a picture.
    """

    sha256: str
    crop_pct: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    media_sha256: str = ""


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        paragraphs: Its text.
        fill: What it is filled with.
        spans: How many columns and rows it covers; (0, 0) if another cell covers it.
    """

    paragraphs: tuple[Paragraph, ...]
    fill: Paint = NO_PAINT
    spans: tuple[int, int] = (1, 1)

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
    """

    rows: tuple[tuple[Cell, ...], ...]
    column_widths: tuple[int, ...]
    row_heights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One row of data of a chart.

    Attributes:
        name: As the legend shows it.
        type: How it is drawn, such as ``line``.
        categories: Names or positions along the axis.
        values: The numbers; None where there is none.
        color: ``#RRGGBB`` where it has one colour of its own.
    """

    name: str
    type: str
    categories: tuple[str, ...]
    values: tuple[float | None, ...]
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        type: Of its first series: ``column``, ``bar``, ``line``, ``pie``, ``area``, ``scatter``,
            ``doughnut``, ``radar``, ``bubble``, ``stock``, ``surface``; empty if unknown.
        grouping: ``clustered``, ``stacked``, ``percentStacked``, ``standard`` or empty.
        title: Empty if it has none.
        series: All its data.
        legend: Where the legend is (``r``, ``b`` ...); empty if there is none.
        axis_titles: Titles of its axes, in the order of the file.
    """

    type: str
    grouping: str
    title: str
    series: tuple[Series, ...]
    legend: str = ""
    axis_titles: tuple[str, ...] = ()

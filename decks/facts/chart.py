"""The facts of charts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pptarena.decks.facts.paint import NO_LINE, NO_PAINT, Line, Paint
from pptarena.decks.facts.text import Paragraph, RunStyle

__all__ = ["Axis", "AxisKind", "CellMismatch", "Chart", "ChartTitle", "Series", "Workbook"]

AxisKind = Literal["category", "value", "date", "series"]


@dataclass(frozen=True, slots=True)
class ChartTitle:
    """What the title of a chart or an axis looks like.

    Attributes:
        style: Its first letters, or those that it would have.
        paragraphs: Its words with the looks of all of them; empty for an automatic title.
        fill: What is behind it.
        line: The frame around it.
        place_pct: Left and top by hand in percent of the chart, None where the application decides.
        rotation_deg: Turned clockwise by this, in [0, 360).
        vertical: Direction of the text as in `TextFrame`.
        overlay: Whether it lies over the plot instead of beside it.
    """

    style: RunStyle
    paragraphs: tuple[Paragraph, ...] = ()
    fill: Paint = NO_PAINT
    line: Line = NO_LINE
    place_pct: tuple[float | None, ...] = (None, None)
    rotation_deg: float = 0.0
    vertical: str = "horz"
    overlay: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a chart.

    Attributes:
        kind: What runs along it.
        title: Empty if it has none.
        minimum: Where it starts; None if the application decides.
        maximum: Where it ends; None if the application decides.
        number_format: Format code of its labels, also where it is taken from the data; empty for
            ``General``.
        hidden: Whether it is deleted.
        gridlines: Whether its major gridlines are drawn.
        minor_gridlines: Whether its minor gridlines are drawn.
        major_unit: Distance of its marks; None if the application decides.
        reversed: Whether it runs from the largest to the smallest.
        log_base: Of a logarithmic scale; None for a linear one.
        labels: Where its labels are: ``nextTo``, ``low``, ``high`` or ``none``.
        side: ``b``, ``l``, ``r`` or ``t``; empty if the file does not say.
        title_look: What its title looks like; None if it has none.
    """

    kind: AxisKind
    title: str = ""
    minimum: float | None = None
    maximum: float | None = None
    number_format: str = ""
    hidden: bool = False
    gridlines: bool = False
    minor_gridlines: bool = False
    major_unit: float | None = None
    reversed: bool = False
    log_base: float | None = None
    labels: str = "nextTo"
    side: str = ""
    title_look: ChartTitle | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One row of data of a chart.

    Attributes:
        name: As the legend shows it.
        type: How it is drawn, such as ``line``.
        categories: Names or positions along the axis; of several levels, the innermost.
        values: The numbers; None where there is none.
        color: ``#RRGGBB`` where it has one colour of its own.
        point_colors: Index from 0 and ``#RRGGBB`` of points that have a colour of their own.
        data_labels: What the labels at its points show, such as ``value`` or
            ``category percent``; empty for no labels.
        label_place: Where the labels stand, such as ``ctr``; empty for the usual place.
        trendline: Kinds of its trend lines, such as ``linear``; empty for none.
        sizes: Of the bubbles of a bubble chart, else empty.
        outer_categories: Names of the outer levels for each point, from the inside out.
        marker: Sign at its points; empty where the application decides.
        smooth: Whether its line is drawn as a curve.
        explosion_pct: How far slices stand off the centre of a pie.
        secondary: Whether it is measured on the second pair of axes.
        opacity_pct: Of its own colour, 0 (cannot be seen) to 100 (solid).
        point_opacities: Index from 0 and opacity of points with a colour of their own that is not
            solid.
        point_labels: Index from 0 of points with a label of their own, and what it shows, where it
            stands, and its words with their look; ``none`` for no label.
        fingerprint: Digest of what is not read any further; empty if there is nothing.
        number_format: Format code of the values, such as ``0.0%``; empty for ``General``.
        category_format: Format code of categories or positions that are numbers, empty for
            ``General``; None if they are text.
    """

    name: str
    type: str
    categories: tuple[str, ...]
    values: tuple[float | None, ...]
    color: str | None = None
    point_colors: tuple[tuple[int, str], ...] = ()
    data_labels: str = ""
    label_place: str = ""
    trendline: str = ""
    sizes: tuple[float | None, ...] = ()
    outer_categories: tuple[tuple[str, ...], ...] = ()
    marker: str = ""
    smooth: bool = False
    explosion_pct: int = 0
    secondary: bool = False
    opacity_pct: int = 100
    point_opacities: tuple[tuple[int, int], ...] = ()
    point_labels: tuple[tuple[int, str], ...] = ()
    fingerprint: str = ""
    number_format: str = ""
    category_format: str | None = None


@dataclass(frozen=True, slots=True)
class CellMismatch:
    """A cell of a chart's embedded workbook that differs from what the chart shows for it.

    Attributes:
        cell: Sheet and cell, such as ``Sheet1!B2``.
        shown: The value that the chart shows; empty for none.
        in_workbook: The value of the cell; empty for none.
    """

    cell: str
    shown: str
    in_workbook: str

    def __str__(self) -> str:
        cell, shown = self.in_workbook or "nothing", self.shown or "nothing"
        return f"{self.cell} is {cell} where the chart shows {shown}"


class Workbook:
    """The workbook that is embedded in a chart for editing its data; compared when asked.

    Two are equal if they differ from what their charts show in the same cells.

    Args:
        token: Equal only for equal workbooks of equal charts.
        find: Returns the cells that differ, None if they cannot be compared safely.
    """

    def __init__(self, token: bytes, find: Callable[[], tuple[CellMismatch, ...] | None]) -> None:
        self._token = token
        self._find = find

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workbook):
            return NotImplemented
        return self._token == other._token or self.mismatches == other.mismatches

    def __hash__(self) -> int:
        return hash(Workbook)  # equal ones may have different tokens

    def __repr__(self) -> str:
        return f"Workbook(mismatches={self.mismatches!r})"

    @cached_property
    def mismatches(self) -> tuple[CellMismatch, ...] | None:
        """The first cells that differ from what the chart shows; editing the data would show them.

        None if the workbook cannot be compared safely.
        """
        return self._find()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart; its numbers are those that the slide shows, not those of the embedded workbook.

    Attributes:
        type: Of its first series: ``column``, ``bar``, ``line``, ``pie``, ``area``, ``scatter``,
            ``doughnut``, ``radar``, ``bubble``, ``stock``, ``surface``; empty if unknown.
        grouping: ``clustered``, ``stacked``, ``percentStacked``, ``standard`` or empty.
        title: Empty if it has none.
        series: All its data, in the order of ``c:order`` within each type (ECMA-376-1, 21.2.2.128).
        legend: Where the legend is (``r``, ``b`` ...); empty if there is none.
        axis_titles: Titles of its axes, in the order of the file.
        axes: Its axes, in the order of the file.
        data_labels: Whether any series shows labels.
        gap_width_pct: Between groups of bars, in percent of a bar's width; None without bars.
        overlap_pct: Of bars of one group, -100 to 100; None without bars.
        title_look: What its title looks like; None without a title of its own.
        plot_box_pct: Left, top, width and height of the plot by hand, in percent of the chart; None
            where the application decides.
        legend_box_pct: The same of the legend.
        fingerprint: Digest of what is not read any further; empty if there is nothing.
        workbook: The embedded workbook; None if there is none.
    """

    type: str
    grouping: str
    title: str
    series: tuple[Series, ...]
    legend: str = ""
    axis_titles: tuple[str, ...] = ()
    axes: tuple[Axis, ...] = ()
    data_labels: bool = False
    gap_width_pct: int | None = None
    overlap_pct: int | None = None
    title_look: ChartTitle | None = None
    plot_box_pct: tuple[float | None, ...] = (None,) * 4
    legend_box_pct: tuple[float | None, ...] = (None,) * 4
    fingerprint: str = ""
    workbook: Workbook | None = None

    @property
    def workbook_mismatches(self) -> tuple[CellMismatch, ...] | None:
        """Cells of the workbook that differ from what the chart shows; see `Workbook`."""
        return None if self.workbook is None else self.workbook.mismatches

    @property
    def title_style(self) -> RunStyle | None:
        """What the title's first letters look like; None without a title of its own."""
        return None if self.title_look is None else self.title_look.style

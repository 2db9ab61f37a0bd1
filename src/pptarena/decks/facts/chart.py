"""Facts about charts."""

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
    """Text and formatting of the title of a chart or an axis.

    Attributes:
        style: Style of the first run, or the default style of an automatic title.
        paragraphs: Formatted text; empty for an automatic title.
        fill: Background of the title.
        line: Border of the title.
        place_pct: Manual left and top in percent of the chart; None if placed automatically.
        rotation_deg: Clockwise rotation, in [0, 360).
        vertical: Text direction, as in `TextFrame`.
        overlay: Whether the title overlaps the plot area.
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
        kind: Type of the axis.
        title: Text of its title; empty for none.
        minimum: Start of the scale; None for automatic.
        maximum: End of the scale; None for automatic.
        number_format: Format code of the labels, also if linked to the source data; empty for
            ``General``.
        hidden: Whether the axis is deleted.
        gridlines: Whether major gridlines are drawn.
        minor_gridlines: Whether minor gridlines are drawn.
        major_unit: Distance between major tick marks; None for automatic.
        reversed: Whether the scale runs from the largest to the smallest value.
        log_base: Base of a logarithmic scale; None for a linear one.
        labels: Position of the labels: ``nextTo``, ``low``, ``high`` or ``none``.
        side: ``b``, ``l``, ``r`` or ``t``; empty if the file does not specify it.
        title_look: Title with its formatting; None for no title.
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
    """One data series of a chart.

    Attributes:
        name: Name in the legend.
        type: Chart type of the series, such as ``line``.
        categories: Category names or x values; with several levels, the innermost.
        values: The numbers; None for a missing value.
        color: ``#RRGGBB`` if the series has one explicit color.
        point_colors: Index from 0 and ``#RRGGBB`` of points with an explicit color.
        data_labels: Content of the data labels, such as ``value`` or ``category percent``; empty
            for no labels.
        label_place: Position of the data labels, such as ``ctr``; empty for the default.
        trendline: Types of its trend lines, such as ``linear``; empty for none.
        sizes: Bubble sizes; empty for other chart types.
        outer_categories: Outer category levels for each point, from the inside out.
        marker: Symbol of the markers; empty for automatic.
        smooth: Whether the line is smoothed.
        explosion_pct: Distance of slices from the center of a pie, in percent.
        secondary: Whether the series uses the secondary axes.
        opacity_pct: Opacity of `color`, 0 (transparent) to 100 (opaque).
        point_opacities: Index from 0 and opacity of points whose explicit color is not opaque.
        point_labels: Index from 0 and description of individually set data labels: content,
            position and formatted text; ``none`` for no label.
        fingerprint: Digest of content that no other field holds; empty for none.
        number_format: Format code of the values, such as ``0.0%``; empty for ``General``.
        category_format: Format code of numeric categories or x values, empty for ``General``; None
            for text.
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
    """A cell of a chart's embedded workbook that differs from the chart.

    Attributes:
        cell: Sheet and cell, such as ``Sheet1!B2``.
        shown: Value in the chart; empty for none.
        in_workbook: Value in the cell; empty for none.
    """

    cell: str
    shown: str
    in_workbook: str

    def __str__(self) -> str:
        cell, shown = self.in_workbook or "nothing", self.shown or "nothing"
        return f"{self.cell} is {cell} where the chart shows {shown}"


class Workbook:
    """The embedded workbook of a chart, compared with the chart on first access.

    Two workbooks are equal if they differ from their charts in the same cells.

    Args:
        token: Equal only for equal workbooks of equal charts.
        find: Returns the cells that differ; None if they cannot be compared safely.
    """

    def __init__(self, token: bytes, find: Callable[[], tuple[CellMismatch, ...] | None]) -> None:
        self._token = token
        self._find = find

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Workbook):
            return NotImplemented
        return self._token == other._token or self.mismatches == other.mismatches

    def __hash__(self) -> int:
        return hash(Workbook)  # equal workbooks may have different tokens

    def __repr__(self) -> str:
        return f"Workbook(mismatches={self.mismatches!r})"

    @cached_property
    def mismatches(self) -> tuple[CellMismatch, ...] | None:
        """The first cells that differ from the chart; None if they cannot be compared safely.

        Editing the chart data would make these differences visible.
        """
        return self._find()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, with the numbers on the slide, not those of the embedded workbook.

    Attributes:
        type: Type of the first series: ``column``, ``bar``, ``line``, ``pie``, ``area``,
            ``scatter``, ``doughnut``, ``radar``, ``bubble``, ``stock``, ``surface``; empty if
            unknown.
        grouping: ``clustered``, ``stacked``, ``percentStacked``, ``standard`` or empty.
        title: Text of the title; empty for none.
        series: All series, in the order of ``c:order`` within each type (ECMA-376-1, 21.2.2.128).
        legend: Position of the legend (``r``, ``b`` ...); empty for none.
        axis_titles: Titles of the axes, in file order.
        axes: The axes, in file order.
        data_labels: Whether any series has data labels.
        gap_width_pct: Gap between groups of bars, in percent of a bar's width; None without bars.
        overlap_pct: Overlap of bars within a group, -100 to 100; None without bars.
        title_look: Title with its formatting; None for no explicit title.
        plot_box_pct: Manual left, top, width and height of the plot area, in percent of the chart;
            None for automatic.
        legend_box_pct: The same for the legend.
        fingerprint: Digest of content that no other field holds; empty for none.
        workbook: The embedded workbook; None for none.
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
        """Cells of the workbook that differ from the chart; see `Workbook`."""
        return None if self.workbook is None else self.workbook.mismatches

    @property
    def title_style(self) -> RunStyle | None:
        """Style of the title's first run; None for no explicit title."""
        return None if self.title_look is None else self.title_look.style

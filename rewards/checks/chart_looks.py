"""Checks of how charts look: legend, axes, labels, colours."""

from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Axis, Chart
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.charts import ChartArgs
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import (
    COLOR_TOLERANCE,
    color_matches,
    require_color,
    wanted_color,
)
from pptarena.rewards.checks.view import ShapeView, View

_SIDES = {"right": "r", "left": "l", "top": "t", "bottom": "b", "corner": "tr", "none": ""}
_NAMES = {letter: name for name, letter in _SIDES.items()}
_VALUES = ("minimum", "maximum", "major_unit")
_FLAGS = ("hidden", "gridlines", "reversed")


@dataclass(frozen=True, kw_only=True)
class LegendIs(ChartArgs):
    """Where a chart's legend should be."""

    position: Literal["right", "left", "top", "bottom", "corner", "any", "none"]


@dataclass(frozen=True, kw_only=True)
class AxisIs(ChartArgs):
    """How an axis of a chart should be; what is left out does not matter."""

    axis: Literal["category", "value", "date", "series"]
    title: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    major_unit: float | None = None
    number_format: str | None = None
    hidden: bool | None = None
    gridlines: bool | None = None
    reversed: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        names = ("title", *_VALUES, "number_format", *_FLAGS)
        if all(getattr(self, name) is None for name in names):
            raise ValueError(f"expected at least one of {', '.join(names)}")


@dataclass(frozen=True, kw_only=True)
class DataLabels(ChartArgs):
    """Whether the points of a chart, or of one series, should have labels, and what they show."""

    shown: bool = True
    series: str | None = None
    content: Literal["value", "percent", "category", "series"] | None = None


@dataclass(frozen=True, kw_only=True)
class SeriesColor(ChartArgs):
    """The colour that a series, or one of its points (from 1), should have."""

    series: str
    color: str
    point: int | None = None
    color_tolerance: float = COLOR_TOLERANCE

    def __post_init__(self) -> None:
        super().__post_init__()
        require_color(self.color)


@dataclass(frozen=True, kw_only=True)
class Trendline(ChartArgs):
    """The trend line that a series should have; ``none`` for none."""

    series: str
    kind: str = "linear"


@check("chart_legend_is", "charts")
def chart_legend_is(view: View, args: LegendIs) -> CheckResult:
    """Measure whether a chart's legend is where it should be; half for another side."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        if chart is None:
            return CheckResult(0.0, f"{seen.label} is no chart")
        found = _NAMES.get(chart.legend, chart.legend)
        right = found == args.position or (args.position == "any" and found != "none")
        if right:
            return CheckResult(1.0, f"the legend of {seen.label} is {found}")
        half = "none" not in (found, args.position)
        return CheckResult(0.5 * half, f"the legend of {seen.label} is {found}")

    return view.on_shapes(args, judge)


@check("chart_axis_is", "charts")
def chart_axis_is(view: View, args: AxisIs) -> CheckResult:
    """Measure the share of right properties of an axis; a title counts by words in common."""

    def judge(seen: ShapeView) -> CheckResult:
        axes = seen.current.chart.axes if seen.current.chart is not None else ()
        found = next((axis for axis in axes if axis.kind == args.axis), None)
        if found is None:
            return CheckResult(0.0, f"{seen.label} has no {args.axis} axis")
        return mean_of(_axis_results(found, args), "properties of the axis")

    return view.on_shapes(args, judge)


@check("chart_data_labels", "charts")
def chart_data_labels(view: View, args: DataLabels) -> CheckResult:
    """Measure the share of series that have labels, or have none; half for other contents."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        series = [
            each
            for each in (chart.series if chart is not None else ())
            if args.series is None or folded(each.name) == folded(args.series)
        ]
        if not series:
            return CheckResult(0.0, f"{seen.label} has no such series")
        results = []
        for each in series:
            value = float(bool(each.data_labels) == args.shown)
            if args.shown and value and args.content not in (None, *each.data_labels.split()):
                value = 0.5
            shows = each.data_labels or "nothing"
            results.append(CheckResult(value, f"the labels of '{each.name}' show {shows}"))
        return mean_of(results, "series")

    return view.on_shapes(args, judge)


@check("chart_series_color", "charts", is_binary=True)
def chart_series_color(view: View, args: SeriesColor) -> CheckResult:
    """Measure whether a series, or a point of it, has a colour."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart or Chart("", "", "", ())
        wanted = wanted_color(args.color, view.current)
        for series in chart.series:
            if folded(series.name) == folded(args.series):
                color = series.color
                if args.point is not None:
                    color = dict(series.point_colors).get(args.point - 1, color)
                return verdict(
                    color_matches(color, wanted, args.color_tolerance),
                    f"'{series.name}' is {args.color}",
                    f"'{series.name}' is {color or 'of the automatic colour'}",
                )
        return CheckResult(0.0, f"{seen.label} has no series {args.series!r}")

    return view.on_shapes(args, judge)


@check("chart_trendline", "charts")
def chart_trendline(view: View, args: Trendline) -> CheckResult:
    """Measure whether a series has a trend line; half for another kind."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart or Chart("", "", "", ())
        found = next((s for s in chart.series if folded(s.name) == folded(args.series)), None)
        if found is None:
            return CheckResult(0.0, f"{seen.label} has no series {args.series!r}")
        lines = found.trendline.split() or ["none"]
        half = 0.5 * (args.kind != "none" and lines != ["none"])
        value = 1.0 if args.kind in lines else half
        return CheckResult(value, f"'{found.name}' has the trend line {' '.join(lines)}")

    return view.on_shapes(args, judge)


def _axis_results(axis: Axis, args: AxisIs) -> list[CheckResult]:
    results = []
    if args.title is not None:
        share = text_share(axis.title, args.title, match_case=False)
        results.append(CheckResult(share, f"its title is '{axis.title}'"))
    for name in _VALUES:
        wanted, found = getattr(args, name), getattr(axis, name)
        if wanted is not None:
            near = found is not None and abs(found - wanted) <= 1e-6 * max(1.0, abs(wanted))
            reason = f"its {name.replace('_', ' ')} is {found}"
            results.append(CheckResult(float(near), reason))
    if args.number_format is not None:
        right = axis.number_format.strip() == args.number_format.strip()
        results.append(CheckResult(float(right), f"its numbers are shown as {axis.number_format}"))
    for name in _FLAGS:
        wanted = getattr(args, name)
        if wanted is not None:
            found = getattr(axis, name)
            results.append(CheckResult(float(found == wanted), f"{name} is {found}"))
    return results

"""Checks of what charts show: series, categories, values."""

from dataclasses import dataclass

from pptarena.decks import Chart, Series
from pptarena.decks.diff.text import clip
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.charts import ChartArgs
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.view import ShapeView, View


@dataclass(frozen=True, kw_only=True)
class HasSeries(ChartArgs):
    """A series that a chart should have; None stands for any value."""

    series: str
    values: tuple[float | None, ...] = ()
    tolerance: float = 1e-6


@dataclass(frozen=True, kw_only=True)
class LacksSeries(ChartArgs):
    """A series that a chart should not have."""

    series: str


@dataclass(frozen=True, kw_only=True)
class Categories(ChartArgs):
    """All categories of a chart, in order."""

    categories: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class SeriesOrder(ChartArgs):
    """All series of a chart, in order."""

    series: tuple[str, ...]


@check("chart_has_series", "charts")
def chart_has_series(view: View, args: HasSeries) -> CheckResult:
    """Measure whether a chart has a series; with values, the share of them that are right."""

    def judge(seen: ShapeView) -> CheckResult:
        found = _series(seen.current.chart, args.series)
        if found is None:
            return CheckResult(0.0, f"{seen.label} has no series {clip(args.series)}")
        results = [CheckResult(1.0, f"{seen.label} has the series {clip(args.series)}")]
        for at, wanted in enumerate(args.values):
            if wanted is not None:
                value = found.values[at] if at < len(found.values) else None
                right = value is not None and abs(value - wanted) <= args.tolerance
                reason = f"value {at + 1} of {clip(args.series)} is {value}, {wanted:g} wanted"
                results.append(CheckResult(float(right), reason))
        return mean_of(results, "conditions")

    return view.on_shapes(args, judge)


@check("chart_lacks_series", "charts", is_binary=True)
def chart_lacks_series(view: View, args: LacksSeries) -> CheckResult:
    """Measure whether a chart has no series of a name, but still others."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        if chart is None or not chart.series:
            return CheckResult(0.0, f"{seen.label} is no chart with data")
        return verdict(
            _series(chart, args.series) is None,
            f"{seen.label} has no series {clip(args.series)}",
            f"{seen.label} still has the series {clip(args.series)}",
        )

    return view.on_shapes(args, judge)


@check("chart_categories_are", "charts")
def chart_categories_are(view: View, args: Categories) -> CheckResult:
    """Measure the share of categories that stand in the right order."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        found = chart.series[0].categories if chart is not None and chart.series else ()
        return _in_order(found, args.categories, f"categories of {seen.label}")

    return view.on_shapes(args, judge)


@check("chart_series_are", "charts")
def chart_series_are(view: View, args: SeriesOrder) -> CheckResult:
    """Measure the share of series that stand in the right order."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        found = tuple(each.name for each in chart.series) if chart is not None else ()
        return _in_order(found, args.series, f"series of {seen.label}")

    return view.on_shapes(args, judge)


def _series(chart: Chart | None, name: str) -> Series | None:
    found = (s for s in (chart.series if chart else ()) if folded(s.name) == folded(name))
    return next(found, None)


def _in_order(found: tuple[str, ...], wanted: tuple[str, ...], what: str) -> CheckResult:
    present, names = [folded(each) for each in found], [folded(each) for each in wanted]
    if present == names:
        return CheckResult(1.0, f"all {len(names)} {what} are right")
    places = [present.index(name) for name in dict.fromkeys(names) if name in present]
    right = len(longest_increasing(places))
    value = min(0.9, right / max(len(names), len(present), 1))
    return CheckResult(value, f"{right} of {len(names)} {what} are in order, {len(present)} in all")

"""Checks of charts."""

from dataclasses import dataclass
from typing import Literal

from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.text import same_words
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, View

__all__ = ["ChartArgs"]


@dataclass(frozen=True, kw_only=True)
class ChartArgs(ShapeArgs):
    """Names a chart; by default the first one of the slide."""

    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@chart")
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class ChartTitle(ChartArgs):
    """The title that a chart should have."""

    text: str
    match_case: bool = True


@dataclass(frozen=True, kw_only=True)
class ChartType(ChartArgs):
    """How a chart should draw its data."""

    type: str
    grouping: Literal["clustered", "stacked", "percentStacked", "standard"] | None = None


@dataclass(frozen=True, kw_only=True)
class ChartValue(ChartArgs):
    """A number that a chart should show."""

    series: str
    category: str
    value: float
    tolerance: float = 1e-6


@check("chart_title_is", "charts")
def chart_title_is(view: View, args: ChartTitle) -> CheckResult:
    """Measure whether a chart's title reads as it should."""

    def judge(seen: ShapeView) -> CheckResult:
        if seen.current.chart is None:
            return CheckResult(0.0, f"{seen.label} is no chart")
        where = f"the title of {seen.label}"
        return same_words(seen.current.chart.title, args.text, args.match_case, where)

    return view.on_shapes(args, judge)


@check("chart_type_is", "charts")
def chart_type_is(view: View, args: ChartType) -> CheckResult:
    """Measure whether a chart is of a type; half if its series are grouped in another way."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        found = "" if chart is None else chart.type
        right = folded(found) == folded(args.type)
        if right and chart is not None and args.grouping not in (None, chart.grouping):
            return CheckResult(0.5, f"the series of {seen.label} are {chart.grouping}")
        return verdict(
            right,
            f"{seen.label} is a {args.type} chart",
            f"{seen.label} is a {found or 'missing'} chart instead of {args.type}",
        )

    return view.on_shapes(args, judge)


@check("chart_value_is", "charts", is_binary=True)
def chart_value_is(view: View, args: ChartValue) -> CheckResult:
    """Measure whether a chart shows a number for a series and a category."""

    def judge(seen: ShapeView) -> CheckResult:
        chart = seen.current.chart
        place = f"{clip(args.series)}, {clip(args.category)} of {seen.label}"
        for series in chart.series if chart is not None else ():
            if folded(series.name) != folded(args.series):
                continue
            for category, value in zip(series.categories, series.values, strict=False):
                if folded(category) == folded(args.category):
                    right = value is not None and abs(value - args.value) <= args.tolerance
                    wrong = f"{place} is {value} instead of {args.value:g}"
                    return verdict(right, f"{place} is {args.value:g}", wrong)
        return CheckResult(0.0, f"{place} is not there")

    return view.on_shapes(args, judge)

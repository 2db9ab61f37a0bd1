"""Checks of charts."""

from typing import Literal

from pptarena.decks import Chart, Series
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, verdict
from pptarena.rewards.checks.text import same_words

__all__ = ["find_series"]


@shape_check("charts", shape="@chart")
def chart_title_is(pair: ShapePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure whether a chart's title reads as it should, by words in common."""
    if pair.after.chart is None:
        return CheckResult(0.0, f"{pair.label} is no chart")
    where = f"the title of {pair.label}"
    return same_words(pair.after.chart.title, text, match_case, where)


@shape_check("charts", shape="@chart")
def chart_type_is(
    pair: ShapePair,
    type: str,
    grouping: Literal["clustered", "stacked", "percentStacked", "standard"] | None = None,
) -> CheckResult:
    """Measure whether a chart is of a type; half if its series are grouped in another way.

    Args:
        type: Such as `bar`, `column`, `line`, `pie`, `area`, `scatter` or `doughnut`.
    """
    chart = pair.after.chart
    found = "" if chart is None else chart.type
    right = folded(found) == folded(type)
    if right and chart is not None and grouping not in (None, chart.grouping):
        return CheckResult(0.5, f"the series of {pair.label} are {chart.grouping}")
    return verdict(
        right,
        f"{pair.label} is a {type} chart",
        f"{pair.label} is a {found or 'missing'} chart instead of {type}",
    )


@shape_check("charts", is_binary=True, shape="@chart")
def chart_value_is(
    pair: ShapePair, series: str, category: str, value: float, tolerance: float = 1e-6
) -> CheckResult:
    """Measure whether a chart shows a number for a series and a category."""
    chart = pair.after.chart
    place = f"{clip(series)}, {clip(category)} of {pair.label}"
    for each in chart.series if chart is not None else ():
        if folded(each.name) != folded(series):
            continue
        for name, now in zip(each.categories, each.values, strict=False):
            if folded(name) == folded(category):
                right = now is not None and abs(now - value) <= tolerance
                wrong = f"{place} is {now} instead of {value:g}"
                return verdict(right, f"{place} is {value:g}", wrong)
    return CheckResult(0.0, f"{place} is not there")


def find_series(chart: Chart | None, name: str) -> Series | None:
    """Return the series of a name, None if there is none."""
    series = () if chart is None else chart.series
    return next((each for each in series if folded(each.name) == folded(name)), None)

"""Checks of charts."""

from typing import Literal

from pptarena.decks import Chart, Series
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, needed
from pptarena.rewards.checks.text import same_words

__all__ = ["all_series_of", "chart_of", "series_of"]


@shape_check("charts", shape="@chart")
def chart_title_is(pair: ShapePair, text: str, match_case: bool = True) -> CheckResult:
    """Measure how well a chart's title matches the wanted text, by words in common."""
    return same_words(chart_of(pair).title, text, match_case, f"the title of {pair.label}")


@shape_check("charts", shape="@chart")
def chart_type_is(
    pair: ShapePair,
    type: str,
    grouping: Literal["clustered", "stacked", "percentStacked", "standard"] | None = None,
) -> CheckResult:
    """Measure whether a chart has a type; another grouping of its series earns half.

    Args:
        type: Such as `bar`, `column`, `line`, `pie`, `area`, `scatter` or `doughnut`.
    """
    chart = chart_of(pair)
    result = same(f"the type of {pair.label}", chart.type, type)
    if result.score and grouping not in (None, chart.grouping):
        return CheckResult(0.5, f"the series of {pair.label} are {chart.grouping}")
    return result


@shape_check("charts", is_binary=True, shape="@chart")
def chart_value_is(
    pair: ShapePair, series: str, category: str, value: float, tolerance: float = 1e-6
) -> CheckResult:
    """Measure whether a chart shows a number for a series and a category."""
    place = f"{clip(series)}, {clip(category)} of {pair.label}"
    values = [
        now
        for each in all_series_of(pair, series)
        for name, now in zip(each.categories, each.values, strict=False)
        if folded(name) == folded(category)
    ]
    return near(place, needed(values, f"{place} is not there")[0], value, tolerance)


def chart_of(pair: ShapePair) -> Chart:
    """Return the chart now.

    Raises:
        NotThereError: If the shape is not a chart.
    """
    return needed(pair.after.chart, f"{pair.label} is not a chart")


def series_of(pair: ShapePair, name: str) -> Series:
    """Return the first series with a name; see `all_series_of`."""
    return all_series_of(pair, name)[0]


def all_series_of(pair: ShapePair, name: str | None) -> list[Series]:
    """Return the series with a name, or all series of a chart for None.

    Raises:
        NotThereError: If there are none.
    """
    series = chart_of(pair).series
    named = [each for each in series if name is None or folded(each.name) == folded(name)]
    missing = "no data" if name is None else f"no series {clip(name)}"
    return needed(named, f"{pair.label} has {missing}")

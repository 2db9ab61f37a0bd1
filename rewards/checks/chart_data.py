"""Checks of what charts show: series, categories, values."""

from pptarena.decks.diff.text import clip
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.text_match import folded
from pptarena.rewards.checks.charts import find_series
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict


@shape_check("charts", shape="@chart")
def chart_has_series(
    pair: ShapePair, series: str, values: tuple[float | None, ...] = (), tolerance: float = 1e-6
) -> CheckResult:
    """Measure whether a chart has a series; with values, the share of them that are right."""
    found = find_series(pair.after.chart, series)
    if found is None:
        return CheckResult(0.0, f"{pair.label} has no series {clip(series)}")
    results = [CheckResult(1.0, f"{pair.label} has the series {clip(series)}")]
    for at, wanted in enumerate(values):
        if wanted is not None:
            value = found.values[at] if at < len(found.values) else None
            right = value is not None and abs(value - wanted) <= tolerance
            reason = f"value {at + 1} of {clip(series)} is {value}, {wanted:g} wanted"
            results.append(CheckResult(float(right), reason))
    return mean_of(results, "conditions")


@shape_check("charts", is_binary=True, shape="@chart")
def chart_lacks_series(pair: ShapePair, series: str) -> CheckResult:
    """Measure whether a chart has no series of a name, but still others."""
    chart = pair.after.chart
    if chart is None or not chart.series:
        return CheckResult(0.0, f"{pair.label} is no chart with data")
    return verdict(
        find_series(chart, series) is None,
        f"{pair.label} has no series {clip(series)}",
        f"{pair.label} still has the series {clip(series)}",
    )


@shape_check("charts", shape="@chart")
def chart_categories_are(pair: ShapePair, categories: tuple[str, ...]) -> CheckResult:
    """Measure the share of categories that stand in the right order.

    Args:
        categories: All, in order.
    """
    chart = pair.after.chart
    found = chart.series[0].categories if chart is not None and chart.series else ()
    return _in_order(found, categories, f"categories of {pair.label}")


@shape_check("charts", shape="@chart")
def chart_series_are(pair: ShapePair, series: tuple[str, ...]) -> CheckResult:
    """Measure the share of series that stand in the right order.

    Args:
        series: All, in order.
    """
    chart = pair.after.chart
    found = tuple(each.name for each in chart.series) if chart is not None else ()
    return _in_order(found, series, f"series of {pair.label}")


def _in_order(found: tuple[str, ...], wanted: tuple[str, ...], what: str) -> CheckResult:
    present, names = [folded(each) for each in found], [folded(each) for each in wanted]
    if present == names:
        return CheckResult(1.0, f"all {len(names)} {what} are right")
    places = [present.index(name) for name in dict.fromkeys(names) if name in present]
    right = len(longest_increasing(places))
    value = min(0.9, right / max(len(names), len(present), 1))
    return CheckResult(value, f"{right} of {len(names)} {what} are in order, {len(present)} in all")

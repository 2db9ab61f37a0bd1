"""Checks of what charts show: series, categories, values."""

from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.compare import lacks, near, same_sequence
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed
from pptarena.rewards.checks.charts import chart_of, series_of


@shape_check("charts", shape="@chart")
def chart_has_series(
    pair: ShapePair, series: str, values: tuple[float | None, ...] = (), tolerance: float = 1e-6
) -> CheckResult:
    """Measure whether a chart has a series; with values, the share of them that are right."""
    name, now = clip(series), series_of(pair, series).values
    results = [
        near(f"value {at + 1} of {name}", now[at] if at < len(now) else None, wanted, tolerance)
        for at, wanted in enumerate(values)
    ]
    is_there = CheckResult(1.0, f"{pair.label} has the series {name}")
    return mean_of([is_there, *results], "conditions")


@shape_check("charts", is_binary=True, shape="@chart")
def chart_lacks_series(pair: ShapePair, series: str) -> CheckResult:
    """Measure whether a chart has no series of a name, but still others."""
    present = needed(chart_of(pair).series, f"{pair.label} has no data")
    return lacks(pair.label, "series", series, [each.name for each in present])


@shape_check("charts", shape="@chart")
def chart_categories_are(pair: ShapePair, categories: tuple[str, ...]) -> CheckResult:
    """Measure the share of categories that stand in the right order.

    Args:
        categories: All, in order.
    """
    names = [name for series in chart_of(pair).series[:1] for name in series.categories]
    what = f"categories of {pair.label}"
    return same_sequence([*map(folded, names)], [*map(folded, categories)], what)


@shape_check("charts", shape="@chart")
def chart_series_are(pair: ShapePair, series: tuple[str, ...]) -> CheckResult:
    """Measure the share of series that stand in the right order.

    Args:
        series: All, in order.
    """
    names = [each.name for each in chart_of(pair).series]
    return same_sequence([*map(folded, names)], [*map(folded, series)], f"series of {pair.label}")

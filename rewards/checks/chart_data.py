"""Checks of chart data: series, categories and values."""

from collections import Counter

from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded
from pptarena.rewards.checking.compare import lacks, near, same_sequence, share
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, noted
from pptarena.rewards.checks.charts import chart_of, series_of


@shape_check("charts", shape="@chart")
def chart_has_series(
    pair: ShapePair,
    series: str,
    values: tuple[float | None, ...] = (),
    tolerance: float = 1e-6,
    beside: bool = False,
) -> CheckResult:
    """Measure whether a chart has a series; with `values`, the share of right values.

    If no series has the name, a new series with all the values loses only the credit for the name.

    Args:
        beside: Whether the original series must still be there; if one is missing, the score is
            halved.
    """
    result = _series_fits(pair, series, values, tolerance)
    before = None if pair.before is None else pair.before.chart
    if not beside or before is None:
        return result
    names = {folded(each.name) for each in chart_of(pair).series}
    lost = [each.name for each in before.series if folded(each.name) not in names]
    note = f"{clip(lost[0])} is gone" if lost else ""
    return noted(CheckResult(result.score / (2 if lost else 1), result.reason), note)


def _series_fits(
    pair: ShapePair, series: str, values: tuple[float | None, ...], tolerance: float
) -> CheckResult:
    name = clip(series)
    if values and _is_nameless(pair, series, values, tolerance):
        found = f"{pair.label} has the values of {name}, but no series of that name"
        return CheckResult(len(values) / (1 + len(values)), found)
    now = series_of(pair, series).values
    results = [
        near(f"value {at + 1} of {name}", now[at] if at < len(now) else None, wanted, tolerance)
        for at, wanted in enumerate(values)
    ]
    is_there = CheckResult(1.0, f"{pair.label} has the series {name}")
    return mean_of([is_there, *results], "conditions")


@shape_check("charts", is_binary=True, shape="@chart")
def chart_lacks_series(pair: ShapePair, series: str) -> CheckResult:
    """Measure whether a chart has no series with a name, but still has other series."""
    present = needed(chart_of(pair).series, f"{pair.label} has no data")
    return lacks(pair.label, "series", series, [each.name for each in present])


@shape_check("charts", shape="@chart")
def chart_categories_are(pair: ShapePair, categories: tuple[str, ...]) -> CheckResult:
    """Measure the share of categories in the right order.

    Args:
        categories: All categories, in order.
    """
    names = [name for series in chart_of(pair).series[:1] for name in series.categories]
    what = f"categories of {pair.label}"
    return same_sequence([*map(folded, names)], [*map(folded, categories)], what)


@shape_check("charts", shape="@chart")
def chart_series_are(
    pair: ShapePair, series: tuple[str, ...], any_order: bool = False
) -> CheckResult:
    """Measure the share of series in the right order, which is the order of the legend.

    Args:
        series: All series, in order.
        any_order: Whether any order is right.
    """
    names = [folded(each.name) for each in chart_of(pair).series]
    wanted = [folded(each) for each in series]
    if any_order:
        right = (Counter(names) & Counter(wanted)).total()
        most = max(len(names), len(wanted), 1)
        return share(right, most, f"series of {pair.label} are the right ones")
    return same_sequence(names, wanted, f"series of {pair.label}")


def _is_nameless(
    pair: ShapePair, series: str, values: tuple[float | None, ...], tolerance: float
) -> bool:
    """Return whether no series has the name, and a new one has all the values."""
    known = {folded(series)}
    if pair.before is not None and pair.before.chart is not None:
        known |= {folded(each.name) for each in pair.before.chart.series}
    present = chart_of(pair).series
    if any(folded(each.name) == folded(series) for each in present):
        return False
    return any(
        len(each.values) == len(values)
        and all(
            now is wanted is None
            or (now is not None and wanted is not None and abs(now - wanted) <= tolerance)
            for now, wanted in zip(each.values, values, strict=True)
        )
        for each in present
        if folded(each.name) not in known
    )

"""Checks of how charts look: legend, axes, labels, colours."""

from typing import Literal, TypedDict, Unpack

from pptarena.decks import Axis
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checks.arguments import Color
from pptarena.rewards.checks.charts import find_series
from pptarena.rewards.checks.pairs import ShapePair
from pptarena.rewards.checks.registry import shape_check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import COLOR_TOLERANCE, color_matches, wanted_color

_SIDES = {"right": "r", "left": "l", "top": "t", "bottom": "b", "corner": "tr", "none": ""}
_NAMES = {letter: name for name, letter in _SIDES.items()}


class AxisValues(TypedDict, total=False):
    """How an axis should be; what is left out does not matter."""

    title: str | None
    minimum: float | None
    maximum: float | None
    major_unit: float | None
    number_format: str | None
    hidden: bool | None
    gridlines: bool | None
    reversed: bool | None


_VALUES = tuple(AxisValues.__annotations__)


@shape_check("charts", shape="@chart")
def chart_legend_is(
    pair: ShapePair, position: Literal["right", "left", "top", "bottom", "corner", "any", "none"]
) -> CheckResult:
    """Measure whether a chart's legend is where it should be; half for another side."""
    chart = pair.after.chart
    if chart is None:
        return CheckResult(0.0, f"{pair.label} is no chart")
    found = _NAMES.get(chart.legend, chart.legend)
    right = found == position or (position == "any" and found != "none")
    if right:
        return CheckResult(1.0, f"the legend of {pair.label} is {found}")
    half = "none" not in (found, position)
    return CheckResult(0.5 * half, f"the legend of {pair.label} is {found}")


@shape_check("charts", shape="@chart", at_least_one=_VALUES)
def chart_axis_is(
    pair: ShapePair,
    axis: Literal["category", "value", "date", "series"],
    **values: Unpack[AxisValues],
) -> CheckResult:
    """Measure the share of right properties of an axis; a title counts by words in common."""
    axes = pair.after.chart.axes if pair.after.chart is not None else ()
    found = next((each for each in axes if each.kind == axis), None)
    if found is None:
        return CheckResult(0.0, f"{pair.label} has no {axis} axis")
    results = [_axis_result(found, name, wanted) for name, wanted in values.items()]
    return mean_of([each for each in results if each is not None], "properties of the axis")


@shape_check("charts", shape="@chart")
def chart_data_labels(
    pair: ShapePair,
    shown: bool = True,
    series: str | None = None,
    content: Literal["value", "percent", "category", "series"] | None = None,
) -> CheckResult:
    """Measure the share of series that have labels, or have none; half for other contents.

    Args:
        series: Left out: all.
    """
    chart = pair.after.chart
    asked = [
        each
        for each in (chart.series if chart is not None else ())
        if series is None or folded(each.name) == folded(series)
    ]
    if not asked:
        return CheckResult(0.0, f"{pair.label} has no such series")
    results = []
    for each in asked:
        value = float(bool(each.data_labels) == shown)
        if shown and value and content not in (None, *each.data_labels.split()):
            value = 0.5
        shows = each.data_labels or "nothing"
        results.append(CheckResult(value, f"the labels of '{each.name}' show {shows}"))
    return mean_of(results, "series")


@shape_check("charts", is_binary=True, shape="@chart")
def chart_series_color(
    pair: ShapePair,
    series: str,
    color: Color,
    point: int | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a series, or a point of it, has a colour.

    Args:
        point: From 1.
    """
    wanted, found = wanted_color(color, pair.deck), find_series(pair.after.chart, series)
    if found is None:
        return CheckResult(0.0, f"{pair.label} has no series {series!r}")
    now = found.color if point is None else dict(found.point_colors).get(point - 1, found.color)
    no = f"'{found.name}' is {now or 'of the automatic colour'}"
    return verdict(color_matches(now, wanted, color_tolerance), f"'{found.name}' is {color}", no)


@shape_check("charts", shape="@chart")
def chart_trendline(pair: ShapePair, series: str, kind: str = "linear") -> CheckResult:
    """Measure whether a series has a trend line; half for another kind.

    Args:
        kind: Or `none`.
    """
    found = find_series(pair.after.chart, series)
    if found is None:
        return CheckResult(0.0, f"{pair.label} has no series {series!r}")
    lines = found.trendline.split() or ["none"]
    half = 0.5 * (kind != "none" and lines != ["none"])
    value = 1.0 if kind in lines else half
    return CheckResult(value, f"'{found.name}' has the trend line {' '.join(lines)}")


def _axis_result(axis: Axis, name: str, wanted: object) -> CheckResult | None:
    found = getattr(axis, name)
    if isinstance(wanted, bool):
        return CheckResult(float(found == wanted), f"{name} is {found}")
    if isinstance(wanted, float):
        near = found is not None and abs(found - wanted) <= 1e-6 * max(1.0, abs(wanted))
        return CheckResult(float(near), f"its {name.replace('_', ' ')} is {found}")
    if not isinstance(wanted, str):
        return None
    if name == "title":
        return CheckResult(text_share(found, wanted, match_case=False), f"its title is '{found}'")
    right = found.strip() == wanted.strip()
    return CheckResult(float(right), f"its numbers are shown as {found}")

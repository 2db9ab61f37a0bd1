"""Checks of chart formatting: legend, axes, labels and colors."""

from collections.abc import Iterable
from typing import Literal, TypedDict, Unpack

from pptarena.decks import Axis
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import folded, text_share
from pptarena.rewards.checking.arguments import Color
from pptarena.rewards.checking.compare import near, same
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, verdict
from pptarena.rewards.checking.values import COLOR_TOLERANCE, has_color
from pptarena.rewards.checks.charts import all_series_of, chart_of, series_of

_SIDES = {"right": "r", "left": "l", "top": "t", "bottom": "b", "corner": "tr", "none": ""}
_AT_ANOTHER = 0.15
_NAMES = {letter: name for name, letter in _SIDES.items()}


class AxisValues(TypedDict, total=False):
    """The wanted properties of an axis; properties that are left out are not compared."""

    title: str | None
    minimum: float | None
    maximum: float | None
    major_unit: float | None
    number_format: str | None
    hidden: bool | None
    gridlines: bool | None
    reversed: bool | None


@shape_check("charts", shape="@chart")
def chart_legend_is(
    pair: ShapePair, position: Literal["right", "left", "top", "bottom", "corner", "any", "none"]
) -> CheckResult:
    """Measure whether a chart's legend is in the wanted position; another side earns half."""
    legend = chart_of(pair).legend
    found = _NAMES.get(legend, legend)
    right = found == position or (position == "any" and found != "none")
    half = 0.5 * ("none" not in (found, position))
    return CheckResult(1.0 if right else half, f"the legend of {pair.label} is {found}")


@shape_check("charts", shape="@chart", at_least_one=tuple(AxisValues.__annotations__))
def chart_axis_is(
    pair: ShapePair,
    axis: Literal["category", "value", "date", "series"],
    **values: Unpack[AxisValues],
) -> CheckResult:
    """Measure the share of right properties of an axis; a title counts by words in common.

    The right title at another axis earns 0.15.
    """
    axes = chart_of(pair).axes
    of_kind = (each for each in axes if each.kind == axis)
    found = needed(next(of_kind, None), f"{pair.label} has no {axis} axis")
    results = [
        _title_result(found, axes, wanted)
        if name == "title" and isinstance(wanted, str)
        else _axis_result(found, name, wanted)
        for name, wanted in values.items()
    ]
    return mean_of(results, "properties of the axis")


@shape_check("charts", shape="@chart")
def chart_data_labels(
    pair: ShapePair,
    shown: bool = True,
    series: str | None = None,
    content: Literal["value", "percent", "category", "series"] | None = None,
) -> CheckResult:
    """Measure the share of series with labels, or without labels; other contents earn half.

    Args:
        series: By default all series.
    """
    results = []
    for each in all_series_of(pair, series):
        score = float(bool(each.data_labels) == shown)
        if shown and score and content not in (None, *each.data_labels.split()):
            score = 0.5
        shows = each.data_labels or "nothing"
        results.append(CheckResult(score, f"the labels of '{each.name}' show {shows}"))
    return mean_of(results, "series")


@shape_check("charts", is_binary=True, shape="@chart")
def chart_series_color(
    pair: ShapePair,
    series: str,
    color: Color,
    point: int | None = None,
    color_tolerance: float = COLOR_TOLERANCE,
) -> CheckResult:
    """Measure whether a series, or a point of a series, has a color.

    Args:
        point: Its number, from 1.
    """
    found, name = series_of(pair, series), clip(series)
    now = found.color if point is None else dict(found.point_colors).get(point - 1, found.color)
    right = has_color(now, color, pair.deck, color_tolerance)
    return verdict(right, f"{name} is {color}", f"{name} is {now or 'the automatic color'}")


def _title_result(axis: Axis, axes: Iterable[Axis], wanted: str) -> CheckResult:
    others = (each for each in axes if each is not axis)
    same_title = (each for each in others if wanted and folded(each.title) == folded(wanted))
    elsewhere = next(same_title, None)
    share = text_share(axis.title, wanted, match_case=False)
    found = f"the title of the {axis.kind} axis is {clip(axis.title)}"
    if elsewhere and share < _AT_ANOTHER:
        return CheckResult(_AT_ANOTHER, f"{found}; that of the {elsewhere.kind} axis is correct")
    return CheckResult(share, found)


def _axis_result(axis: Axis, name: str, wanted: object) -> CheckResult | None:
    now, what = getattr(axis, name), f"the {name.replace('_', ' ')} of the {axis.kind} axis"
    if isinstance(wanted, float):
        return near(what, now, wanted, 1e-6 * max(1.0, abs(wanted)))
    if isinstance(wanted, str):
        right = now.strip() == wanted.strip()
        return CheckResult(float(right), f"{what} is {now or 'General'}")
    return same(what, now, wanted) if isinstance(wanted, bool) else None

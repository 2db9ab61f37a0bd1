"""Checks of the data and formatting of charts."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypedDict, Unpack

from pptarena.decks import Axis, Chart, Series
from pptarena.decks.diff.text import clip
from pptarena.decks.text_match import normalize_caseless, text_similarity
from pptarena.rewards.checking.arguments import Color
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    pass_or_fail,
    require,
    score_absence,
    score_equal,
    score_near,
    score_sequence,
    score_share,
    with_note,
)
from pptarena.rewards.checking.values import COLOR_TOLERANCE, color_test
from pptarena.rewards.checking.view import ShapePair
from pptarena.rewards.checks.text import score_text

_LEGENDS = {"r": "right", "l": "left", "t": "top", "b": "bottom", "tr": "corner", "": "none"}


@shape_check(shape="@chart", at_least_one=("type", "title", "legend"))
def chart_is(
    pair: ShapePair,
    type: str | None = None,
    grouping: Literal["clustered", "stacked", "percentStacked", "standard"] | None = None,
    title: str | None = None,
    legend: Literal["right", "left", "top", "bottom", "corner", "any", "none"] | None = None,
    match_case: bool = True,
) -> CheckResult:
    """Measure the share of right properties of a chart; a title counts by words in common.

    Another grouping of the series, or another side for the legend, earns half.

    Args:
        type: Such as `bar`, `column`, `line`, `pie`, `area`, `scatter` or `doughnut`.
        grouping: Of the series, with `type` only.
        legend: Its position.
    """
    chart = chart_of(pair)
    results = [score_equal(f"the type of {pair.label}", chart.type, type)]
    if results[0] is not None and results[0].score and grouping not in (None, chart.grouping):
        results = [CheckResult(0.5, f"the series of {pair.label} are {chart.grouping}")]
    if title is not None:
        results.append(score_text(chart.title, title, match_case, f"the title of {pair.label}"))
    if legend is not None:
        legend_now = _LEGENDS.get(chart.legend, chart.legend)
        right = legend_now == legend or (legend == "any" and legend_now != "none")
        half = 0.5 * ("none" not in (legend_now, legend))
        score = 1.0 if right else half
        results.append(CheckResult(score, f"the legend of {pair.label} is {legend_now}"))
    return mean_of(results, "properties of the chart")


@shape_check(shape="@chart")
def chart_value_is(
    pair: ShapePair, series: str, category: str, value: float, tolerance: float = 1e-6
) -> CheckResult:
    """Measure whether a chart shows a number for a series and a category."""
    point = f"{clip(series)}, {clip(category)} of {pair.label}"
    values = [
        now
        for each in all_series_of(pair, series)
        for name, now in zip(each.categories, each.values, strict=False)
        if normalize_caseless(name) == normalize_caseless(category)
    ]
    return score_near(point, require(values, f"{point} is missing")[0], value, tolerance)


def chart_of(pair: ShapePair) -> Chart:
    """Return the chart now.

    Raises:
        NotThereError: If the shape is not a chart.
    """
    return require(pair.after.chart, f"{pair.label} is not a chart")


def series_of(pair: ShapePair, name: str) -> Series:
    """Return the first series with a name; see `all_series_of`."""
    return all_series_of(pair, name)[0]


def all_series_of(pair: ShapePair, name: str | None) -> list[Series]:
    """Return the series with a name, or all series of a chart for None.

    Raises:
        NotThereError: If there are none.
    """
    series = chart_of(pair).series
    matching = [
        each
        for each in series
        if name is None or normalize_caseless(each.name) == normalize_caseless(name)
    ]
    missing = "no data" if name is None else f"no series {clip(name)}"
    return require(matching, f"{pair.label} has {missing}")


@shape_check(shape="@chart")
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
    result = _score_series(pair, series, values, tolerance)
    before = None if pair.before is None else pair.before.chart
    if not beside or before is None:
        return result
    names = {normalize_caseless(each.name) for each in chart_of(pair).series}
    missing = [each.name for each in before.series if normalize_caseless(each.name) not in names]
    note = f"{clip(missing[0])} is gone" if missing else ""
    return with_note(CheckResult(result.score / (2 if missing else 1), result.reason), note)


def _score_series(
    pair: ShapePair, series: str, values: tuple[float | None, ...], tolerance: float
) -> CheckResult:
    name = clip(series)
    if values and _has_unnamed_series(pair, series, values, tolerance):
        reason = f"{pair.label} has the values of {name}, but no series of that name"
        return CheckResult(len(values) / (1 + len(values)), reason)
    now = series_of(pair, series).values
    results = [
        score_near(
            f"value {at + 1} of {name}", now[at] if at < len(now) else None, expected, tolerance
        )
        for at, expected in enumerate(values)
    ]
    exists = CheckResult(1.0, f"{pair.label} has the series {name}")
    return mean_of([exists, *results], "conditions")


@shape_check(shape="@chart")
def chart_lacks_series(pair: ShapePair, series: str) -> CheckResult:
    """Measure whether a chart has no series with a name, but still has other series."""
    present = require(chart_of(pair).series, f"{pair.label} has no data")
    return score_absence(pair.label, "series", series, [each.name for each in present])


@shape_check(shape="@chart")
def chart_names_are(
    pair: ShapePair,
    of: Literal["series", "categories"],
    names: tuple[str, ...],
    any_order: bool = False,
) -> CheckResult:
    """Measure the share of series, or of categories, in the right order.

    The order of the series is that of the legend.

    Args:
        names: All names, in order.
        any_order: Whether any order is right.
    """
    series, subject = chart_of(pair).series, f"{of} of {pair.label}"
    names_now = (
        [s.name for s in series]
        if of == "series"
        else [n for s in series[:1] for n in s.categories]
    )
    now, expected = ([normalize_caseless(each) for each in side] for side in (names_now, names))
    if any_order:
        right = (Counter(now) & Counter(expected)).total()
        return score_share(right, max(len(now), len(expected), 1), f"{subject} are the right ones")
    return score_sequence(now, expected, subject)


def _has_unnamed_series(
    pair: ShapePair, series: str, values: tuple[float | None, ...], tolerance: float
) -> bool:
    """Return whether no series has the name, and a new one has all the values."""
    known_names = {normalize_caseless(series)}
    if pair.before is not None and pair.before.chart is not None:
        known_names |= {normalize_caseless(each.name) for each in pair.before.chart.series}
    present = chart_of(pair).series
    if any(normalize_caseless(each.name) == normalize_caseless(series) for each in present):
        return False
    return any(
        len(each.values) == len(values)
        and all(
            now is expected is None
            or (now is not None and expected is not None and abs(now - expected) <= tolerance)
            for now, expected in zip(each.values, values, strict=True)
        )
        for each in present
        if normalize_caseless(each.name) not in known_names
    )


_OTHER_AXIS_CREDIT = 0.15


class AxisValues(TypedDict, total=False):
    """Target properties of an axis; omitted properties are not compared."""

    title: str | None
    minimum: float | None
    maximum: float | None
    major_unit: float | None
    number_format: str | None
    hidden: bool | None
    gridlines: bool | None
    reversed: bool | None


@shape_check(shape="@chart", at_least_one=tuple(AxisValues.__annotations__))
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
    matching_axis = require(next(of_kind, None), f"{pair.label} has no {axis} axis")
    results = [
        _title_result(matching_axis, axes, expected)
        if name == "title" and isinstance(expected, str)
        else _axis_result(matching_axis, name, expected)
        for name, expected in values.items()
    ]
    return mean_of(results, "properties of the axis")


@shape_check(shape="@chart")
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
        content_now = each.data_labels or "nothing"
        results.append(CheckResult(score, f"the labels of '{each.name}' show {content_now}"))
    return mean_of(results, "series")


@shape_check(shape="@chart")
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
    matching_series, name = series_of(pair, series), clip(series)
    now = (
        matching_series.color
        if point is None
        else dict(matching_series.point_colors).get(point - 1, matching_series.color)
    )
    right = color_test(color, pair.deck, color_tolerance)(now)
    return pass_or_fail(right, f"{name} is {color}", f"{name} is {now or 'the automatic color'}")


def _title_result(axis: Axis, axes: Iterable[Axis], expected: str) -> CheckResult:
    others = (each for each in axes if each is not axis)
    same_title = (
        each
        for each in others
        if expected and normalize_caseless(each.title) == normalize_caseless(expected)
    )
    elsewhere = next(same_title, None)
    share = text_similarity(axis.title, expected, match_case=False)
    description = f"the title of the {axis.kind} axis is {clip(axis.title)}"
    if elsewhere and share < _OTHER_AXIS_CREDIT:
        return CheckResult(
            _OTHER_AXIS_CREDIT, f"{description}; that of the {elsewhere.kind} axis is correct"
        )
    return CheckResult(share, description)


def _axis_result(axis: Axis, name: str, expected: object) -> CheckResult | None:
    now, subject = getattr(axis, name), f"the {name.replace('_', ' ')} of the {axis.kind} axis"
    if isinstance(expected, float):
        return score_near(subject, now, expected, 1e-6 * max(1.0, abs(expected)))
    if isinstance(expected, str):
        right = now.strip() == expected.strip()
        return CheckResult(float(right), f"{subject} is {now or 'General'}")
    return score_equal(subject, now, expected) if isinstance(expected, bool) else None

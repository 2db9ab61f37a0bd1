"""Operators for charts."""

from collections.abc import Callable, Iterator
from random import Random

from pptarena.decks import Chart
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    hex_color,
    make_edit,
    param,
    sample_from,
    shape_targets,
    single_edit,
)
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import COLOR, COLORS, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_TITLES = (
    "Growth by quarter",
    "Cost per head",
    "Members since the start",
    "Share of the market",
    "Hours by team",
    "Visits a month",
)
_SIDES = ("right", "left", "top", "bottom")
_DIRECTIONS = {"column": "vertical", "bar": "horizontal"}
_TABULAR = ("column", "bar", "line", "area", "pie", "doughnut", "radar")
"""Types whose data table has one column per series."""
_FILLED = ("column", "bar", "area")
_MULTICOLORED = ("pie", "doughnut", "surface", "stock")


def _chart_targets(fits: Callable[[Chart], bool]) -> Callable[[DeckContext], Iterator[Target]]:
    return shape_targets(lambda shape: shape.chart is not None and fits(shape.chart))


def _chart(target: Target) -> Chart:
    assert target.shape.chart is not None
    return target.shape.chart


def _named_series(chart: Chart) -> list[int]:
    """Return the series with unique names that can be quoted."""
    names = [series.name for series in chart.series]
    return [i for i, name in enumerate(names) if quotable(name) and names.count(name) == 1]


def _series_targets(context: DeckContext) -> Iterator[Target]:
    for target in _chart_targets(lambda chart: bool(_named_series(chart)))(context):
        for index in _named_series(_chart(target)):
            detail = {"series": _chart(target).series[index].name}
            yield Target(context, target.slide_index, target.shape_index, detail)


def _point_targets(context: DeckContext) -> Iterator[Target]:
    for target in _series_targets(context):
        series = next(s for s in _chart(target).series if s.name == target.detail["series"])
        for category, value in zip(series.categories, series.values, strict=False):
            is_named = quotable(category) and series.categories.count(category) == 1
            if is_named and value is not None and not series.sizes:
                detail = {**target.detail, "category": category}
                yield Target(context, target.slide_index, target.shape_index, detail)


def _point_number(target: Target) -> int:
    """Return the number of the point."""
    series = next(s for s in _chart(target).series if s.name == target.detail["series"])
    return series.categories.index(target.detail["category"]) + 1


def _sample_side(target: Target, rng: Random) -> Params:
    current = _chart(target).legend[:1]
    return {"side": rng.choice([side for side in _SIDES if side[0] != current])}


def _sample_value(target: Target, rng: Random) -> Params:
    series = next(s for s in _chart(target).series if s.name == target.detail["series"])
    values = [value for value in series.values if value is not None]
    largest = max(map(abs, values)) or 10
    return {"value": round(largest * rng.choice((0.35, 0.55, 0.65, 0.85, 0.95)), 1)}


def _has_single_type(chart: Chart) -> bool:
    return {series.type for series in chart.series} <= {"column"} or {
        series.type for series in chart.series
    } <= {"bar"}


def _is_tabular(target: Target) -> bool:
    """Return whether the data table has one column of categories and one per series."""
    chart = _chart(target)
    return chart.type in _TABULAR and not any(each.outer_categories for each in chart.series)


def _is_in_table(target: Target, params: Params) -> bool:
    return _is_tabular(target)


def _is_filled(target: Target, params: Params) -> bool:
    return _chart(target).type in _FILLED


OPERATORS = (
    Operator(
        "chart-title",
        "charts",
        "shape",
        _chart_targets(lambda chart: bool(chart.series)),
        single_edit("set_chart_title", text=param("text")),
        lambda target, params: [leaf("chart_title_is", **target.args, text=params["text"])],
        ("charts",),
        (
            "give {it} the title {text}",
            "title {it} {text}",
            "set the heading of {it} to {text}",
            "write {text} at the top of {it} as its title",
            "make {text} the title of {it}",
        ),
        ("the title of {it} should be {text}", "{it} should have the title {text}"),
        params=sample_from("text", *_TITLES),
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "chart-no-title",
        "charts",
        "shape",
        _chart_targets(lambda chart: bool(chart.title)),
        single_edit("set_chart_title", text=""),
        lambda target, params: [leaf("chart_title_is", **target.args, text="")],
        ("charts",),
        (
            "remove the title of {it}",
            "take the heading out of {it}",
            "delete the title inside {it}",
            "drop the heading of {it}",
            "turn off the title of {it}",
        ),
        ("{it} should have no title of its own", "the heading of {it} should be removed"),
        playable=always,
    ),
    Operator(
        "chart-legend",
        "charts",
        "shape",
        _chart_targets(lambda chart: bool(chart.series)),
        single_edit("set_chart_legend", side=param("side")),
        lambda target, params: [leaf("chart_legend_is", **target.args, position=params["side"])],
        ("charts",),
        (
            "put the legend of {it} at the {side}",
            "show the legend of {it} on its {side} side",
            "place the key of {it} at the {side}",
            "set the legend position of {it} to {side}",
            "move the legend of {it} to the {side}",
        ),
        ("the legend of {it} should be at the {side}", "{it} should have its legend at the {side}"),
        params=_sample_side,
        slots={"side": choice({side: side for side in _SIDES})},
        playable=always,
    ),
    Operator(
        "chart-no-legend",
        "charts",
        "shape",
        _chart_targets(lambda chart: bool(chart.legend)),
        single_edit("set_chart_legend", side="none"),
        lambda target, params: [leaf("chart_legend_is", **target.args, position="none")],
        ("charts",),
        (
            "remove the legend of {it}",
            "take the legend out of {it}",
            "turn off the legend of {it}",
            "delete the key of {it}",
            "hide the legend of {it}",
        ),
        ("{it} should have no legend", "the legend of {it} should be removed"),
        playable=always,
    ),
    Operator(
        "chart-value",
        "charts",
        "shape",
        _point_targets,
        lambda target, params: [
            make_edit(
                target,
                "set_chart_value",
                series=target.detail["series"],
                point=_point_number(target),
                value=params["value"],
            )
        ],
        lambda target, params: [
            leaf("chart_value_is", **target.args, **target.detail, value=params["value"])
        ],
        ("charts",),
        (
            "set {category} of the series {series} in {it} to {value}",
            "change the value for {category} in the series {series} of {it} to {value}",
            "correct {category} in {series} of {it} to {value}",
            "make {it} show {value} for {category} in the series {series}",
            "enter {value} for {category} of {series} in the data of {it}",
        ),
        (
            "{category} of {series} in {it} should be {value}",
            "the series {series} of {it} should have the value {value} for {category}",
        ),
        params=_sample_value,
        slots={"series": TEXT, "category": TEXT, "value": NUMBER},
        level=2,
        playable=_is_in_table,
    ),
    Operator(
        "chart-type",
        "charts",
        "shape",
        _chart_targets(lambda chart: chart.type in _DIRECTIONS and _has_single_type(chart)),
        single_edit("set_bar_direction", direction=lambda params: _DIRECTIONS[params["type"]]),
        lambda target, params: [leaf("chart_type_is", **target.args, type=params["type"])],
        ("charts",),
        (
            "turn {it} into a {type} chart",
            "change the type of {it} to {type}",
            "draw {it} as a {type} chart",
            "make {it} a {type} chart",
            "convert {it} to the chart type {type}",
        ),
        ("{it} should be a {type} chart", "{it} should be drawn as a {type} chart"),
        params=lambda target, rng: {"type": "bar" if _chart(target).type == "column" else "column"},
        slots={"type": choice({"bar": "bar", "column": "column"})},
        level=2,
        playable=always,
    ),
    Operator(
        "series-color",
        "charts",
        "shape",
        lambda context: (
            s for s in _series_targets(context) if _chart(s).type not in _MULTICOLORED
        ),
        lambda target, params: [
            make_edit(
                target, "set_chart_color", series=target.detail["series"], color=hex_color(params)
            )
        ],
        lambda target, params: [
            leaf("chart_series_color", **target.args, **target.detail, color=params["color"])
        ],
        ("charts",),
        (
            "color the series {series} of {it} {color}",
            "draw the series {series} in {it} in {color}",
            "make {series} in {it} {color}",
            "change the color of the series {series} in {it} to {color}",
            "use {color} for {series} in {it}",
        ),
        (
            "the series {series} of {it} should be {color}",
            "in {it}, {series} should be drawn in {color}",
        ),
        params=sample_from("color", *COLORS),
        slots={"series": TEXT, "color": COLOR},
        playable=_is_filled,
    ),
    Operator(
        "data-labels",
        "charts",
        "shape",
        _chart_targets(lambda chart: bool(chart.series) and not chart.data_labels),
        single_edit("set_chart_labels"),
        lambda target, params: [leaf("chart_data_labels", **target.args, content="value")],
        ("charts",),
        (
            "show the values in {it} as labels",
            "show the numbers next to the data points of {it}",
            "turn on data labels with values for {it}",
            "label all series of {it} with their values",
            "add value labels to {it}",
        ),
        ("{it} should show its values as labels", "all series of {it} should have value labels"),
        playable=always,
    ),
    Operator(
        "delete-series",
        "charts",
        "shape",
        lambda context: (s for s in _series_targets(context) if len(_chart(s).series) > 1),
        lambda target, params: [make_edit(target, "delete_series", series=target.detail["series"])],
        lambda target, params: [leaf("chart_lacks_series", **target.args, **target.detail)],
        ("charts",),
        (
            "delete the series {series} from {it}",
            "take {series} out of {it}",
            "remove the data of {series} from {it}",
            "drop the series {series} from {it}",
            "leave {series} out of {it} altogether",
        ),
        (
            "the series {series} should be removed from {it}",
            "{it} should no longer have the series {series}",
        ),
        slots={"series": TEXT},
        level=2,
        playable=_is_in_table,
    ),
    Operator(
        "axis-title",
        "charts",
        "shape",
        _chart_targets(lambda chart: any(axis.kind == "value" for axis in chart.axes)),
        single_edit("set_chart_axis", title=param("text")),
        lambda target, params: [
            leaf("chart_axis_is", **target.args, axis="value", title=params["text"])
        ],
        ("charts",),
        (
            "title the value axis of {it} {text}",
            "give the value axis of {it} the title {text}",
            "write {text} next to the value axis of {it}",
            "name the value axis of {it} {text}",
            "label the value axis of {it} {text}",
        ),
        (
            "the value axis of {it} should be titled {text}",
            "the title of the value axis of {it} should be {text}",
        ),
        params=sample_from("text", "Hours", "Millions", "Members", "Percent", "Tonnes", "Visits"),
        slots={"text": TEXT},
        playable=always,
    ),
)
"""The operators of this module."""

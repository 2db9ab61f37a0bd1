"""Operators for charts."""

from collections.abc import Callable, Iterator
from random import Random

from pptarena.decks import Chart
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    as_edit,
    chosen,
    of_shapes,
    paint,
    param,
    sets,
)
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import COLOR, COLORS, NUMBER, TEXT, choice

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
_MANY_COLORED = ("pie", "doughnut", "surface", "stock")


def _charts(fits: Callable[[Chart], bool]) -> Callable[[Ground], Iterator[Site]]:
    return of_shapes(lambda shape: shape.chart is not None and fits(shape.chart))


def _facts(site: Site) -> Chart:
    assert site.shape.chart is not None
    return site.shape.chart


def _named(chart: Chart) -> list[int]:
    """Return the series with unique names that can be quoted."""
    names = [series.name for series in chart.series]
    return [i for i, name in enumerate(names) if quotable(name) and names.count(name) == 1]


def _series(ground: Ground) -> Iterator[Site]:
    for site in _charts(lambda chart: bool(_named(chart)))(ground):
        for index in _named(_facts(site)):
            where = {"series": _facts(site).series[index].name}
            yield Site(ground, site.slide_index, site.shape_index, where)


def _points(ground: Ground) -> Iterator[Site]:
    for site in _series(ground):
        series = next(s for s in _facts(site).series if s.name == site.detail["series"])
        for category, value in zip(series.categories, series.values, strict=False):
            known = quotable(category) and series.categories.count(category) == 1
            if known and value is not None and not series.sizes:
                where = {**site.detail, "category": category}
                yield Site(ground, site.slide_index, site.shape_index, where)


def _point(site: Site) -> int:
    """Return the number of the site's point."""
    series = next(s for s in _facts(site).series if s.name == site.detail["series"])
    return series.categories.index(site.detail["category"]) + 1


def _draw_side(site: Site, rng: Random) -> Params:
    now = _facts(site).legend[:1]
    return {"side": rng.choice([side for side in _SIDES if side[0] != now])}


def _draw_value(site: Site, rng: Random) -> Params:
    series = next(s for s in _facts(site).series if s.name == site.detail["series"])
    known = [value for value in series.values if value is not None]
    top = max(map(abs, known)) or 10
    return {"value": round(top * rng.choice((0.35, 0.55, 0.65, 0.85, 0.95)), 1)}


def _single(chart: Chart) -> bool:
    return {series.type for series in chart.series} <= {"column"} or {
        series.type for series in chart.series
    } <= {"bar"}


def _is_tabular(site: Site) -> bool:
    """Return whether the data table has one column of categories and one per series."""
    chart = _facts(site)
    return chart.type in _TABULAR and not any(each.outer_categories for each in chart.series)


def _is_in_table(site: Site, params: Params) -> bool:
    return _is_tabular(site)


def _is_filled(site: Site, params: Params) -> bool:
    return _facts(site).type in _FILLED


OPERATORS = (
    Operator(
        "chart-title",
        "charts",
        "shape",
        _charts(lambda chart: bool(chart.series)),
        sets("set_chart_title", text=param("text")),
        lambda site, params: [leaf("chart_title_is", **site.args, text=params["text"])],
        ("charts",),
        (
            "give {it} the title {text}",
            "title {it} {text}",
            "set the heading of {it} to {text}",
            "write {text} at the top of {it} as its title",
            "make {text} the title of {it}",
        ),
        ("the title of {it} should be {text}", "{it} should have the title {text}"),
        params=chosen("text", *_TITLES),
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "chart-no-title",
        "charts",
        "shape",
        _charts(lambda chart: bool(chart.title)),
        sets("set_chart_title", text=""),
        lambda site, params: [leaf("chart_title_is", **site.args, text="")],
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
        _charts(lambda chart: bool(chart.series)),
        sets("set_chart_legend", side=param("side")),
        lambda site, params: [leaf("chart_legend_is", **site.args, position=params["side"])],
        ("charts",),
        (
            "put the legend of {it} at the {side}",
            "show the legend of {it} on its {side} side",
            "place the key of {it} at the {side}",
            "set the legend position of {it} to {side}",
            "move the legend of {it} to the {side}",
        ),
        ("the legend of {it} should be at the {side}", "{it} should have its legend at the {side}"),
        params=_draw_side,
        slots={"side": choice({side: side for side in _SIDES})},
        playable=always,
    ),
    Operator(
        "chart-no-legend",
        "charts",
        "shape",
        _charts(lambda chart: bool(chart.legend)),
        sets("set_chart_legend", side="none"),
        lambda site, params: [leaf("chart_legend_is", **site.args, position="none")],
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
        _points,
        lambda site, params: [
            as_edit(
                site,
                "set_chart_value",
                series=site.detail["series"],
                point=_point(site),
                value=params["value"],
            )
        ],
        lambda site, params: [
            leaf("chart_value_is", **site.args, **site.detail, value=params["value"])
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
        params=_draw_value,
        slots={"series": TEXT, "category": TEXT, "value": NUMBER},
        level=2,
        playable=_is_in_table,
    ),
    Operator(
        "chart-type",
        "charts",
        "shape",
        _charts(lambda chart: chart.type in _DIRECTIONS and _single(chart)),
        sets("set_bar_direction", direction=lambda params: _DIRECTIONS[params["type"]]),
        lambda site, params: [leaf("chart_type_is", **site.args, type=params["type"])],
        ("charts",),
        (
            "turn {it} into a {type} chart",
            "change the type of {it} to {type}",
            "draw {it} as a {type} chart",
            "make {it} a {type} chart",
            "convert {it} to the chart type {type}",
        ),
        ("{it} should be a {type} chart", "{it} should be drawn as a {type} chart"),
        params=lambda site, rng: {"type": "bar" if _facts(site).type == "column" else "column"},
        slots={"type": choice({"bar": "bar", "column": "column"})},
        level=2,
        playable=always,
    ),
    Operator(
        "series-color",
        "charts",
        "shape",
        lambda ground: (s for s in _series(ground) if _facts(s).type not in _MANY_COLORED),
        lambda site, params: [
            as_edit(site, "set_chart_color", series=site.detail["series"], color=paint(params))
        ],
        lambda site, params: [
            leaf("chart_series_color", **site.args, **site.detail, color=params["color"])
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
        params=chosen("color", *COLORS),
        slots={"series": TEXT, "color": COLOR},
        playable=_is_filled,
    ),
    Operator(
        "data-labels",
        "charts",
        "shape",
        _charts(lambda chart: bool(chart.series) and not chart.data_labels),
        sets("set_chart_labels"),
        lambda site, params: [leaf("chart_data_labels", **site.args, content="value")],
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
        lambda ground: (s for s in _series(ground) if len(_facts(s).series) > 1),
        lambda site, params: [as_edit(site, "delete_series", series=site.detail["series"])],
        lambda site, params: [leaf("chart_lacks_series", **site.args, **site.detail)],
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
        _charts(lambda chart: any(axis.kind == "value" for axis in chart.axes)),
        sets("set_chart_axis", title=param("text")),
        lambda site, params: [
            leaf("chart_axis_is", **site.args, axis="value", title=params["text"])
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
        params=chosen("text", "Hours", "Millions", "Members", "Percent", "Tonnes", "Visits"),
        slots={"text": TEXT},
        playable=always,
    ),
)
"""The operators of this module."""

from typing import Any

import pytest
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION

_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def _chart(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 3, "Sales").chart


def _legend(side: Any) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        chart = _chart(lab, deck)
        chart.has_legend = side is not None
        if side is not None:
            chart.legend.position = side

    return edit


def _axis(title: str, maximum: float | None = None) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        axis = _chart(lab, deck).value_axis
        axis.axis_title.text_frame.text = title
        if maximum is not None:
            axis.maximum_scale = maximum

    return edit


def _category_axis(title: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        _chart(lab, deck).category_axis.axis_title.text_frame.text = title

    return edit


def _labels(*series: int, percent: bool = False) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in series:
            labels = _chart(lab, deck).plots[0].series[number].data_labels
            labels.show_value, labels.show_percentage = not percent, percent

    return edit


def _color(number: int, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        fill = _chart(lab, deck).plots[0].series[number].format.fill
        fill.solid()
        fill.fore_color.rgb = lab.rgb(color)

    return edit


def _point(number: int, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        fill = _chart(lab, deck).plots[0].series[0].points[number].format.fill
        fill.solid()
        fill.fore_color.rgb = lab.rgb(color)

    return edit


def _stack(lab: Any, deck: Any) -> None:
    plot = _chart(lab, deck).plots[0]._element
    plot.find(f"{{{_C}}}grouping").set("val", "stacked")


BOTTOM = {"slide": 3, "position": "bottom"}
AXIS = {"slide": 3, "axis": "value", "title": "Million euros", "maximum": 10}
LABELS = {"slide": 3, "content": "value"}
RED = {"slide": 3, "series": "plan", "color": "#FF0000"}
STACKED = {"slide": 3, "type": "column", "grouping": "stacked"}

CASES = [
    ("chart_legend_is", BOTTOM, _legend(XL_LEGEND_POSITION.BOTTOM), 1, 1),
    ("chart_legend_is", BOTTOM, _legend(None), 0, 0),
    ("chart_legend_is", {"slide": 3, "position": "none"}, _legend(None), 1, 1),
    ("chart_axis_is", AXIS, _axis("Million euros", 10), 1, 1),
    ("chart_axis_is", AXIS, _axis("Million euros"), 0.5, 0.5),
    ("chart_axis_is", AXIS, _axis("Years"), 0, 0),
    ("chart_axis_is", AXIS, _category_axis("Million euros"), 0.07, 0.08),
    ("chart_data_labels", LABELS, _labels(0, 1), 1, 1),
    ("chart_data_labels", LABELS, _labels(0), 0.5, 0.5),
    ("chart_data_labels", LABELS, _labels(0, 1, percent=True), 0.5, 0.5),
    ("chart_data_labels", LABELS | {"series": "Plan"}, _labels(1), 0, 0),
    ("chart_series_color", RED, _color(0, "F80505"), 1, 1),
    ("chart_series_color", RED, _color(1, "FF0000"), 0, 0),
    ("chart_series_color", RED | {"point": 2}, _point(1, "FF0000"), 1, 1),
]


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


PARTIAL = [
    # The original chart is a column chart with a legend on the right, which is half of the goal.
    ("chart_legend_is", BOTTOM, _legend(XL_LEGEND_POSITION.TOP), 0, 0.5),
    ("chart_type_is", STACKED, _stack, 1, 1),
    ("chart_type_is", STACKED | {"type": "line"}, _stack, 0, 0),
]


def test_properties_of_the_original_earn_nothing(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(PARTIAL)


def _revenue_legend(lab: Any, deck: Any) -> None:
    chart = lab.shape_named(deck, 4, "Revenue chart").chart
    chart.has_legend = True
    chart.legend.position = XL_LEGEND_POSITION.TOP


def _stacked_lines(lab: Any, deck: Any) -> None:
    frame = lab.shape_named(deck, 4, "Revenue chart")
    data = lab.chart_data(North=(1.0, 2.0), South=(1.0, 2.0))
    box = (frame.left, frame.top, frame.width, frame.height)
    new = deck.slides[3].shapes.add_chart(XL_CHART_TYPE.LINE_STACKED, *box, data)
    new.name = frame.name
    frame._element.getparent().remove(frame._element)


LINES = {"slide": 4, "type": "line"}

# The chart of the base deck is a column chart without a legend.
HALVES = [
    ("chart_legend_is", {"slide": 4, "position": "bottom"}, _revenue_legend, 0.5, 0.5),
    ("chart_legend_is", {"slide": 4, "position": "any"}, _revenue_legend, 1, 1),
    ("chart_type_is", LINES | {"grouping": "stacked"}, _stacked_lines, 1, 1),
    ("chart_type_is", LINES | {"grouping": "standard"}, _stacked_lines, 0.5, 0.5),
    ("chart_type_is", {"slide": 4, "type": "pie"}, _stacked_lines, 0, 0),
]


@pytest.mark.slow
def test_one_of_two_properties_earns_half(scorer: Any) -> None:
    scorer.assert_scores(HALVES)

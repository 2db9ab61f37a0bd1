from typing import Any

import pytest
from pptx.enum.chart import XL_CHART_TYPE

pytestmark = pytest.mark.slow


def _title(text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        chart = lab.shape_named(deck, 4, "Revenue chart").chart
        chart.chart_title.text_frame.text = text

    return edit


def _values(*south: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        data = lab.chart_data(North=(1.0, 2.0), South=south)
        lab.shape_named(deck, 4, "Revenue chart").chart.replace_data(data)

    return edit


def _as_line(lab: Any, deck: Any) -> None:
    frame = lab.shape_named(deck, 4, "Revenue chart")
    data = lab.chart_data(North=(1.0, 2.0), South=(1.0, 2.0))
    new = deck.slides[3].shapes.add_chart(
        XL_CHART_TYPE.LINE, frame.left, frame.top, frame.width, frame.height, data
    )
    new.name = frame.name
    new.chart.has_title = True
    new.chart.chart_title.text_frame.text = "Revenue"
    frame._element.getparent().remove(frame._element)


VALUE = {"slide": 4, "series": "south", "category": "Q2", "value": 4.5}

CASES = [
    ("chart_title_is", {"slide": 4, "text": "Revenue in 2026"}, _title("Revenue in 2026"), 1, 1),
    ("chart_title_is", {"slide": 4, "text": "Sales by quarter"}, _title("Sales by month"),
     0.3, 0.9),
    ("chart_title_is", {"slide": 4, "text": "Sales by quarter"}, _title("Costs"), 0, 0),
    ("chart_type_is", {"slide": 4, "type": "line"}, _as_line, 1, 1),
    ("chart_type_is", {"slide": 4, "type": "pie"}, _as_line, 0, 0),
    ("chart_value_is", VALUE, _values(3.0, 4.5), 1, 1),
    ("chart_value_is", VALUE, _values(3.0, 4.6), 0, 0),
    ("chart_value_is", VALUE | {"tolerance": 0.2}, _values(3.0, 4.6), 1, 1),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)

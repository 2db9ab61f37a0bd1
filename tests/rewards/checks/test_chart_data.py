from typing import Any

import pytest
from pptx.chart.data import CategoryChartData

pytestmark = pytest.mark.slow

SEASONS = ("Spring", "Summer", "Autumn")


def _data(*categories: str, **series: tuple[float, ...]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        kind: Any = CategoryChartData
        data = kind()
        data.categories = categories or SEASONS
        for name, values in series.items():
            data.add_series(name, values)
        lab.shape_named(deck, 3, "Sales").chart.replace_data(data)

    return edit


PLAN, ACTUAL = (1, 2, 3), (2, 2, 4)
NEW = {"slide": 3, "series": "Forecast", "values": [5, None, 7]}
NAMELESS = {"slide": 3, "series": "Forecast", "values": [5, 6, 7]}
WITHOUT_PLAN = {"slide": 3, "series": "plan"}
YEAR = {"slide": 3, "categories": ["Winter", "Summer", "Spring"]}
ORDER = {"slide": 3, "series": ["Actual", "Plan"]}
ANY_ORDER = {"slide": 3, "series": ["Plan", "Forecast"], "any_order": True}

CASES = [
    ("chart_has_series", NEW, _data(Plan=PLAN, Forecast=(5, 6, 7)), 1, 1),
    ("chart_has_series", NEW, _data(Plan=PLAN, Forecast=(5, 6, 8)), 0.6, 0.7),
    ("chart_has_series", NEW, _data(Plan=PLAN, Actual=(5, 6, 7)), 0, 0),
    ("chart_has_series", NAMELESS, _data(Plan=PLAN, Other=(5, 6, 7)), 0.75, 0.75),
    ("chart_has_series", NAMELESS, _data(Plan=PLAN, Other=(5, 6, 8)), 0, 0),
    ("chart_has_series", NEW | {"beside": True}, _data(Plan=PLAN, Forecast=(5, 6, 7)), 0.5, 0.5),
    ("chart_lacks_series", WITHOUT_PLAN, _data(Actual=ACTUAL), 1, 1),
    ("chart_lacks_series", WITHOUT_PLAN, _data(Plan=PLAN), 0, 0),
    ("chart_categories_are", YEAR, _data("Winter", "Summer", "Spring", Plan=PLAN), 1, 1),
    ("chart_categories_are", YEAR, _data("Winter", "Summer", "Autumn", Plan=PLAN), 0.2, 0.9),
    ("chart_categories_are", YEAR, _data("A", "B", "C", Plan=PLAN), 0, 0),
    ("chart_series_are", ORDER, _data(Actual=ACTUAL, Plan=PLAN), 1, 1),
    ("chart_series_are", ORDER | {"series": ["X", "Plan", "Y"]}, _data(X=PLAN, Plan=PLAN),
     0.3, 0.9),
    ("chart_series_are", ORDER, _data(Other=ACTUAL), 0, 0),
    ("chart_series_are", ANY_ORDER, _data(Forecast=PLAN, Plan=PLAN), 1, 1),
    ("chart_series_are", ANY_ORDER, _data(Plan=PLAN, Forecast=PLAN), 1, 1),
    ("chart_series_are", ANY_ORDER, _data(Plan=PLAN, Forecast=PLAN, X=PLAN), 0.3, 0.7),
    ("chart_series_are", ANY_ORDER, _data(X=PLAN, Y=PLAN), 0, 0),
]  # fmt: skip


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)

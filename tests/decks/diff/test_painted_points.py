"""Whether points of a chart differ in colour counts only where no fill of theirs says so."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks


def made(vary: bool, painted: int) -> Deck:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ("A", "B", "C")
    data.add_series("Sales", (1, 2, 3))  # type: ignore[no-untyped-call]
    place = (Inches(1), Inches(1), Inches(6), Inches(4))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data).chart
    plot = chart.plots[0]
    plot.vary_by_categories = vary
    for at in range(painted):
        fill = plot.series[0].points[at].format.fill
        fill.solid()
        fill.fore_color.rgb = RGBColor.from_string("1F77B4")  # type: ignore[no-untyped-call]
    stream = io.BytesIO()
    deck.save(stream)
    return read_deck(stream.getvalue())


@pytest.mark.parametrize(("painted", "count"), [(0, 1), (2, 1), (3, 0)])
def test_colours_by_point(painted: int, count: int) -> None:
    assert len(diff_decks(made(True, painted), made(False, painted))) == count

"""Edits of charts."""

from typing import Annotated, Any

from pptx.chart.data import CategoryChartData
from pydantic import Field

from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Name, Series, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = ["set_chart_data", "set_chart_title"]


def set_chart_data(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    categories: Annotated[list[Name], Field(min_length=1, max_length=200)],
    series: Annotated[list[Series], Field(min_length=1, max_length=50)],
) -> None:
    """Replace the data of a chart with categories; its series keep their format.

    Args:
        slide: The slide.
        shape: The chart.
        categories: Names along the axis.
        series: The series, each with one number a category, null for none.
    """
    if any(len(each.values) != len(categories) for each in series):
        raise EditError(f"expected {len(categories)} values in each series, one a category")
    chart = deck.chart(slide, shape)
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = categories
    for each in series:
        data.add_series(each.name, each.values)
    chart.replace_data(data)
    deck.slide(slide)  # the workbook may be new


def set_chart_title(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, text: Text) -> None:
    """Set the title of a chart.

    Args:
        slide: The slide.
        shape: The chart.
        text: The title; empty for none.
    """
    chart = deck.chart(slide, shape)
    if text:
        chart.chart_title.text_frame.text = text
    else:
        chart.has_title = False

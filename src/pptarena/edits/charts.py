"""Edits of charts."""

import io
import re
import zipfile
from typing import Annotated, Any, Literal

from pptx.chart.data import CategoryChartData
from pptx.oxml.ns import qn
from pydantic import Field

from pptarena.edits.addresses import shown
from pptarena.edits.markup import paint_color
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Name, Number, Paint, Position, Series, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "set_bar_direction",
    "set_chart_axis",
    "set_chart_color",
    "set_chart_data",
    "set_chart_title",
]

_TIME = re.compile(rb">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<")


def set_chart_data(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    categories: Annotated[list[Name], Field(min_length=1, max_length=200)],
    series: Annotated[list[Series], Field(min_length=1, max_length=50)],
    number_format: Name = "General",
) -> None:
    """Replace the data of a chart with categories; its series keep their format.

    Args:
        slide: The slide.
        shape: The chart.
        categories: Names along the axis.
        series: The series, each with one number a category, null for none.
        number_format: Format of the numbers, such as 0.0.
    """
    if any(len(each.values) != len(categories) for each in series):
        raise EditError(f"expected {len(categories)} values in each series, one a category")
    chart = deck.chart(slide, shape)
    data: Any = CategoryChartData(number_format)  # type: ignore[no-untyped-call]
    data.categories = categories
    for each in series:
        data.add_series(each.name, each.values)
    chart.replace_data(data)
    workbook = chart.part.chart_workbook.xlsx_part
    workbook._blob = _without_dates(workbook.blob)
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


def set_chart_color(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    series: Position,
    color: Paint,
    point: Position | None = None,
) -> None:
    """Fill a series of a chart, or one of its points, with a color.

    Args:
        slide: The slide.
        shape: The chart.
        series: Number of the series, from 1.
        color: As #RRGGBB or a color of the theme such as accent2.
        point: Number of the point, from 1; the entire series by default.
    """
    found = [each for plot in deck.chart(slide, shape).plots for each in plot.series]
    if series > len(found):
        raise EditError(f"expected a series from 1 to {len(found)}, got {series}")
    one = found[series - 1]
    count = len(list(one.values))
    if point is not None and point > count:
        raise EditError(f"expected a point from 1 to {count}, got {point}")
    fill = (one if point is None else one.points[point - 1]).format.fill
    fill.solid()
    paint_color(fill.fore_color, color)


def set_chart_axis(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    axis: Literal["value", "category"] = "value",
    minimum: Number | None = None,
    maximum: Number | None = None,
    title: Text | None = None,
) -> None:
    """Set the scale and the title of an axis; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The chart.
        axis: The axis.
        minimum: Smallest value of the scale.
        maximum: Largest value of the scale.
        title: The title; empty for none.
    """
    chart = deck.chart(slide, shape)
    found = chart.value_axis if axis == "value" else chart.category_axis
    if minimum is not None:
        found.minimum_scale = minimum
    if maximum is not None:
        found.maximum_scale = maximum
    if title:
        found.has_title = True
        found.axis_title.text_frame.text = title
    elif title is not None:
        found.has_title = False


def set_bar_direction(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    direction: Literal["horizontal", "vertical"],
) -> None:
    """Set the direction of the bars of a chart.

    Args:
        slide: The slide.
        shape: The chart.
        direction: Horizontal bars, or vertical columns.
    """
    found = list(deck.chart(slide, shape)._chartSpace.iter(qn("c:barDir")))
    if not found:
        raise EditError(f"the chart {shown(shape)} of slide {shown(slide)} has no bars")
    for each in found:
        each.set("val", "bar" if direction == "horizontal" else "col")


def _without_dates(workbook: bytes) -> bytes:
    """Return a workbook whose properties do not contain the current time."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _TIME.sub(b">1980-01-01T00:00:00Z<", content)
            new.writestr(entry, content)
    return stream.getvalue()

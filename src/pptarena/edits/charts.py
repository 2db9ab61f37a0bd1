"""Edits of charts."""

import io
import re
import zipfile
from typing import Annotated, Any, Literal

from pptx.chart.data import CategoryChartData
from pptx.chart.datalabel import DataLabels
from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.oxml.ns import qn
from pydantic import Field

from pptarena.edits.addresses import shown
from pptarena.edits.markup import paint_color
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.text_frames import write_frame
from pptarena.edits.values import Name, Number, Paint, Position, Series, ShapeRef, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "delete_series",
    "set_bar_direction",
    "set_chart_axis",
    "set_chart_color",
    "set_chart_data",
    "set_chart_labels",
    "set_chart_legend",
    "set_chart_title",
    "set_chart_value",
]

_SeriesRef = Position | Name
_ROTATED_POSITIONS = {"l": "b", "b": "l", "t": "r", "r": "t"}
_LINE_CHARTS = ("}lineChart", "}scatterChart", "}radarChart")
_LEGEND_SIDES = {
    "right": XL_LEGEND_POSITION.RIGHT,
    "left": XL_LEGEND_POSITION.LEFT,
    "top": XL_LEGEND_POSITION.TOP,
    "bottom": XL_LEGEND_POSITION.BOTTOM,
}
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
    if any(len(entry.values) != len(categories) for entry in series):
        raise EditError(f"expected {len(categories)} values in each series, one a category")
    chart = deck.chart(slide, shape)
    data: Any = CategoryChartData(number_format)  # type: ignore[no-untyped-call]
    data.categories = categories
    for entry in series:
        data.add_series(entry.name, entry.values)
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
        write_frame(chart.chart_title.text_frame, text)
    else:
        chart.has_title = False


def set_chart_color(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    series: _SeriesRef,
    color: Paint,
    point: Position | None = None,
) -> None:
    """Paint a series of a chart, or one of its points, with a color.

    Args:
        slide: The slide.
        shape: The chart.
        series: Number of the series, from 1, or its name.
        color: As #RRGGBB or a color of the theme such as accent2.
        point: Number of the point, from 1; the entire series by default.
    """
    target = _series(deck.chart(slide, shape), series)
    count = len(list(target.values))
    if point is not None and point > count:
        raise EditError(f"expected a point from 1 to {count}, got {point}")
    format = (target if point is None else target.points[point - 1]).format
    if target._element.getparent().tag.endswith(_LINE_CHARTS):
        paint_color(format.line.color, color)
    else:
        format.fill.solid()
        paint_color(format.fill.fore_color, color)


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
    target = chart.value_axis if axis == "value" else chart.category_axis
    if minimum is not None:
        target.minimum_scale = minimum
    if maximum is not None:
        target.maximum_scale = maximum
    if title:
        target.has_title = True
        target.axis_title.text_frame.text = title
    elif title is not None:
        target.has_title = False


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
    space = deck.chart(slide, shape)._chartSpace
    directions = list(space.iter(qn("c:barDir")))
    if not directions:
        raise EditError(f"the chart {shown(shape)} of slide {shown(slide)} has no bars")
    value = "bar" if direction == "horizontal" else "col"
    if any(element.get("val", "col") != value for element in directions):
        for element in space.iter(qn("c:axPos")):  # the axes turn along with the bars
            element.set("val", _ROTATED_POSITIONS[element.get("val", "b")])
    for element in directions:
        element.set("val", value)


def set_chart_legend(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    side: Literal["right", "left", "top", "bottom", "none"],
) -> None:
    """Show the legend of a chart at one of its sides, in its default place, or remove it.

    Args:
        slide: The slide.
        shape: The chart.
        side: The side; none for no legend.
    """
    chart = deck.chart(slide, shape)
    chart.has_legend = side != "none"
    if side != "none":
        chart.legend.include_in_layout = False
        chart.legend.position = _LEGEND_SIDES[side]
        for layout in chart.legend._element.findall(qn("c:layout")):
            layout.clear()


def set_chart_labels(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, values: bool = True) -> None:
    """Show the values of all series of a chart as labels, or hide them.

    Args:
        slide: The slide.
        shape: The chart.
        values: Whether the values are shown.
    """
    chart = deck.chart(slide, shape)
    for series in (member for plot in chart.plots for member in plot.series):
        # A series can have labels of its own, which precede those of the plot.
        DataLabels(series._element.get_or_add_dLbls()).show_value = values  # type: ignore[no-untyped-call]


def set_chart_value(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    series: _SeriesRef,
    point: Position,
    value: Number,
) -> None:
    """Change one value of a chart.

    Args:
        slide: The slide.
        shape: The chart.
        series: Number of the series, from 1, or its name.
        point: Number of the point, from 1.
        value: The new value.
    """
    element = _series(deck.chart(slide, shape), series)._element
    values = element.find(qn("c:val"))
    points = (element.find(qn("c:yVal")) if values is None else values).iter(qn("c:pt"))
    matches = [candidate for candidate in points if candidate.get("idx") == str(point - 1)]
    if not matches:
        raise EditError(f"the series {series!r} has no value {point}")
    matches[0].find(qn("c:v")).text = str(value)


def delete_series(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, series: _SeriesRef) -> None:
    """Delete a series of a chart.

    Args:
        slide: The slide.
        shape: The chart.
        series: Number of the series, from 1, or its name.
    """
    element = _series(deck.chart(slide, shape), series)._element
    element.getparent().remove(element)


def _series(chart: Any, series: int | str) -> Any:
    all_series = [member for plot in chart.plots for member in plot.series]
    if isinstance(series, int):
        if series > len(all_series):
            raise EditError(f"expected a series from 1 to {len(all_series)}, got {series}")
        return all_series[series - 1]
    matches = [member for member in all_series if member.name == series]
    if len(matches) != 1:
        names = ", ".join(repr(member.name) for member in all_series)
        raise EditError(f"expected one series {series!r}, got {len(matches)}; there are {names}")
    return matches[0]


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

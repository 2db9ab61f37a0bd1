"""Edits of native charts: axes and data."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_LEGEND_POSITION

from pptarena.audits.meta_eval.finding import shape_of

__all__ = ["color_points", "color_series", "set_axis", "set_chart_data", "show_legend"]

_DATE = (2026, 10, 1, 8, 0, 0)
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def color_points(deck: Any, slide: int, shape: str, colors: Mapping[str, str]) -> None:
    """Color single columns of a chart's first series; `colors` maps category to RRGGBB."""
    plot = shape_of(deck, slide, shape).chart.plots[0]
    categories = list(plot.categories)
    for category, color in colors.items():
        fill = plot.series[0].points[categories.index(category)].format.fill
        fill.solid()
        fill.fore_color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]


def color_series(deck: Any, slide: int, shape: str, color: str, series: int = 0) -> None:
    """Color an entire series of a chart, RRGGBB."""
    fill = shape_of(deck, slide, shape).chart.plots[0].series[series].format.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor.from_string(color)  # type: ignore[no-untyped-call]


def set_axis(
    deck: Any,
    slide: int,
    shape: str,
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    title: str | None = None,
    axis: str = "value",
) -> None:
    """Set scale, step or title of the ``value`` or ``category`` axis; None keeps a property."""
    found = getattr(shape_of(deck, slide, shape).chart, f"{axis}_axis")
    if minimum is not None:
        found.minimum_scale = minimum
    if maximum is not None:
        found.maximum_scale = maximum
    if step is not None:
        found.major_unit = step
    if title is not None:
        found.axis_title.text_frame.text = title


def set_chart_data(
    deck: Any,
    slide: int,
    shape: str,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
) -> None:
    """Replace the data in a chart's workbook.

    Series keep their formatting; added series get the application's default.
    """
    chart = shape_of(deck, slide, shape).chart
    known = len(list(chart.series))
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, values)
    chart.replace_data(data)
    for added in list(chart.series)[known:]:  # python-pptx copies the last series' color
        for look in added._element.xpath("./c:spPr | ./c:dPt"):
            added._element.remove(look)
    part = chart.part.chart_workbook.xlsx_part
    part._blob = _dated(part.blob)


def show_legend(deck: Any, slide: int, shape: str) -> None:
    """Show a chart's legend below the plot."""
    chart = shape_of(deck, slide, shape).chart
    chart.has_legend = True
    chart.legend.position = XL_LEGEND_POSITION.BOTTOM
    chart.legend.include_in_layout = False


def _dated(workbook: bytes) -> bytes:
    """Return a workbook with a fixed creation time, so that the deck is deterministic."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "docProps/core.xml":
                data = _TIME.sub(b"2026-10-01T08:00:00Z", data)
            new.writestr(zipfile.ZipInfo(name, _DATE), data)
    return out.getvalue()

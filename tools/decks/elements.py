"""Elements of slides: bullets, tables, charts, pictures, boxes, notes."""

import io
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from tools.decks.deck_template import Box
from tools.decks.extra_layouts import EXTRA_LAYOUTS

__all__ = [
    "add_box",
    "add_chart",
    "add_label",
    "add_picture",
    "add_slide",
    "add_table",
    "drop",
    "set_bullets",
    "show_footer",
    "show_number",
]

_LAYOUTS = ("title", "content", "two", "only", "section", *EXTRA_LAYOUTS)
_THEME_FONT = "+mn-lt"
_STRIPES = (RGBColor(255, 255, 255), RGBColor(238, 243, 246))  # type: ignore[no-untyped-call]
_GRID = RGBColor(213, 220, 226)  # type: ignore[no-untyped-call]


def add_slide(
    presentation: Any, layout: str, title: str, notes: str = "", *, master: int = 0
) -> Any:
    """Add a slide.

    Args:
        presentation: The presentation.
        layout: ``title``, ``content``, ``two``, ``only``, ``section`` or one of `EXTRA_LAYOUTS`.
        title: Its title; ignored by the blank layout.
        notes: Its speaker notes.
        master: Index of the layout's master.
    """
    number = _LAYOUTS.index(layout)
    layouts = presentation.slide_masters[master].slide_layouts
    slide = presentation.slides.add_slide(layouts[number])
    if slide.shapes.title is not None:
        slide.shapes.title.text = title
    if notes:
        slide.notes_slide.notes_text_frame.text = notes
    if layout not in ("title", "section", "blank"):
        show_number(slide)
    return slide


def show_number(slide: Any) -> None:
    """Show the slide number, which requires the slide's own placeholder."""
    for placeholder, shape in _own_placeholders(slide, PP_PLACEHOLDER.SLIDE_NUMBER):
        paragraph = placeholder.text_frame.paragraphs[0]._p
        paragraph.append(deepcopy(shape._element.find(".//" + qn("a:fld"))))


def show_footer(slide: Any, text: str, date: str) -> None:
    """Show a footer and a fixed date in the layout's placeholders."""
    for kind, content in ((PP_PLACEHOLDER.FOOTER, text), (PP_PLACEHOLDER.DATE, date)):
        for placeholder, _ in _own_placeholders(slide, kind):
            placeholder.text_frame.text = content


def _own_placeholders(slide: Any, kind: Any) -> Iterator[tuple[Any, Any]]:
    """Copy the layout's placeholders of a type to a slide; yield each copy with its source."""
    for shape in slide.slide_layout.placeholders:
        if shape.placeholder_format.type == kind:
            slide.shapes.clone_placeholder(shape)
            yield slide.shapes[-1], shape


def drop(shape: Any) -> None:
    """Remove a shape from its slide, such as a placeholder replaced by a picture."""
    shape._element.getparent().remove(shape._element)


def set_bullets(shape: Any, items: Sequence[str]) -> None:
    """Fill a text shape with one paragraph per item; each leading ``>`` adds an indent level."""
    frame = shape.text_frame
    for index, item in enumerate(items):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        text = item.lstrip(">")
        paragraph.level = len(item) - len(text)
        paragraph.add_run().text = text.removeprefix(" ")


def add_table(
    slide: Any,
    box: Box,
    rows: Sequence[Sequence[str]],
    widths: Sequence[float],
    *,
    name: str,
    size: int = 15,
    numbers: Sequence[int] = (),
) -> Any:
    """Add a table with a colored header and banded rows.

    Args:
        slide: The slide.
        box: Its position and size in centimeters.
        rows: Texts of the cells; the first row is the header.
        widths: Relative column widths.
        name: Its name.
        size: Font size in points.
        numbers: Indices of right-aligned columns.
    """
    left, top, width, height = (Cm(value) for value in box)
    frame = slide.shapes.add_table(len(rows), len(rows[0]), left, top, width, height)
    frame.name = name
    for column, relative_width in zip(frame.table.columns, widths, strict=True):
        column.width = round(width * relative_width / sum(widths))
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            cell = frame.table.cell(row, column)
            _fill_cell(cell, text, size, is_header=row == 0, is_striped=row % 2 == 0)
            if column in numbers:
                cell.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT
    return frame


def _fill_cell(cell: Any, text: str, size: int, *, is_header: bool, is_striped: bool) -> None:
    cell.text = text
    cell.vertical_anchor = MSO_ANCHOR.MIDDLE
    cell.margin_top = cell.margin_bottom = Cm(0.1)
    cell.fill.solid()
    if is_header:
        cell.fill.fore_color.theme_color = MSO_THEME_COLOR.TEXT_2
    else:
        cell.fill.fore_color.rgb = _STRIPES[is_striped]
    font = cell.text_frame.paragraphs[0].runs[0].font
    font.size, font.bold, font.name = Pt(size), is_header, _THEME_FONT
    font.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1 if is_header else MSO_THEME_COLOR.TEXT_1


def add_chart(
    slide: Any,
    box: Box,
    kind: str,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    name: str,
    title: str = "",
    number_format: str = "General",
    labels: bool = False,
) -> Any:
    """Add a native chart in the theme's colors.

    Args:
        slide: The slide.
        box: Its position and size in centimeters.
        kind: A name of ``XL_CHART_TYPE``, such as ``COLUMN_CLUSTERED``.
        categories: Category names.
        series: Values by the name of the series.
        name: Name of the shape.
        title: Title in the chart.
        number_format: Number format of axis and labels.
        labels: Whether to show data labels.
    """
    # An untyped alias, because strict type checkers reject calls of the class.
    new_data: Any = CategoryChartData
    data = new_data(number_format=number_format)
    data.categories = categories
    for label, values in series.items():
        data.add_series(label, values)
    left, top, width, height = (Cm(value) for value in box)
    frame = slide.shapes.add_chart(getattr(XL_CHART_TYPE, kind), left, top, width, height, data)
    frame.name = name
    _style_chart(frame.chart, title, legend=len(series) > 1)
    _color_chart(frame.chart, labels, number_format)
    return frame


def _style_chart(chart: Any, title: str, *, legend: bool) -> None:
    chart.font.size = Pt(13)
    chart.has_title = bool(title)
    if title:
        chart.chart_title.text_frame.text = title
        chart.chart_title.text_frame.paragraphs[0].runs[0].font.size = Pt(14)
    chart.has_legend = legend
    if legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False


def _color_chart(chart: Any, labels: bool, number_format: str) -> None:
    plot = chart.plots[0]
    for index, series in enumerate(plot.series):
        accent = getattr(MSO_THEME_COLOR, f"ACCENT_{index + 1}")
        is_line = "LINE" in str(chart.chart_type)
        paint = series.format.line if is_line else series.format.fill
        if not is_line:
            paint.solid()
            paint.fore_color.theme_color = accent
        else:
            paint.color.theme_color = accent
            paint.width = Pt(2.5)
            series.smooth = False
    if hasattr(plot, "gap_width") and "LINE" not in str(chart.chart_type):
        plot.gap_width = 80
    if labels:
        plot.has_data_labels = True
        plot.data_labels.number_format = number_format
        plot.data_labels.number_format_is_linked = False
        plot.data_labels.font.size = Pt(12)
    grid = chart.value_axis.major_gridlines.format.line
    grid.color.rgb = _GRID


def add_picture(slide: Any, image: Image.Image, box: Box, name: str, alt: str) -> Any:
    """Add a picture as PNG, as wide as its box; the height follows from its aspect ratio."""
    stream = io.BytesIO()
    image.quantize(128, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    stream.seek(0)
    picture = slide.shapes.add_picture(stream, Cm(box[0]), Cm(box[1]), width=Cm(box[2]))
    picture.name = name
    picture._element.nvPicPr.cNvPr.set("descr", alt)
    return picture


def add_box(
    shapes: Any,
    box: Box,
    text: str,
    *,
    name: str,
    color: str = "ACCENT_1",
    shape: str = "ROUNDED_RECTANGLE",
    size: int = 16,
    text_color: str = "BACKGROUND_1",
) -> Any:
    """Add a filled shape with centered text; the first line is bold."""
    left, top, width, height = (Cm(value) for value in box)
    added = shapes.add_shape(getattr(MSO_SHAPE, shape), left, top, width, height)
    added.name = name
    added.shadow.inherit = False
    added.fill.solid()
    added.fill.fore_color.theme_color = getattr(MSO_THEME_COLOR, color)
    added.line.fill.background()
    frame = added.text_frame
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    frame.margin_left = frame.margin_right = Cm(0.2)
    for index, line in enumerate(text.split("\n")):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.alignment = PP_ALIGN.CENTER
        run = paragraph.add_run()
        run.text = line
        run.font.size = Pt(size if index == 0 else max(round(size * 0.65), 15))
        run.font.name = _THEME_FONT
        run.font.bold = index == 0
        run.font.color.theme_color = getattr(MSO_THEME_COLOR, text_color)
    return added


def add_label(slide: Any, box: Box, text: str, *, name: str, size: int = 14) -> Any:
    """Add a text box."""
    left, top, width, height = (Cm(value) for value in box)
    label = slide.shapes.add_textbox(left, top, width, height)
    label.name = name
    frame = label.text_frame
    frame.word_wrap = True
    run = frame.paragraphs[0].add_run()
    run.text = text
    run.font.size, run.font.name = Pt(size), _THEME_FONT
    run.font.color.theme_color = MSO_THEME_COLOR.TEXT_2
    return label

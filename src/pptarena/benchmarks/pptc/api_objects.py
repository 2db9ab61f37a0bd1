"""API calls that insert pictures, shapes, tables and charts."""

import io
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

from PIL import Image, ImageDraw
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml.ns import qn

from pptarena.benchmarks.pptc.constants import CONTENT_BOX, PICTURE_SIZE, ROW_HEIGHT, SHAPE_SIZE
from pptarena.benchmarks.pptc.errors import Refusal
from pptarena.benchmarks.pptc.find import SHAPES, find_last
from pptarena.benchmarks.pptc.workspace import Workspace

__all__ = [
    "insert_chart",
    "insert_picture",
    "insert_shape",
    "insert_table",
    "insert_table_row",
    "placeholder_picture",
    "set_chart_title",
]

_CHARTS = {
    "line": XL_CHART_TYPE.LINE,
    "bar": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "pie": XL_CHART_TYPE.PIE,
}


def first_free_row(table: Any) -> int | None:
    """Return the index of the first row whose first cell is empty; None if there is none."""
    for index in range(len(table.rows)):
        if not table.cell(index, 0).text:
            return index
    return None


def add_row(frame: Any) -> int:
    """Add an empty row formatted like the last one; return its index."""
    table = frame.table
    last = table._tbl.tr_lst[-1]
    new_row = deepcopy(last)
    # Row ids must be unique; applications assign an id to rows without one.
    for extension in new_row.findall(qn("a:extLst")):
        new_row.remove(extension)
    last.addnext(new_row)
    row = len(table.rows) - 1
    for column in range(len(table.columns)):
        table.cell(row, column).text = ""
    frame.height = sum(row_.height for row_ in table.rows)
    return row


@cache
def placeholder_picture() -> bytes:
    """Return the PNG that replaces every picture: a gray square, crossed out.

    The benchmark searches for pictures by description; this package does not search. The
    description becomes the picture's alternative text.
    """
    side = 128
    image = Image.new("RGB", (side, side), "#D9D9D9")
    draw = ImageDraw.Draw(image)
    draw.line((0, 0, side, side), "#7F7F7F", 3)
    draw.line((0, side, side, 0), "#7F7F7F", 3)
    draw.rectangle((0, 0, side - 1, side - 1), outline="#7F7F7F", width=3)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def insert_picture(work: Workspace, picture_name: str) -> None:
    """Insert a placeholder picture with a description and select it."""
    left, top, _, _ = CONTENT_BOX
    file = io.BytesIO(placeholder_picture())
    picture = work.slide.shapes.add_picture(file, left, top, PICTURE_SIZE, PICTURE_SIZE)
    picture._element.nvPicPr.cNvPr.set("descr", picture_name)
    work.current = picture


def insert_shape(name: str) -> Callable[[Workspace], None]:
    """Return the call that inserts a shape in the center of the slide and selects it."""
    shape_type = SHAPES[name]

    def insert(work: Workspace) -> None:
        left, top = ((extent - SHAPE_SIZE) // 2 for extent in work.size)
        shapes = work.slide.shapes
        work.current = shapes.add_shape(shape_type, left, top, SHAPE_SIZE, SHAPE_SIZE)

    return insert


def insert_table(work: Workspace, row_num: int, col_num: int) -> None:
    """Insert an empty table and select it."""
    left, top, width, _ = CONTENT_BOX
    shapes = work.slide.shapes
    work.current = shapes.add_table(row_num, col_num, left, top, width, row_num * ROW_HEIGHT)


def insert_table_row(work: Workspace, row_data: tuple[str, ...]) -> None:
    """Fill the first row whose first cell is empty; a full table gets a new row.

    The table is the selected one, or else the last one inserted on the slide.
    """
    selected = work.current
    frame = selected if getattr(selected, "has_table", False) else find_last(work.slide, "table")
    table = frame.table
    columns = len(table.columns)
    if len(row_data) > columns:
        raise Refusal(f"expected at most {columns} cells, got {len(row_data)}")
    row = first_free_row(table)
    if row is None:
        row = add_row(frame)
    for column, text in enumerate(row_data):
        table.cell(row, column).text = text
    work.current = frame


def insert_chart(kind: str) -> Callable[..., None]:
    """Return the call that inserts a chart and selects it.

    As in the benchmark, every number of a line or bar chart is a separate series with one category.
    A pie shows only one series, so its numbers become slices, named like the series; the original
    drops all but the first.

    Args:
        kind: ``line``, ``bar`` or ``pie``.
    """

    def insert(
        work: Workspace, data: tuple[tuple[float, ...], ...], series: tuple[str, ...] = ()
    ) -> None:
        as_slices = kind == "pie" and not work.quirks
        rows = data
        if as_slices and len(data) > 1:
            rows = (tuple(row[0] for row in data),)
        count = len(rows[0]) if as_slices else len(rows)
        if series and len(series) != count:
            raise Refusal(f"expected {count} names of series, got {len(series)}")
        chart: Any = CategoryChartData()  # type: ignore[no-untyped-call]
        categories = [f"Category {index}" for index in range(len(rows[0]))]
        chart.categories = (series or categories) if as_slices else categories
        for index, values in enumerate(rows):
            has_names = bool(series) and not as_slices
            chart.add_series(series[index] if has_names else f"Series {index}", values)
        frame = work.slide.shapes.add_chart(_CHARTS[kind], *CONTENT_BOX, chart)
        # Otherwise a chart with one series shows its name as the title.
        frame.chart.has_title = False
        work.current = frame

    return insert


def set_chart_title(work: Workspace, title: str) -> None:
    """Set the title of the selected chart, or else of the last one inserted."""
    selected = work.current
    frame = selected if getattr(selected, "has_chart", False) else find_last(work.slide, "chart")
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = title
    work.current = frame

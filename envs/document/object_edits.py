"""Tools that change tables and charts."""

from typing import Annotated, Any

from pptx.chart.data import CategoryChartData
from pptx.util import Cm as Centimetres
from pydantic import BaseModel, ConfigDict, Field

from pptarena.envs.document.document import Document
from pptarena.envs.document.tool import Cm, Name, Position, SlideId, Words
from pptarena.envs.machines.fake.text import write_text
from pptarena.errors import ActionError

__all__ = ["add_table", "set_cell", "set_chart_data", "set_chart_title"]

_Number = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]


class Series(BaseModel):
    """A row of numbers of a chart."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Name
    values: Annotated[list[_Number | None], Field(min_length=1, max_length=200)]


def set_cell(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    row: Position,
    column: Position,
    text: Words,
) -> str:
    """Set the text of a cell of a table; it keeps its format.

    Args:
        slide: Id of the slide.
        shape: Id of the table.
        row: Its row, from 1.
        column: Its column, from 1.
        text: The new text.
    """
    found = document.shape(slide, shape)
    if not found.has_table:
        raise ActionError(f"the shape {shape} of slide {slide} is no table")
    rows, columns = len(found.table.rows), len(found.table.columns)
    if row > rows or column > columns:
        raise ActionError(f"expected a cell within {rows} x {columns}, got {row}, {column}")
    write_text(found.table.cell(row - 1, column - 1), text)
    return "the cell is set"


def add_table(
    document: Document,
    slide: SlideId,
    cells: Annotated[
        list[Annotated[list[Words], Field(min_length=1, max_length=20)]],
        Field(min_length=1, max_length=50),
    ],
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> str:
    """Add a table; the answer names its id.

    Args:
        slide: Id of the slide.
        cells: The texts, one list a row, all of one length.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    if len({len(row) for row in cells}) != 1 or min(width_cm, height_cm) <= 0:
        raise ActionError("expected rows of one length, and a width and a height above 0")
    document.require_room(shapes=1)
    place = [Centimetres(each) for each in (left_cm, top_cm, width_cm, height_cm)]
    found = document.slide(slide).shapes.add_table(len(cells), len(cells[0]), *place)
    for i, row in enumerate(cells):
        for j, text in enumerate(row):
            found.table.cell(i, j).text = text
    return f"the new table has the id {found.shape_id}"


def set_chart_data(
    document: Document,
    slide: SlideId,
    shape: SlideId,
    categories: Annotated[list[Name], Field(min_length=1, max_length=200)],
    series: Annotated[list[Series], Field(min_length=1, max_length=50)],
) -> str:
    """Replace the numbers of a chart with categories; its series keep their format.

    Args:
        slide: Id of the slide.
        shape: Id of the chart.
        categories: Names along the axis.
        series: The rows of numbers, one number a category, null for none.
    """
    if any(len(each.values) != len(categories) for each in series):
        raise ActionError(f"expected {len(categories)} values in each series, one a category")
    chart = _chart(document, slide, shape)
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = categories
    for each in series:
        data.add_series(each.name, each.values)
    chart.replace_data(data)
    document.slide(slide)  # its workbook may be new
    return "the data are set"


def set_chart_title(document: Document, slide: SlideId, shape: SlideId, text: Words) -> str:
    """Set the title of a chart.

    Args:
        slide: Id of the slide.
        shape: Id of the chart.
        text: The title; empty for none.
    """
    chart = _chart(document, slide, shape)
    if text:
        chart.chart_title.text_frame.text = text
    else:
        chart.has_title = False
    return "the title is set" if text else "there is no title now"


def _chart(document: Document, slide: int, shape: int) -> Any:
    found = document.shape(slide, shape)
    if not found.has_chart:
        raise ActionError(f"the shape {shape} of slide {slide} is no chart")
    return found.chart

"""Blind policies on tables and charts."""

import re
from collections.abc import Iterator
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.oxml.ns import qn
from pptx.util import Pt
from tests.scorer.blind.policy import Policy, every_shape, policy, title_of

__all__ = ["DATA"]

DATA: list[Policy] = []

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_TOTALS = ("total", "sum", "all")


def _charts(deck: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield slide, shape and chart of every chart."""
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            if getattr(shape, "has_chart", False):
                yield slide, shape, shape.chart


def _tables(deck: Any) -> Iterator[Any]:
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            if getattr(shape, "has_table", False):
                yield shape.table


def _value_axis(chart: Any) -> Any:
    try:
        return chart.value_axis
    except ValueError:  # pie charts have none
        return None


@policy("labels the data of all charts", DATA)
def _data_labels(deck: Any) -> None:
    for _, _, chart in _charts(deck):
        for plot in chart.plots:
            plot.has_data_labels = True
            plot.data_labels.show_value = True


@policy("titles the axes of all charts", DATA)
def _axis_titles(deck: Any) -> None:
    for slide, _, chart in _charts(deck):
        axis = _value_axis(chart)
        if axis is not None and not axis.has_title:
            axis.axis_title.text_frame.text = title_of(slide) or "Value"


@policy("starts all axes at zero", DATA)
def _from_zero(deck: Any) -> None:
    for _, _, chart in _charts(deck):
        axis = _value_axis(chart)
        if axis is not None:
            axis.minimum_scale = 0


@policy("gives all charts a legend", DATA)
def _legends(deck: Any) -> None:
    for _, _, chart in _charts(deck):
        chart.has_legend = True
        chart.legend.include_in_layout = False


@policy("turns columns of all charts into bars", DATA)
def _horizontal_bars(deck: Any) -> None:
    for _, _, chart in _charts(deck):
        for direction in chart._chartSpace.iter(qn("c:barDir")):
            direction.set("val", "bar")


@policy("adds a source below all charts", DATA)
def _sources(deck: Any) -> None:
    for slide, shape, _ in list(_charts(deck)):
        top = min(shape.top + shape.height, deck.slide_height - 350_000)
        box = slide.shapes.add_textbox(shape.left, top, shape.width, 350_000)
        box.text_frame.text = "Source: own data"
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(12)


@policy("makes table headers bold", DATA)
def _bold_headers(deck: Any) -> None:
    for table in _tables(deck):
        for cell in table.rows[0].cells:
            for paragraph in cell.text_frame.paragraphs:
                for run in paragraph.runs:
                    run.font.bold = True


@policy("sorts tables by their first figures", DATA)
def _sort(deck: Any) -> None:
    for table in _tables(deck):
        rows = list(table.rows)[1:]
        end = sum(not row.cells[0].text.lower().startswith(_TOTALS) for row in rows)
        for column in range(1, len(table.columns)):
            texts = [row.cells[column].text.strip() for row in rows[:end]]
            if len(texts) > 1 and all(map(_NUMBER.fullmatch, texts)):
                _put_in_order(table._tbl, sorted(range(end), key=lambda i: -_value(texts[i])))
                break


def _put_in_order(table: Any, order: list[int]) -> None:
    rows = list(table.tr_lst)
    at = table.index(rows[0]) + 1
    for place, index in enumerate(order):
        table.remove(rows[1 + index])
        table.insert(at + place, rows[1 + index])


def _value(text: str) -> float:
    return float(text.replace(",", "."))


@policy("corrects totals of tables", DATA)
def _totals(deck: Any) -> None:
    for table in _tables(deck):
        rows = list(table.rows)
        if len(rows) < 3 or not rows[-1].cells[0].text.lower().startswith(_TOTALS):
            continue
        for column in range(1, len(table.columns)):
            texts = [row.cells[column].text.strip() for row in rows[1:]]
            if not all(re.fullmatch(r"\d+(\.\d+)?", text) for text in texts):
                continue
            places = max(len(text.partition(".")[2]) for text in texts)
            total = f"{sum(map(float, texts[:-1])):.{places}f}"
            runs = rows[-1].cells[column].text_frame.paragraphs[0].runs
            if total != texts[-1] and runs:
                runs[0].text = total


@policy("updates charts from tables on the same slide", DATA)
def _like_tables(deck: Any) -> None:
    for slide, _, chart in list(_charts(deck)):
        table = next((s.table for s in slide.shapes if getattr(s, "has_table", False)), None)
        if table is None:
            continue
        labeled = {row.cells[0].text.strip(): row for row in table.rows}
        headers = [cell.text.strip() for cell in table.rows[0].cells]
        categories = [str(each) for each in chart.plots[0].categories]
        columns = [c for c, name in enumerate(headers) if c and all(
            each in labeled and re.fullmatch(r"\d+(\.\d+)?", labeled[each].cells[c].text.strip())
            for each in categories)]  # fmt: skip
        if not columns or not categories:
            continue
        data_type: Any = CategoryChartData
        data = data_type()
        data.categories = categories
        for column in columns:
            values = [float(labeled[each].cells[column].text) for each in categories]
            data.add_series(headers[column], values)
        chart.replace_data(data)

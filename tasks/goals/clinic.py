"""The goals of the suite ``office`` on the deck ``clinic``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml.ns import qn

from pptarena.tasks.goals.editing import delete_slide, rewrite_cell, shape_named, slide_at

__all__ = ["CLINIC_GOALS"]


def _contrast(deck: Any) -> None:
    for number, name in ((4, "Source"), (7, "Note on wards")):
        font = shape_named(deck, number, name).text_frame.paragraphs[0].runs[0].font
        font.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _icu_row(deck: Any) -> None:
    last = shape_named(deck, 7, "Incidents by ward").table.rows[4]._tr
    last.addnext(deepcopy(last))
    for column, text in enumerate(("ICU", "10", "11", "12"), start=1):
        rewrite_cell(deck, 7, "Incidents by ward", 6, column, text)
    for column, text in enumerate(("106", "102", "99"), start=2):
        rewrite_cell(deck, 7, "Incidents by ward", 7, column, text)


def _drop_2024(deck: Any) -> None:
    frame = shape_named(deck, 7, "Incidents by ward")
    table = frame._element.graphic.graphicData.tbl
    columns = list(table.tblGrid)
    frame.width = frame.width - columns[1].w
    table.tblGrid.remove(columns[1])
    for row in table.tr_lst:
        row.remove(row.tc_lst[1])


def _lying_bars(deck: Any) -> None:
    space = shape_named(deck, 9, "Time of day").chart._chartSpace
    next(space.iter(qn("c:barDir"))).set("val", "bar")


def _agenda_typeface(deck: Any) -> None:
    slide_at(deck, 2).placeholders[1].text_frame.paragraphs[3].runs[0].font.name = "+mn-lt"


def _internal_medicine(deck: Any) -> None:
    rewrite_cell(deck, 7, "Incidents by ward", 3, 1, "Internal Medicine")
    rewrite_cell(deck, 13, "Measures", 2, 2, "Internal Medicine")


def _public_version(deck: Any) -> None:
    line = slide_at(deck, 1).placeholders[1].text_frame.paragraphs[1]
    line.runs[0].text = "Public report, October 2026"
    timing = slide_at(deck, 12)._element.find(qn("p:timing"))
    timing.getparent().remove(timing)
    slide_at(deck, 17)._element.set("show", "0")
    for number in (18, 10):
        delete_slide(deck, number)


def _late_report(deck: Any) -> None:
    rewrite_cell(deck, 7, "Incidents by ward", 3, 4, "42")
    rewrite_cell(deck, 7, "Incidents by ward", 6, 4, "88")
    rewrite_cell(deck, 8, "Incidents by kind", 3, 3, "32")
    rewrite_cell(deck, 8, "Incidents by kind", 6, 3, "88")
    new_data: Any = CategoryChartData
    data = new_data(number_format="0")
    data.categories = ("Falls", "Medicines", "Equipment", "Other")
    data.add_series("2025", (38, 27, 15, 11))
    data.add_series("2026", (33, 32, 14, 9))
    shape_named(deck, 8, "Kinds").chart.replace_data(data)
    line = slide_at(deck, 3).placeholders[1].text_frame.paragraphs[0]
    line.runs[0].text = "88 reports, and what they tell us"
    shape_named(deck, 4, "Key 1").text_frame.paragraphs[0].runs[0].text = "88"


def _minutes(deck: Any) -> None:
    rewrite_cell(deck, 13, "Measures", 6, 3, "Done")


CLINIC_GOALS: Mapping[str, Callable[[Any], None]] = {
    "clinic-agenda-typeface": _agenda_typeface,
    "clinic-contrast": _contrast,
    "clinic-drop-2024": _drop_2024,
    "clinic-icu-row": _icu_row,
    "clinic-internal-medicine": _internal_medicine,
    "clinic-late-report": _late_report,
    "clinic-lying-bars": _lying_bars,
    "clinic-minutes": _minutes,
    "clinic-public-version": _public_version,
}
"""What carries out each task, as in ``office``."""

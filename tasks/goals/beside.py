"""The goals of tasks of the suite ``bench`` whose figures lie beside the deck."""

import csv
from collections.abc import Callable, Mapping
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    add_page,
    rewrite_cell,
    set_notes,
    set_title,
    shape_named,
)
from pptarena.tasks.goals.tables import add_table_like
from pptarena.tasks.goals.workbooks import lines_of, rows_of
from pptarena.tasks.task_files import packaged_file

__all__ = ["BESIDE_GOALS"]

_WORDS = ("", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_TEENS = {13: "Thirteen", 41: "Forty-one"}


def _revised_quarter(deck: Any) -> None:
    rows = {row[0]: row for row in rows_of(packaged_file("meridian/sales-q3.xlsx"))}
    west, total = rows["West"], rows["All regions"]
    for row, revenue, before in ((5, west[4], 5.8), (6, total[4], 44.2)):
        rewrite_cell(deck, 6, "Regions", row, 3, revenue)
        rewrite_cell(deck, 6, "Regions", row, 4, f"+{float(revenue) / before - 1:.0%}"[:-1] + " %")
    chart = shape_named(deck, 4, "Revenue by month").chart
    series = {each.name: list(each.values) for each in chart.plots[0].series}
    series["Q3 2026"] = [float(month) for month in total[1:4]]
    _replace_data(chart, list(chart.plots[0].categories), series)
    set_title(deck, 4, f"Revenue grew by 10 % to €{total[4]} m")
    group = shape_named(deck, 3, "Key figures")
    tile = next(each for each in group.shapes if each.name == "Tile 1")
    lines = (f"€{total[4]} m", "revenue, up 10 %")
    for paragraph, line in zip(tile.text_frame.paragraphs, lines, strict=True):
        paragraph.runs[0].text = line


def _past_due(deck: Any) -> None:
    loans = rows_of(packaged_file("ledger/past-due.xlsx"))[1:]
    sums = [0.0, 0.0, 0.0]
    for _, days, amount, *state in loans:
        sums[2 if any(state) else int(float(days) >= 90)] += float(amount)
    for row, sum_of in enumerate((*sums, sum(sums)), start=2):
        rewrite_cell(deck, 15, "Past due", row, 3, f"{sum_of:.1f}")
    chart = shape_named(deck, 15, "Past due by age").chart
    series = {each.name: list(each.values) for each in chart.plots[0].series}
    series["Q3 2026"] = [round(each, 1) for each in sums]
    _replace_data(chart, list(chart.plots[0].categories), series)
    set_notes(deck, 15, f"{_WORDS[len(loans)]} loans in the list of 30 September")


def _falls_table(deck: Any) -> None:
    text = packaged_file("clinic/falls.csv").decode()
    head, *wards = csv.reader(text.splitlines())
    wards.sort(key=lambda row: -int(row[2]))
    total = ["Total", *(str(sum(int(row[column]) for row in wards)) for column in (1, 2))]
    rows = [head, *wards, total]
    slide = add_page(deck, 10, "Title Only", "Falls by ward")
    box = (Cm(1.5), Cm(4.4), Cm(14), Cm(7.6))
    add_table_like(shape_named(deck, 8, "Incidents by kind"), slide, box, rows)


def _rehearsal(deck: Any) -> None:
    minutes = [float(row[1]) for row in lines_of(packaged_file("thesis/timing.ods"))[1:]]
    for number, each in zip((3, 8, 13, 20, 27, 32), minutes, strict=True):
        set_notes(deck, number, f"{_in_words(each)} minutes for this chapter.")
    set_notes(deck, 2, f"{_in_words(sum(minutes))} minutes in all, questions at the end.")


def _in_words(minutes: float) -> str:
    full = round(minutes)
    return _TEENS[full] if full in _TEENS else _WORDS[full]


def _replace_data(chart: Any, categories: list[str], series: Mapping[str, list[float]]) -> None:
    new_data: Any = CategoryChartData
    data = new_data(number_format="0.0")
    data.categories = categories
    for name, values in series.items():
        data.add_series(name, values)
    chart.replace_data(data)


BESIDE_GOALS: Mapping[str, Callable[[Any], None]] = {
    "clinic-falls-table": _falls_table,
    "ledger-past-due": _past_due,
    "meridian-revised-quarter": _revised_quarter,
    "thesis-rehearsal": _rehearsal,
}
"""What carries out each task, as in ``office``."""

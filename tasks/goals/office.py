"""The goals of the suite ``office`` on the decks ``ledger`` and ``onboard``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from pptarena.tasks.goals.editing import (
    delete_slide,
    insert_motion,
    move_slide,
    shape_named,
    slide_at,
)

__all__ = ["OFFICE_GOALS"]

_RGB: Any = RGBColor


def _title(number: int, text: str) -> Callable[[Any], None]:
    def edit(deck: Any) -> None:
        slide_at(deck, number).shapes.title.text_frame.paragraphs[0].runs[0].text = text

    return edit


def _rewrite(cell: Any, text: str) -> None:
    cell.text_frame.paragraphs[0].runs[0].text = text


def _axis(deck: Any) -> None:
    axis = shape_named(deck, 7, "Net income").chart.value_axis
    axis.minimum_scale, axis.maximum_scale = 0, 8
    axis.has_title = True
    axis.axis_title.text_frame.text = "CHF m"


def _orange_quarter(deck: Any) -> None:
    series = shape_named(deck, 7, "Net income").chart.plots[0].series[0]
    for index, color in enumerate(("808080", "808080", "808080", "F2A104")):
        fill = series.points[index].format.fill
        fill.solid()
        fill.fore_color.rgb = _RGB.from_string(color)


def _sort_branches(deck: Any) -> None:
    table = shape_named(deck, 10, "Branches").table
    rows = [[table.cell(row, column).text for column in range(4)] for row in range(1, 7)]
    rows.sort(key=lambda texts: -float(texts[1]))
    for row, texts in enumerate(rows, start=1):
        for column, text in enumerate(texts):
            _rewrite(table.cell(row, column), text)


def _budget_series(deck: Any) -> None:
    chart = shape_named(deck, 18, "Income by quarter").chart
    new_data: Any = CategoryChartData
    data = new_data(number_format="0.0")
    data.categories = ("Q1 2026", "Q2 2026", "Q3 2026")
    data.add_series("Actual", (19.7, 20.0, 20.6))
    data.add_series("Budget", (19.4, 19.8, 20.1))
    chart.replace_data(data)
    chart.plots[0].series[1].format.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_2


def _appendix(deck: Any) -> None:
    lines = slide_at(deck, 3).placeholders[1].text_frame.paragraphs
    for line, text in zip(lines[1:], ("A2 Interest rates", "A3 Terms"), strict=True):
        line.runs[0].text = text
    _title(24, "A2 Interest rates")(deck)
    _title(26, "A3 Terms")(deck)
    for number in (25, 23):
        delete_slide(deck, number)


def _chapter_fade(deck: Any) -> None:
    fade = slide_at(deck, 5)._element.find(qn("p:transition"))
    insert_motion(slide_at(deck, 21)._element, deepcopy(fade))


def _still_chart(deck: Any) -> None:
    timing = slide_at(deck, 7)._element.find(qn("p:timing"))
    timing.getparent().remove(timing)


def _sources(deck: Any) -> None:
    for number in (7, 8, 11, 14, 15, 18):
        slide = slide_at(deck, number)
        chart = next(shape for shape in slide.shapes if shape.has_chart)
        top = chart.top + chart.height
        box = slide.shapes.add_textbox(chart.left, top, chart.width, Cm(0.8))
        box.text_frame.text = "Source: core banking system, 30 September 2026"
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(12)


def _tile(deck: Any) -> None:
    shape_named(deck, 4, "Tile 2").top = shape_named(deck, 4, "Tile 1").top


def _unit(deck: Any) -> None:
    font = shape_named(deck, 10, "Unit").text_frame.paragraphs[0].runs[0].font
    font.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _letter_link(deck: Any) -> None:
    run = shape_named(deck, 19, "More").text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "https://intranet.lindental.example/letter"


def _typefaces(deck: Any) -> None:
    for number in (13, 17):
        for run in slide_at(deck, number).placeholders[1].text_frame._txBody.iter(qn("a:latin")):
            run.set("typeface", "+mn-lt")


def _corrections(deck: Any) -> None:
    table = shape_named(deck, 10, "Branches").table
    _rewrite(table.cell(5, 1), "135.3")
    _rewrite(table.cell(7, 1), "762.6")


def _links(deck: Any) -> None:
    for page in ("hours", "safety", "canteen"):
        run = shape_named(deck, 19, f"Link {page}").text_frame.paragraphs[0].runs[0]
        run.hyperlink.address = f"https://intranet.norrvik.example/{page}"


def _no_animations(deck: Any) -> None:
    for number in (9, 17):
        timing = slide_at(deck, number)._element.find(qn("p:timing"))
        timing.getparent().remove(timing)


def _hr_partner(deck: Any) -> None:
    lead = shape_named(deck, 11, "Leader 1")
    shapes = slide_at(deck, 11).shapes
    copy = deepcopy(lead._element)
    copy.nvSpPr.cNvPr.set("id", str(max(each.shape_id for each in shapes) + 1))
    copy.nvSpPr.cNvPr.set("name", "Partner")
    shapes._spTree.append(copy)
    box = shapes[-1]
    box.top = lead.top + lead.height + Cm(1.2)
    name, role = box.text_frame.paragraphs
    name.runs[0].text = "HR partner"
    role._p.getparent().remove(role._p)
    line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
    line.begin_connect(lead, 2)
    line.end_connect(box, 0)
    line.line.color.theme_color = MSO_THEME_COLOR.TEXT_2  # the theme gives lines no colour
    line.line.width = shape_named(deck, 11, "Leader to Leader 1").line.width


def _leader_level(deck: Any) -> None:
    shape_named(deck, 11, "Leader 4").top = shape_named(deck, 11, "Leader 1").top
    line = shape_named(deck, 11, "Leader to Leader 4")
    line.end_connect(shape_named(deck, 11, "Leader 4"), 0)


def _wednesday(deck: Any) -> None:
    _rewrite(shape_named(deck, 8, "Timetable").table.cell(3, 2), "Tour of the warehouse")


def _site_figures(deck: Any) -> None:
    table = shape_named(deck, 12, "Sites").table
    _rewrite(table.cell(2, 1), "46")
    _rewrite(table.cell(5, 1), "169")
    new_data: Any = CategoryChartData
    data = new_data(number_format="0")
    data.categories = ("Norrvik", "Storhamn", "Kallsund", "Ytterby")
    data.add_series("Colleagues", (86, 46, 23, 14))
    shape_named(deck, 12, "Colleagues").chart.replace_data(data)
    shape_named(deck, 3, "Figure 2").text_frame.paragraphs[0].runs[0].text = "169"


def _alarm_numbers(deck: Any) -> None:
    for paragraph in slide_at(deck, 16).placeholders[1].text_frame.paragraphs:
        properties = paragraph._p.get_or_add_pPr()
        properties.append(properties.makeelement(qn("a:buAutoNum"), {"type": "arabicPeriod"}))
        properties.set("marL", str(Cm(1.2)))  # a number is wider than a dot
        properties.set("indent", str(-Cm(1.2)))


def _mentor(deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            text.text = (text.text or "").replace("buddy", "mentor")


def _second_quiz(deck: Any) -> None:
    source = slide_at(deck, 17)
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    insert_motion(copy._element, deepcopy(source._element.find(qn("p:timing"))))
    copy.shapes.title.text = "Quiz: who helps with your hours?"
    names = ("Jonas Falk", "Linnea Sandvik", "Aino Rask")
    for line, name in zip(copy.placeholders[1].text_frame.paragraphs, names, strict=True):
        line.runs[0].text = name
    move_slide(deck, len(deck.slides), 18)
    answer = shape_named(deck, 18, "Answer").text_frame.paragraphs[0].runs[0]
    answer.text = "Answer: Linnea Sandvik"


OFFICE_GOALS: Mapping[str, Callable[[Any], None]] = {
    "ledger-appendix": _appendix,
    "ledger-axis": _axis,
    "ledger-budget-series": _budget_series,
    "ledger-chapter-fade": _chapter_fade,
    "ledger-corrections": _corrections,
    "ledger-letter-link": _letter_link,
    "ledger-orange-quarter": _orange_quarter,
    "ledger-retitle-income": _title(6, "Net interest and fees both grew"),
    "ledger-sort-branches": _sort_branches,
    "ledger-sources": _sources,
    "ledger-still-chart": _still_chart,
    "ledger-tile": _tile,
    "ledger-typefaces": _typefaces,
    "ledger-unit": _unit,
    "onboard-alarm-numbers": _alarm_numbers,
    "onboard-first-day": _title(5, "What to bring on the first day"),
    "onboard-hr-partner": _hr_partner,
    "onboard-leader-level": _leader_level,
    "onboard-links": _links,
    "onboard-mentor": _mentor,
    "onboard-no-animations": _no_animations,
    "onboard-second-quiz": _second_quiz,
    "onboard-site-figures": _site_figures,
    "onboard-wednesday": _wednesday,
}
"""What carries out each task on a python-pptx presentation of its deck; of tasks of several turns,
the first."""

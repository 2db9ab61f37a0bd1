"""A field or placeholder that shows another date or time is no change."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package

KINDS: Any = XL_CHART_TYPE
FIELDS = ["datetime", "datetimeFigureOut", *(f"datetime{number}" for number in range(1, 14))]


def _field(kind: str, text: str) -> Any:
    return parse_xml(
        f'<a:fld {nsdecls("a")} id="{{B2F7C5B2-0F83-4F2B-9C6A-1B1B1B1B1B1B}}" type="{kind}">'
        f"<a:t>{text}</a:t></a:fld>"
    )


def _replace_runs(paragraph: Any, kind: str, text: str) -> None:
    for run in paragraph.xpath("a:r|a:fld"):
        paragraph.remove(run)
    end = paragraph.find(qn("a:endParaRPr"))
    paragraph.append(_field(kind, text)) if end is None else end.addprevious(_field(kind, text))


def _paragraph(presentation: Any, location: str) -> Any:
    """Return a paragraph in a type of location."""
    slide = presentation.slides[0]
    if location == "text box":
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
        return box.text_frame.paragraphs[0]._p
    if location == "cell":
        table = slide.shapes.add_table(1, 1, Inches(1), Inches(1), Inches(4), Inches(1)).table
        return table.cell(0, 0).text_frame.paragraphs[0]._p
    if location == "notes":
        return slide.notes_slide.notes_text_frame.paragraphs[0]._p
    if location == "chart title":
        data: Any = CategoryChartData
        data = data()
        data.categories = ["A"]
        data.add_series("S", (1,))
        box = Inches(1), Inches(1), Inches(4), Inches(3)
        chart = slide.shapes.add_chart(KINDS.PIE, *box, data).chart
        chart.chart_title.text_frame.text = "x"
        return chart.chart_title.text_frame.paragraphs[0]._p
    holder = slide.slide_layout if location == "layout" else presentation.slide_master
    (date,) = (each for each in holder.placeholders if "DATE" in str(each.placeholder_format.type))
    return date._element.find(".//" + qn("a:p"))


def _deck(location: str, kind: str, text: str) -> Deck:
    presentation = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    _replace_runs(_paragraph(presentation, location), kind, text)
    return read_deck(write_package(presentation))


@pytest.mark.slow
@each_case("kind", FIELDS)
@each_case("location", ["text box", "layout"])
def test_all_types_of_date_fields_are_ignored(location: str, kind: str) -> None:
    before, after = _deck(location, kind, "1/1/2001"), _deck(location, kind, "November 26, 2026")
    assert diff_decks(before, after) == ()


@pytest.mark.parametrize("location", ["cell", "notes", "chart title", "master"])
def test_date_fields_are_ignored_in_all_locations(location: str) -> None:
    before, after = (_deck(location, "datetime1", text) for text in ("1/1/2001", "26.11.2026"))
    assert diff_decks(before, after) == ()


@pytest.mark.parametrize("location", ["text box", "cell", "notes", "chart title"])
def test_changes_of_other_fields_are_reported(location: str) -> None:
    before, after = (_deck(location, "{unknown}", text) for text in ("North", "South"))
    assert len(diff_decks(before, after)) >= 1


def _deck_with_layout_date(text: str) -> Deck:
    presentation = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    paragraph = _paragraph(presentation, "layout")
    for run in paragraph.xpath("a:r|a:fld"):
        paragraph.remove(run)
    paragraph.insert(0, parse_xml(f"<a:r {nsdecls('a')}><a:t>{text}</a:t></a:r>"))
    return read_deck(write_package(presentation))


@pytest.mark.slow
@each_case(
    "text",
    [
        "11/26/2026", "26.11.26", "2026-11-26", "November 26, 2026", "Thursday, November 26, 2026",
        "03:26 PM", "15:26", "2026年11月26日", "26 novembre 2026", "11/26/2026 03:26:35 PM",
        "&lt;date/time&gt;",
    ],
)  # fmt: skip
def test_dates_in_layout_placeholders_are_ignored(text: str) -> None:
    assert diff_decks(_deck_with_layout_date("1/1/2001"), _deck_with_layout_date(text)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Confidential", "Draft of the board, for internal use in 2027"])
def test_other_text_in_a_layout_date_placeholder_is_a_change(text: str) -> None:
    (change,) = diff_decks(_deck_with_layout_date("1/1/2001"), _deck_with_layout_date(text))
    assert change.aspect == "master"

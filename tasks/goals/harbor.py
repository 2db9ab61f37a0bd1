"""The goals of the suite ``office`` on the deck ``harbor``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    opened,
    rewrite_cell,
    set_body_line,
    set_title,
    shape_named,
    slide_at,
)
from pptarena.tasks.goals.media import add_media, replace_image
from pptarena.tasks.goals.workbooks import rows_of
from pptarena.tasks.task_files import packaged_file

__all__ = ["HARBOR_GOALS"]

_LOGOS = (1, 31, 32, 33)
_CHAPTERS = {
    3: "Why a new line",
    8: "The route",
    14: "Building it",
    19: "Costs",
    24: "Life at the harbour",
}


def _new_logo(deck: Any) -> None:
    for number in _LOGOS:
        replace_image(shape_named(deck, number, "Logo"), packaged_file("harbor/logo-new.png"))


def _stop_photo(deck: Any) -> None:
    photo = shape_named(deck, 11, "Haltestelle")
    replace_image(photo, packaged_file("harbor/stop.png"))
    photo._element.nvPicPr.cNvPr.set("descr", "Eine Bahn an der Haltestelle")


def _tram_film(deck: Any) -> None:
    box = (Cm(16), Cm(8.6), Cm(8), Cm(4.5))
    add_media(slide_at(deck, 10), "tram.avi", packaged_file("harbor/tram.avi"), box)


def _new_costs(deck: Any) -> None:
    rows = rows_of(packaged_file("harbor/costs.xlsx"))
    for row, texts in enumerate(rows[1:], start=2):
        rewrite_cell(deck, 20, "Costs", row, 3, texts[2])
    new_data: Any = CategoryChartData
    data = new_data(number_format="0.0")
    data.categories = [texts[0] for texts in rows[1:-1]]
    for column, name in ((1, "Planned"), (2, "Now")):
        data.add_series(name, [float(texts[column]) for texts in rows[1:-1]])
    shape_named(deck, 20, "Cost chart").chart.replace_data(data)
    shape_named(deck, 21, "Zahl 2").text_frame.paragraphs[0].runs[0].text = rows[-1][2]


def _partner_summary(deck: Any) -> None:
    found = opened(packaged_file("harbor/summary-en.pptx")).slides[0].placeholders[1]
    lines = found.text_frame.text.splitlines()
    frame = shape_named(deck, 31, "Summary").text_frame
    first = frame.paragraphs[0]._p
    for _ in lines[1:]:
        first.addnext(deepcopy(first))
    for paragraph, line in zip(frame.paragraphs, lines, strict=True):
        paragraph.runs[0].text = line


def _stop_level(deck: Any) -> None:
    stop = shape_named(deck, 10, "Stop 5")
    stop.top = shape_named(deck, 10, "Stop 1").top
    shape_named(deck, 10, "Stop 4 to Stop 5").end_connect(stop, 1)


def _contrast(deck: Any) -> None:
    font = shape_named(deck, 11, "Haltestellentext").text_frame.paragraphs[0].runs[0].font
    font.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _draft_stamp(deck: Any) -> None:
    layout = next(each for each in deck.slide_layouts if each.name == "Title Only")
    box = deck.slides[0].shapes.add_textbox(Cm(1), Cm(14.2), Cm(6), Cm(1))
    box.text_frame.text = "Entwurf"
    ids = [int(each.get("id")) for each in layout._element.xpath(".//p:cNvPr")]
    box._element.nvSpPr.cNvPr.set("id", str(max(ids) + 1))
    layout._element.cSld.spTree.append(box._element)


def _english_chapters(deck: Any) -> None:
    for line, (number, text) in enumerate(_CHAPTERS.items(), start=1):
        set_title(deck, number, text)
        set_body_line(deck, 2, line, text)


HARBOR_GOALS: Mapping[str, Callable[[Any], None]] = {
    "harbor-contrast": _contrast,
    "harbor-draft-stamp": _draft_stamp,
    "harbor-english-chapters": _english_chapters,
    "harbor-new-costs": _new_costs,
    "harbor-new-logo": _new_logo,
    "harbor-partner-summary": _partner_summary,
    "harbor-phone-call": lambda deck: rewrite_cell(deck, 12, "Fahrplan", 3, 2, "8 min"),
    "harbor-stop-level": _stop_level,
    "harbor-stop-photo": _stop_photo,
    "harbor-tram-film": _tram_film,
}
"""What carries out each task, as in ``office``; of tasks of several turns, the first."""

"""The goals of the suite ``office`` on the deck ``thesis``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from io import BytesIO
from typing import Any

from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    delete_slide,
    move_slide,
    set_body_line,
    set_notes,
    set_transition,
    shape_named,
    slide_at,
)

__all__ = ["THESIS_GOALS", "THESIS_LATER"]

Edit = Callable[[Any], None]

_BACKUP = (38, 39, 40, 41)
_RESULTS = (21, 22, 23, 24, 25, 26)
_CAPTIONS = (
    *((14, "Campus map"), (16, "Station"), (21, "Surface"), (22, "Hot day")),
    *((23, "Monthly evaporation"), (25, "Roots thin"), (25, "Roots thick"), (28, "Balance")),
    *((30, "Scatter"), (31, "Sensitivity")),
)


def _campus_wipe(deck: Any) -> None:
    set_transition(slide_at(deck, 14), 'wipe dir="l"')


def _level_steps(deck: Any) -> None:
    last = shape_named(deck, 17, "Step 5")
    last.top = shape_named(deck, 17, "Step 4").top
    shape_named(deck, 17, "Step 4 to Step 5").end_connect(last, 1)


def _subscripts(deck: Any) -> None:
    """Cut the only run before and behind each 2."""
    run = shape_named(deck, 28, "Balance text").text_frame.paragraphs[0].runs[0]._r
    whole = run.find(qn("a:t")).text
    pieces = whole.replace("2", "|2|").split("|")
    for piece in pieces:
        twin = deepcopy(run)
        twin.find(qn("a:t")).text = piece
        if piece == "2":
            twin.find(qn("a:rPr")).set("baseline", "-25000")
        run.addprevious(twin)
    run.getparent().remove(run)


def _accent(deck: Any) -> None:
    part = deck.slide_masters[0].part.part_related_by(RT.THEME)
    root = etree.fromstring(part.blob)
    for slot in root.iter(qn("a:accent2")):
        slot[0].set("val", "5A5F66")
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _grey_station(deck: Any) -> None:
    blip = next(shape_named(deck, 16, "Station")._element.iter(qn("a:blip")))
    blip.insert(0, etree.Element(qn("a:grayscl")))


def _source_14(deck: Any) -> None:
    last = slide_at(deck, 37).placeholders[1].text_frame.paragraphs[-1]._p
    last.addnext(deepcopy(last))
    set_body_line(deck, 37, 7, "[14] Ruiz: Roofs at night. Heat 6, 2024")
    set_body_line(deck, 12, 3, "No study has nights, but one [14]")


def _backup(deck: Any) -> None:
    for number in _BACKUP:
        slide_at(deck, number)._element.set("show", "0")
    move_slide(deck, 42, 38)


def _back_links(deck: Any) -> None:
    for number in _BACKUP:
        shape_named(deck, number, "Back 1").click_action.target_slide = slide_at(deck, 20)


def _station_copy(deck: Any) -> None:
    image = BytesIO(shape_named(deck, 16, "Station").image.blob)
    slide_at(deck, 38).shapes.add_picture(image, Cm(3.6), Cm(10.9), width=Cm(4))


def _renumber(deck: Any) -> None:
    for figure, (number, name) in enumerate(_CAPTIONS, start=3):
        run = shape_named(deck, number, f"Caption {name}").text_frame.paragraphs[0].runs[0]
        run.text = f"Figure {figure}: {run.text.split(': ', 1)[1]}"
    mention = slide_at(deck, 12).placeholders[1].text_frame.paragraphs[0]
    for run in mention.runs[1:]:
        run._r.getparent().remove(run._r)
    mention.runs[0].text = "Depth and climate change together"
    set_body_line(deck, 19, 4, "Figure 4 shows which sensors failed most: those in the soil")
    set_notes(deck, 31, "Compare with Figure 10; sun and depth are what counts.")
    delete_slide(deck, 11)


def _progress(deck: Any) -> None:
    for step, number in enumerate(_RESULTS, start=1):
        width = round(deck.slide_width * step / len(_RESULTS))
        top = deck.slide_height - Cm(0.3)
        bar = slide_at(deck, number).shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, top, width, Cm(0.3))
        bar.fill.solid()
        bar.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_2
        bar.line.fill.background()


def _limits(deck: Any) -> None:
    set_body_line(deck, 34, 3, "Flat roofs only [13]")


def _hot_noon(deck: Any) -> None:
    chart = shape_named(deck, 21, "Surface").chart
    plot = chart.plots[0]
    new_data: Any = CategoryChartData
    data = new_data(number_format="0")
    data.categories = list(plot.categories)
    for series in plot.series:
        values = [43 if value == 41 else value for value in series.values]
        data.add_series(series.name, values)
    chart.replace_data(data)


def _answer(deck: Any) -> None:
    shape_named(deck, 33, "Answer 1").text_frame.paragraphs[0].runs[0].text = "12 K"


def _own_paper(deck: Any) -> None:
    """Cut the words from their number and year, and make them bold."""
    run = slide_at(deck, 37).placeholders[1].text_frame.paragraphs[3].runs[0]
    pieces = ("[11] ", "Brandvold: Weighed roofs.", " Water 38, 2025")
    for piece in pieces:
        twin = deepcopy(run._r)
        twin.find(qn("a:t")).text = piece
        if piece == pieces[1]:
            twin.get_or_add_rPr().set("b", "1")
        run._r.addprevious(twin)
    run._r.getparent().remove(run._r)


def _paper_in_italics(deck: Any) -> None:
    run = slide_at(deck, 37).placeholders[1].text_frame.paragraphs[3].runs[1]
    run.font.bold, run.font.italic = None, True


THESIS_GOALS: Mapping[str, Edit] = {
    "thesis-accent": _accent,
    "thesis-back-links": _back_links,
    "thesis-backup": _backup,
    "thesis-campus-wipe": _campus_wipe,
    "thesis-grey-station": _grey_station,
    "thesis-level-steps": _level_steps,
    "thesis-progress": _progress,
    "thesis-renumber": _renumber,
    "thesis-source-14": _source_14,
    "thesis-station-copy": _station_copy,
    "thesis-subscripts": _subscripts,
    "thesis-supervisor": _limits,
}
"""What carries out each task, as in ``office``."""

THESIS_LATER: Mapping[str, tuple[Edit, ...]] = {
    "thesis-supervisor": (_hot_noon, _answer, _own_paper, _paper_in_italics),
}
"""What carries out each turn after the first, as in ``later_turns``."""

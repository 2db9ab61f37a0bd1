"""New and changed content must be presentable; flaws of the original or the target are excused."""

from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.util import Cm, Emu, Inches, Pt
from tests.slide_edits import shape_named, slide_at

from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.edits.pictures import insert_media
from pptarena.rewards import read_deck
from pptarena.rewards.fitness import Fitness, measure_fitness
from pptarena.tasks import get_task
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.task_files import packaged_file

pytestmark = pytest.mark.slow

# python-pptx has no types for these.
_RGB: Any = RGBColor
_DATA: Any = CategoryChartData

Edit = Callable[[Any], Any]
_ENTRANCE = (
    '<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:tnLst><p:par>'
    '<p:cTn id="1" dur="indefinite" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1">'
    '<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:par>'
    '<p:cTn id="3" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst>'
    "<p:childTnLst>"
    '<p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>'
    '<p:par><p:cTn id="5" presetID="1" presetClass="entr" fill="hold" nodeType="clickEffect">'
    '<p:stCondLst><p:cond delay="{delay}"/></p:stCondLst><p:childTnLst><p:set><p:cBhvr>'
    '<p:cTn id="6" dur="1" fill="hold"/><p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl>'
    "<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
    '<p:to><p:strVal val="visible"/></p:to></p:set></p:childTnLst></p:cTn></p:par></p:childTnLst>'
    "</p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq>"
    "</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
)
TASKS = ("field-quote-slide", "aurora-grey-dawn")


@cache
def deck_of(task: str) -> bytes:
    return get_task(task).deck_bytes()


def fitness(task: str, edit: Edit, target: Edit | None = None, base: Edit | None = None) -> Fitness:
    before = deck_of(task) if base is None else edit_deck(deck_of(task), base)
    match = match_decks(read_deck(before), read_deck(edit_deck(before, edit)))
    targets = () if target is None else (read_deck(edit_deck(before, target)),)
    return measure_fitness(match, diff_matched(match), (), targets)


def new_slide(deck: Any) -> Any:
    """Add an empty slide."""
    layouts = sorted(deck.slide_layouts, key=lambda each: len(each.placeholders))
    slide = deck.slides.add_slide(layouts[0])
    for each in list(slide.placeholders):
        each._element.getparent().remove(each._element)
    return slide


def text_box(slide: Any, text: str = "Figures of the second half", **style: Any) -> Any:
    box = slide.shapes.add_textbox(Inches(2), Inches(2.5), Inches(5), Inches(0.6))
    box.text_frame.word_wrap = True
    box.text_frame.text = text
    run = box.text_frame.paragraphs[0].runs[0]
    run.font.size = Pt(style.get("size", 18))
    run.font.color.rgb = _RGB.from_string(style.get("color", "202020"))
    panel = style.get("panel", "FFFFFF")
    box.fill.solid()
    box.fill.fore_color.rgb = _RGB.from_string(panel)
    if "font" in style:
        run.font.name = style["font"]
    for name in ("strike", "baseline", "u", "spc"):
        if name in style:
            run.font._rPr.set(name, style[name])
    return box


def with_text(**style: Any) -> Edit:
    return lambda deck: text_box(new_slide(deck), **style)


def turned(degrees: float, upright: bool = False) -> Edit:
    def edit(deck: Any) -> None:
        box = text_box(new_slide(deck))
        box.rotation = degrees
        if upright:
            box.text_frame._txBody.bodyPr.set("upright", "1")

    return edit


def vertical(name: str) -> Edit:
    def edit(deck: Any) -> None:
        box = text_box(new_slide(deck))
        box.width, box.height = box.height, box.width
        box.text_frame._txBody.bodyPr.set("vert", name)

    return edit


def late(seconds: int) -> Edit:
    """Return an edit that adds a text whose effect starts `seconds` after a click."""

    def edit(deck: Any) -> None:
        slide = new_slide(deck)
        box = text_box(slide)
        slide._element.append(parse_xml(_ENTRANCE.format(delay=1000 * seconds, id=box.shape_id)))

    return edit


def flipped(deck: Any) -> None:
    text_box(new_slide(deck))._element.spPr.find(qn("a:xfrm")).set("flipV", "1")


def moved(left: float, top: float) -> Edit:
    def edit(deck: Any) -> None:
        box = text_box(new_slide(deck))
        box.left, box.top = Emu(int(left * deck.slide_width)), Emu(int(top * deck.slide_height))

    return edit


def shape(color: str | None, *, left: float = 0.2, line: str = "", shadow: bool = False) -> Edit:
    def edit(deck: Any) -> None:
        slide = new_slide(deck)
        white_background(slide)
        added = slide.shapes.add_shape(
            MSO_SHAPE.RECTANGLE, Emu(int(left * deck.slide_width)), Inches(2), Inches(3), Inches(1)
        )
        if color is None:
            added.fill.background()
        else:
            added.fill.solid()
            added.fill.fore_color.rgb = _RGB.from_string(color)
        if line:
            added.line.color.rgb = _RGB.from_string(line)
        else:
            added.line.fill.background()
        if shadow:
            effects = etree.SubElement(added._element.spPr, qn("a:effectLst"))
            outer = etree.SubElement(effects, qn("a:outerShdw"), blurRad="90000", dist="40000")
            etree.SubElement(outer, qn("a:srgbClr"), val="404040")

    return edit


def connector(color: str) -> Edit:
    def edit(deck: Any) -> None:
        slide = new_slide(deck)
        white_background(slide)
        ends = Inches(1), Inches(1), Inches(5), Inches(3)
        line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, *ends)
        line.line.color.rgb = _RGB.from_string(color)
        line.line.width = Pt(1.5)

    return edit


def white_background(slide: Any) -> None:
    """Hide the shapes of the layout behind a white background."""
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = _RGB(255, 255, 255)
    slide._element.set("showMasterSp", "0")


def picture(crop: float = 0.0, turn: float = 0.0, opacity: int = 100) -> Edit:
    def edit(deck: Any) -> None:
        image = BytesIO(PICTURE)
        added = new_slide(deck).shapes.add_picture(
            image, Inches(2), Inches(2), Inches(3), Inches(2)
        )
        added.crop_right = added.crop_bottom = crop
        added.rotation = turn
        if opacity < 100:
            blip = added._element.find(f".//{qn('a:blip')}")
            etree.SubElement(blip, qn("a:alphaModFix"), amt=str(opacity * 1000))

    return edit


def _png() -> bytes:
    from PIL import Image

    out = BytesIO()
    Image.linear_gradient("L").convert("RGB").save(out, "PNG")
    return out.getvalue()


PICTURE = _png()


def chart(*, low: float | None = None, high: float | None = None, visible: bool = True) -> Edit:
    def edit(deck: Any) -> None:
        data = _DATA()
        data.categories = ["North", "South", "West"]
        data.add_series("Budget", (12, 18, 27))
        place = Inches(1), Inches(1.5), Inches(6), Inches(3)
        kind = XL_CHART_TYPE.COLUMN_CLUSTERED
        frame = new_slide(deck).shapes.add_chart(kind, *place, data)
        axis = frame.chart.value_axis
        if low is not None:
            axis.minimum_scale = low
        if high is not None:
            axis.maximum_scale = high
        if not visible:
            frame.chart.plots[0].series[0].format.fill.background()
            frame.chart.plots[0].series[0].format.line.fill.background()

    return edit


def two_boxes(shift_in: float, *, panel: bool = False) -> Edit:
    def edit(deck: Any) -> None:
        slide = new_slide(deck)
        for each in (0.0, shift_in):
            box = text_box(slide)
            box.top = Emu(box.top + Inches(each))
            if not panel:
                box.fill.background()

    return edit


UNFIT: dict[str, tuple[Edit, float]] = {
    "upside down": (turned(180), 0.4),
    "nearly upside down": (turned(150), 0.4),
    "on its side": (turned(90), 0.65),
    "lines upright": (vertical("vert270"), 0.65),
    "flipped over": (flipped, 0.4),
    "1 pt": (with_text(size=1), 0.2),
    "4.5 pt": (with_text(size=4.5), 0.3),
    "7 pt": (with_text(size=7), 0.55),
    "white on white": (with_text(color="FFFFFF"), 0.4),
    "pale grey on white": (with_text(color="C8C8C8"), 0.6),
    "yellow on white": (with_text(color="FFFF00"), 0.4),
    "dark on dark": (with_text(color="303030", panel="202020"), 0.4),
    "Wingdings": (with_text(font="Wingdings"), 0.2),
    "Webdings": (with_text(font="Webdings"), 0.2),
    "Symbol": (with_text(font="Symbol"), 0.2),
    "struck through": (with_text(strike="sngStrike"), 0.65),
    "superscript": (with_text(baseline="30000"), 0.65),
    "underlined twice": (with_text(u="dbl"), 0.65),
    "a word in each line": (with_text(text="Figures\vof\vthe\vsecond\vhalf"), 0.5),
    "tabs between the words": (with_text(text="Figures\t\t\t\tof\t\t\t\t2026"), 0.5),
    "shown after ten minutes": (late(600), 0.3),
    "letters far apart": (with_text(spc="1200"), 0.65),
    "beside the slide": (moved(1.02, 0.3), 0.2),
    "below the slide": (moved(0.2, 1.02), 0.2),
    "half left of the slide": (moved(-0.18, 0.3), 0.6),
    "white shape": (shape("FFFFFF"), 0.1),
    "nearly white shape": (shape("FAFAF5"), 0.1),
    "shape without fill and line": (shape(None), 0.1),
    "pale shape, paler line": (shape("F8F8F8", line="FDFDFD"), 0.1),
    "white connector": (connector("FFFFFF"), 0.1),
    "nearly white connector": (connector("F5F5FA"), 0.1),
    "shape nearly outside": (shape("C00000", left=-0.28), 0.4),
    "picture cut to nothing": (picture(crop=0.9), 0.4),
    "picture upside down": (picture(turn=180), 0.4),
    "faint picture": (picture(opacity=10), 0.4),
    "axis above the values": (chart(low=100, high=200), 0.2),
    "axis below the values": (chart(low=0, high=10), 0.4),
    "series without color": (chart(visible=False), 0.2),
    "text on text": (two_boxes(0.0), 0.4),
    "text half on text": (two_boxes(0.1), 0.6),
    "text box over a text": (two_boxes(0.1, panel=True), 0.6),
}

FIT: dict[str, Edit] = {
    "caption of 9 pt": with_text(size=9),
    "note of 8 pt": with_text(size=8),
    "underlined": with_text(u="sng"),
    "lines of an address": with_text(text="Main Street 12\v8002 Zurich\vTel. 044 12\vOpen daily"),
    "columns by tabs": with_text(text="North\t12\t14"),
    "shown after a second": late(1),
    "letters a little apart": with_text(spc="150"),
    "grey text": with_text(color="767676"),
    "mid grey text": with_text(color="909090"),
    "white on a dark panel": with_text(color="FFFFFF", panel="203040"),
    "orange on white": with_text(color="E07000"),
    "turned by 45 degrees": turned(45),
    "turned by -30 degrees": turned(330),
    "turned, but upright": turned(180, upright=True),
    "East Asian vertical": vertical("eaVert"),
    "at the edge": moved(0.0, 0.0),
    "white card with a line": shape("FFFFFF", line="606060"),
    "white card with a shadow": shape("FFFFFF", shadow=True),
    "light blue band": shape("DDE8F5"),
    "shape that bleeds": shape("1F4E79", left=-0.1),
    "thin grey connector": connector("A0A0A0"),
    "picture cropped by half": picture(crop=0.3),
    "tilted picture": picture(turn=8),
    "light picture": picture(opacity=60),
    "chart from 0 to 30": chart(low=0, high=30),
    "chart from 10 on": chart(low=10),
    "chart as it comes": chart(),
    "two texts": two_boxes(0.8),
    "Georgia": with_text(font="Georgia"),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", UNFIT)
def test_unfit_work_loses_points(name: str, task: str) -> None:
    edit, maximum = UNFIT[name]
    result = fitness(task, edit)
    assert result.share <= maximum, result
    assert result.reason.startswith("not presentable: ")


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", FIT)
def test_presentable_work_loses_nothing(name: str, task: str) -> None:
    assert fitness(task, FIT[name]) == Fitness(1.0)


def test_flaws_of_the_target_are_excused() -> None:
    assert fitness(TASKS[0], turned(180), target=turned(180)) == Fitness(1.0)
    assert fitness(TASKS[0], with_text(size=7), target=with_text(size=7)) == Fitness(1.0)


def sound(side_cm: float) -> Edit:
    def edit(deck: Any) -> None:
        box = (Inches(1), Inches(1), Cm(side_cm), Cm(side_cm))
        insert_media(new_slide(deck), "intro.wav", packaged_file("aurora/intro.wav"), box)

    return edit


@pytest.mark.parametrize(("side_cm", "maximum"), [(0.06, 0.5), (0.4, 0.5), (9.0, 0.6)])
def test_sound_icon_must_be_clickable_and_small(side_cm: float, maximum: float) -> None:
    assert fitness(TASKS[0], sound(side_cm)).share <= maximum
    assert fitness(TASKS[0], sound(side_cm), target=sound(side_cm)) == Fitness(1.0)
    assert fitness(TASKS[0], sound(1.2)) == Fitness(1.0)


def test_shape_deleted_by_the_target_is_no_neighbor() -> None:
    def add_film(deck: Any) -> None:
        old = shape_named(deck, 10, "Placeholder 1")
        box = (old.left, old.top, old.width, old.height)
        insert_media(slide_at(deck, 10), "demo.avi", packaged_file("aurora/demo.avi"), box)

    def replace_by_film(deck: Any) -> None:
        add_film(deck)
        old = shape_named(deck, 10, "Placeholder 1")._element
        old.getparent().remove(old)

    assert fitness("aurora-desk-film", add_film).share < 0.5
    assert fitness("aurora-desk-film", add_film, target=replace_by_film) == Fitness(1.0)


def test_flaws_of_the_original_are_excused() -> None:
    def reword(deck: Any) -> None:
        deck.slides[len(deck.slides) - 1].shapes[0].text_frame.paragraphs[0].runs[0].text = "Sums"

    assert fitness(TASKS[0], reword, base=turned(180)) == Fitness(1.0)


def test_background_used_nowhere_else_is_unfit() -> None:
    def red_slide(deck: Any) -> None:
        slide = new_slide(deck)
        text_box(slide)
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = _RGB(255, 0, 0)

    result = fitness(TASKS[0], red_slide, target=with_text())
    assert result.share <= 0.6
    assert "background differs from the other slides" in result.reason
    assert fitness(TASKS[0], red_slide, target=red_slide) == Fitness(1.0)


def test_illegible_stamp_on_a_layout_is_unfit() -> None:
    def stamp(**style: Any) -> Edit:
        def edit(deck: Any) -> None:
            box = text_box(new_slide(deck), "Draft", **style)
            element = box._element
            used = deck.slides[1].slide_layout
            element.getparent().remove(element)
            used.shapes._spTree.append(element)
            box.left = box.top = Emu(0)
            rid = deck.slides._sldIdLst[-1]
            deck.slides._sldIdLst.remove(rid)

        return edit

    assert fitness(TASKS[0], stamp(color="FFFFFF")).share <= 0.2
    assert fitness(TASKS[0], stamp(size=1)).share <= 0.2

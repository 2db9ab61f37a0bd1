"""Twelve tasks of a trial as folders: their files lie in ``tasks``, their golds are made here.

Each gold deck is what its instruction asks for, done by an edit of the file. The rubrics are as
they were written before anything judged them leaf by leaf, mistakes included; only words that the
format has learnt since (``new_shapes``) and a colour that cannot be read on its slides are changed.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Cm, Inches, Pt
from tests.slide_edits import shape_named, slide_at

from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.goals.editing import edited, move_slide

TASKS = Path(__file__).parent / "tasks"


def rgb(text: str) -> Any:
    kind: Any = RGBColor
    return kind.from_string(text)


def agenda_links(deck: Any) -> None:
    body = slide_at(deck, 2).placeholders[1]
    targets = {
        "The quarter at a glance": 3,
        "Where the growth came from": 5,
        "Operations": 11,
        "Risks and the plan for Q4": 14,
    }
    for paragraph in body.text_frame.paragraphs:
        if paragraph.text not in targets:
            continue
        to = slide_at(deck, targets[paragraph.text]).part
        link = f'r:id="{body.part.relate_to(to, RT.SLIDE)}"'
        xml = f'<a:hlinkClick {nsdecls("a", "r")} {link} action="ppaction://hlinksldjump"/>'
        for run in paragraph.runs:
            run._r.get_or_add_rPr().append(parse_xml(xml))
    last = slide_at(deck, 17)
    home = last.shapes.add_shape(MSO_SHAPE.RECTANGLE, Cm(1), Cm(14.3), Cm(2.5), Cm(1))
    home.text_frame.text = "Home"
    home.click_action.target_slide = slide_at(deck, 2)


def chart_from_table(deck: Any) -> None:
    layout = slide_at(deck, 6).slide_layout
    slide = deck.slides.add_slide(layout)
    slide.shapes.title.text = "Regions compared"
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["North", "East", "South", "West"]
    data.add_series("Q3 2025", (15.9, 9.7, 12.8, 5.8))
    data.add_series("Q3 2026", (16.8, 10.5, 13.9, 7.0))
    box = Cm(1), Cm(4), Cm(26), Cm(10)
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
    move_slide(deck, len(deck.slides), 7)


def combine(deck: Any) -> None:
    slide = deck.slides.add_slide(slide_at(deck, 15).slide_layout)
    slide.shapes.title.text = "Two ways to measure"
    table = slide.shapes.add_table(3, 2, Cm(5), Cm(3), Cm(22), Cm(3)).table
    rows = (
        ("Dilution", "Disc diffusion"),
        ("Gives the MIC", "Gives the width of a zone"),
        ("Many tubes", "One dish, many discs"),
    )
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    for number, name, left in ((13, "Tubes", 5), (14, "Dish", 18)):
        source = shape_named(deck, number, name)
        copy = deepcopy(source._element)
        slide.shapes._spTree.append(copy)
        blip = next(copy.iter(qn("a:blip")))
        image = source.part.related_part(blip.get(qn("r:embed")))
        blip.set(qn("r:embed"), slide.part.relate_to(image, RT.IMAGE))
        picture = slide.shapes[-1]
        ratio = picture.width / picture.height
        picture.left, picture.top, picture.height = Cm(left), Cm(8), Cm(4)
        picture.width = round(picture.height * ratio)
    move_slide(deck, len(deck.slides), 15)


def currency(deck: Any) -> None:
    for slide in deck.slides:
        roots = [slide._element]
        if slide.has_notes_slide:
            roots.append(slide.notes_slide._element)
        roots += [s.chart._chartSpace for s in slide.shapes if s.has_chart]
        for root in roots:
            for text in root.iter(qn("a:t")):
                text.text = (text.text or "").replace("€", "EUR ")


def fifth_step(deck: Any) -> None:
    last = shape_named(deck, 10, "Step 4")
    element = deepcopy(last._element)
    last._element.addnext(element)
    new = next(s for s in slide_at(deck, 10).shapes if s._element is element)
    new.name = "Returns"
    element.nvSpPr.cNvPr.set("id", "20")
    texts = [run for paragraph in new.text_frame.paragraphs for run in paragraph.runs]
    texts[0].text, texts[-1].text = "Returns", "3,900"
    new.fill.solid()
    new.fill.fore_color.rgb = rgb("7B1FA2")
    for number in range(1, 6):
        step = new if number == 5 else shape_named(deck, 10, f"Step {number}")
        step.left, step.width = Inches(0.4) + (number - 1) * Inches(2.1), Inches(2)


def fly_in(deck: Any) -> None:
    slide = slide_at(deck, 9)
    body = slide.placeholders[1]
    count = len(body.text_frame.paragraphs)
    clicks = "".join(_fly(body.shape_id, n, 3 + 6 * n) for n in range(count))
    xml = (
        f'<p:timing {nsdecls("p")}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" '
        'restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek">'
        f'<p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>{clicks}'
        '</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl>'
        '<p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst><p:nextCondLst><p:cond evt="onNext" '
        'delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst></p:seq>'
        "</p:childTnLst></p:cTn></p:par></p:tnLst><p:bldLst>"
        f'<p:bldP spid="{body.shape_id}" grpId="0" build="p"/></p:bldLst></p:timing>'
    )
    for old in slide._element.findall(qn("p:timing")):
        slide._element.remove(old)
    slide._element.append(parse_xml(xml))


def _fly(shape: int, paragraph: int, id: int) -> str:
    target = (
        f'<p:tgtEl><p:spTgt spid="{shape}"><p:txEl><p:pRg st="{paragraph}" end="{paragraph}"/>'
        "</p:txEl></p:spTgt></p:tgtEl>"
    )
    moves = "".join(
        f'<p:anim calcmode="lin" valueType="num"><p:cBhvr additive="base"><p:cTn id="{id + at}" '
        f'dur="500" fill="hold"/>{target}<p:attrNameLst><p:attrName>{name}</p:attrName>'
        f'</p:attrNameLst></p:cBhvr><p:tavLst><p:tav tm="0"><p:val><p:strVal val="{start}"/>'
        f'</p:val></p:tav><p:tav tm="100000"><p:val><p:strVal val="#{name}"/></p:val></p:tav>'
        "</p:tavLst></p:anim>"
        for at, name, start in ((4, "ppt_x", "0-#ppt_w/2"), (5, "ppt_y", "#ppt_y"))
    )
    wait = '<p:stCondLst><p:cond delay="0"/></p:stCondLst>'
    return (
        f'<p:par><p:cTn id="{id}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>'
        f'</p:stCondLst><p:childTnLst><p:par><p:cTn id="{id + 1}" fill="hold">{wait}'
        f'<p:childTnLst><p:par><p:cTn id="{id + 2}" presetID="2" presetClass="entr" '
        f'presetSubtype="8" fill="hold" grpId="0" nodeType="clickEffect">{wait}<p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{id + 3}" dur="1" fill="hold">{wait}</p:cTn>{target}'
        "<p:attrNameLst><p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr>"
        f'<p:to><p:strVal val="visible"/></p:to></p:set>{moves}</p:childTnLst></p:cTn></p:par>'
        "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
    )


def footer(deck: Any) -> None:
    for number in range(2, len(deck.slides) + 1):
        slide = slide_at(deck, number)
        box = slide.shapes.add_textbox(Cm(8), Cm(14.5), Cm(12), Cm(0.9))
        place = parse_xml(f'<p:ph {nsdecls("p")} type="ftr" sz="quarter" idx="11"/>')
        box._element.nvSpPr.nvPr.append(place)
        box.name = f"Footer {number}"
        paragraph = box.text_frame.paragraphs[0]
        paragraph.text = "Microbiology, winter term"
        paragraph._p.get_or_add_pPr().set("algn", "ctr")


def missed_targets(deck: Any) -> None:
    table = shape_named(deck, 12, "Measures").table
    for row in (2, 3, 4, 5):
        cell = table.cell(row, 3)
        cell.fill.solid()
        cell.fill.fore_color.rgb = rgb("C0392B")
        for paragraph in cell.text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.color.rgb = rgb("FFFFFF")


def pie(deck: Any) -> None:
    chart = shape_named(deck, 7, "Product lines").chart
    plot = chart._chartSpace.chart.plotArea
    bars = plot.find(qn("c:barChart"))
    series = bars.find(qn("c:ser"))
    labels = (
        f'<c:dLbls {nsdecls("c")}><c:showLegendKey val="0"/><c:showVal val="0"/>'
        '<c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="1"/>'
        '<c:showBubbleSize val="0"/></c:dLbls>'
    )
    for tag in ("c:invertIfNegative", "c:dLbls"):
        for old in series.findall(qn(tag)):
            series.remove(old)
    series.find(qn("c:cat")).addprevious(parse_xml(labels))
    round_ = parse_xml(f'<c:pieChart {nsdecls("c")}><c:varyColors val="1"/></c:pieChart>')
    round_.append(series)
    bars.addprevious(round_)
    plot.remove(bars)
    for tag in ("c:catAx", "c:valAx"):
        for axis in plot.findall(qn(tag)):
            plot.remove(axis)
    chart.has_legend = True
    chart.legend.position = XL_LEGEND_POSITION.BOTTOM
    chart.legend.include_in_layout = False


def progress_bar(deck: Any) -> None:
    count = len(deck.slides)
    for number, slide in enumerate(deck.slides, 1):
        width, height = round(deck.slide_width * number / count), Cm(0.2)
        box = 0, deck.slide_height - height, width, height
        bar = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *box)
        bar.name = "Progress"
        bar.fill.solid()
        bar.fill.fore_color.rgb = rgb("E65100")
        bar.line.fill.background()


def rebrand(deck: Any) -> None:
    master = deck.slide_masters[0]
    style = master._element.find(qn("p:txStyles")).find(qn("p:titleStyle"))
    colored = (
        f'<a:defRPr {nsdecls("a")} sz="3200"><a:solidFill><a:srgbClr val="A5D6A7"/></a:solidFill>'
        '<a:latin typeface="Georgia"/></a:defRPr>'
    )
    for place in (master._element, *(layout._element for layout in master.slide_layouts)):
        for level in place.iter(qn("a:lvl1pPr")):
            holder = next(level.iterancestors(qn("p:sp")), None)
            if holder is not None and _is_title(holder):
                _replace_font(level, colored)
    _replace_font(style.find(qn("a:lvl1pPr")), colored)
    box = slide_at(deck, 1).shapes.add_textbox(Cm(22), Cm(0.2), Cm(5), Cm(0.8))
    box.text_frame.text = "Confidential"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(12)
    alone = [each for each in master.slide_layouts if each._element.get("showMasterSp") == "0"]
    for holder in (master, *alone):  # a layout that stands alone shows no shapes of its master
        copy = deepcopy(box._element)
        copy.nvSpPr.cNvPr.set("id", "99")
        holder.shapes._spTree.append(copy)
    box._element.getparent().remove(box._element)


def _is_title(shape: Any) -> bool:
    return any(place.get("type") in ("title", "ctrTitle") for place in shape.iter(qn("p:ph")))


def _replace_font(level: Any, xml: str) -> None:
    for old in level.findall(qn("a:defRPr")):
        level.remove(old)
    level.append(parse_xml(xml))


def text_to_notes(deck: Any) -> None:
    slide = slide_at(deck, 9)
    body = slide.placeholders[1]
    notes = slide.notes_slide.notes_text_frame
    for paragraph in body.text_frame.paragraphs:
        notes.add_paragraph().text = paragraph.text
    body._element.getparent().remove(body._element)
    for timing in slide._element.findall(qn("p:timing")):
        slide._element.remove(timing)


GOLDS: Mapping[str, Callable[[Any], None]] = {
    "agenda-links": agenda_links,
    "chart-from-table": chart_from_table,
    "combine": combine,
    "currency": currency,
    "fifth-step": fifth_step,
    "fly-in": fly_in,
    "footer": footer,
    "missed-targets": missed_targets,
    "pie": pie,
    "progress-bar": progress_bar,
    "rebrand": rebrand,
    "text-to-notes": text_to_notes,
}


@pytest.fixture(scope="session")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of the twelve folders, each with its gold deck, and the task that cannot be done."""
    folder = tmp_path_factory.mktemp("trials") / "trials"
    shutil.copytree(TASKS, folder)
    for id, edit in GOLDS.items():
        deck = json.loads((folder / id / "task.json").read_text("utf-8"))["deck"]
        (folder / id / "gold.pptx").write_bytes(edited(read_deck_file(deck), edit))
    return folder

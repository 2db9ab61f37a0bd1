"""Solutions that the edit vocabulary cannot express, as python-pptx programs."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from io import BytesIO
from typing import Any

from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Cm, Inches, Pt

from pptarena.edits.markup import insert_motion
from pptarena.tasks.goals.editing import shape_named, slide_at

__all__ = ["PROGRAMS"]

_ALARM = (
    "Leave everything where it is",
    "Walk to the nearest green door",
    "Meet at the flagpole",
    "Stay until your name was called",
)


def _alarm_arrows(deck: Any) -> None:
    slide = slide_at(deck, 16)
    body = slide.placeholders[1]
    body._element.getparent().remove(body._element)
    for place, text in enumerate(_ALARM):
        arrow = slide.shapes.add_shape(
            MSO_SHAPE.PENTAGON, Cm(1.4 + 6.4 * place), Cm(5.4), Cm(6), Cm(4.4)
        )
        arrow.adjustments[0] = 0.2
        frame = arrow.text_frame
        frame.word_wrap = True
        frame.text = text
        frame.paragraphs[0].font.size = Pt(18)


def _questions_later(deck: Any) -> None:
    timing = deepcopy(slide_at(deck, 11)._element.find(qn("p:timing")))
    clicks = timing.find(f".//{qn('p:seq')}/{qn('p:cTn')}/{qn('p:childTnLst')}")
    clicks.remove(clicks[1])
    slide = slide_at(deck, 18)
    for target in timing.iter(qn("p:spTgt")):
        target.set("spid", str(slide.placeholders[2].shape_id))
    insert_motion(slide._element, timing)


def _highlight(deck: Any) -> None:
    run = shape_named(deck, 2, "Caption").text_frame.paragraphs[0].runs[0]
    style = run._r.get_or_add_rPr()
    behind = style.makeelement(qn("a:highlight"), {})
    behind.append(behind.makeelement(qn("a:srgbClr"), {"val": "0000FF"}))
    style.append(behind)


def _chart_from_table(deck: Any) -> None:
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Rome", "Oslo"]
    data.add_series("Cost", (12, 9))
    places = (Inches(each) for each in (1, 4, 5, 3))
    slide_at(deck, 3).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *places, data)


def _embed_pictures(deck: Any) -> None:
    for slide, color in zip(list(deck.slides)[1:], ("red", "green"), strict=True):
        file = BytesIO()
        Image.new("RGB", (80, 60), color).save(file, "PNG")
        _, inside = slide.part.get_or_add_image_part(file)
        blip = slide.shapes[-1]._element.find(f".//{qn('a:blip')}")
        slide.part.drop_rel(blip.attrib.pop(qn("r:link")))
        blip.set(qn("r:embed"), inside)


PROGRAMS: Mapping[str, Callable[[Any], None]] = {
    "onboard-alarm-arrows": _alarm_arrows,
    "resistance-questions-later": _questions_later,
    "sixty-highlight": _highlight,
    "sixty-chart-from-table": _chart_from_table,
    "sixty-embed-pictures": _embed_pictures,
}
"""The program of each task."""

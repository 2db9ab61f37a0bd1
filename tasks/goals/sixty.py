"""Solutions of the tasks of ``benchmarks/sixty``, as edits of its deck."""

from collections.abc import Callable, Mapping
from io import BytesIO
from itertools import pairwise
from typing import Any

from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn
from pptx.util import Inches, Pt

from pptarena.tasks.goals.editing import delete_slide, shape_named, slide_at

__all__ = ["SIXTY_GOALS"]


def _paint(shape: Any, color: str, opacity_pct: int = 100) -> Any:
    kind: Any = RGBColor
    shape.fill.solid()
    shape.fill.fore_color.rgb = kind.from_string(color)
    if opacity_pct < 100:
        value = next(shape._element.spPr.iter(qn("a:srgbClr")))
        value.append(value.makeelement(qn("a:alpha"), {"val": str(opacity_pct * 1000)}))
    return shape


def _add(deck: Any, number: int, outline: Any, text: str, *inches: float) -> Any:
    places = (Inches(each) for each in inches)
    shape = slide_at(deck, number).shapes.add_shape(outline, *places)
    if text:
        shape.text_frame.text = text
    return shape


def _box(deck: Any, number: int, text: str, *inches: float) -> Any:
    places = (Inches(each) for each in inches)
    shape = slide_at(deck, number).shapes.add_textbox(*places)
    shape.text_frame.text = text
    return shape


def _fourth_circle(deck: Any) -> None:
    _paint(_add(deck, 2, MSO_SHAPE.OVAL, "P4", 7, 2, 1.2, 1.2), "FF8000")


def _purple_box(deck: Any) -> None:
    _paint(_add(deck, 2, MSO_SHAPE.RECTANGLE, "Proc 3", 6.6, 2, 1.5, 1.2), "800080")


def _green_circle(deck: Any) -> None:
    _paint(shape_named(deck, 2, "P1"), "008000")


def _blue_tint(deck: Any) -> None:
    _paint(_add(deck, 4, MSO_SHAPE.RECTANGLE, "", 0.5, 3, 2, 1.5), "0000FF", 50)


def _highlight(deck: Any) -> None:
    run = shape_named(deck, 2, "Caption").text_frame.paragraphs[0].runs[0]
    style = run._r.get_or_add_rPr()
    behind = style.makeelement(qn("a:highlight"), {})
    behind.append(behind.makeelement(qn("a:srgbClr"), {"val": "0000FF"}))
    style.append(behind)


def _callout(deck: Any) -> None:
    body = slide_at(deck, 6).placeholders[1]
    places = (body.left, body.top + body.height // 10, body.width * 2 // 5, body.height // 5)
    slide_at(deck, 6).shapes.add_shape(MSO_SHAPE.RECTANGLE, *places).fill.background()


def _two_columns(deck: Any) -> None:
    frame = slide_at(deck, 5).placeholders[1].text_frame
    frame._txBody.bodyPr.set("numCol", "2")


def _important_note(deck: Any) -> None:
    _box(deck, 8, "Important Note", 7.2, 6.6, 2.5, 0.6)


def _footer(deck: Any) -> None:
    for number in range(1, len(deck.slides) + 1):
        box = _box(deck, number, "Course 12", 3, 6.8, 4, 0.4)
        box.text_frame.paragraphs[0].alignment = PP_ALIGN.CENTER


def _chart(deck: Any) -> None:
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Rome", "Oslo"]
    data.add_series("Cost", (12, 9))
    places = (Inches(each) for each in (1, 4, 5, 3))
    slide_at(deck, 3).shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *places, data)


def _wikipedia(deck: Any) -> None:
    pages = ("Isaac_Newton", "Henry_Cavendish", "James_Prescott_Joule")
    paragraphs = slide_at(deck, 6).placeholders[1].text_frame.paragraphs
    for paragraph, page in zip(paragraphs, pages, strict=True):
        paragraph.runs[0].hyperlink.address = f"https://en.wikipedia.org/wiki/{page}"


def _title_below(deck: Any) -> None:
    title = slide_at(deck, 4).shapes.title
    title.left, title.top, title.width, title.height = map(Inches, (0.5, 5, 9, 1))


def _second_quarter(deck: Any) -> None:
    slide_at(deck, 7).shapes.title.text = "Costs in Second Quarter"


def _to_notes(deck: Any) -> None:
    notes = slide_at(deck, 5).notes_slide.notes_text_frame
    notes.text = slide_at(deck, 6).placeholders[1].text_frame.text
    delete_slide(deck, 6)


def _thousands(deck: Any) -> None:
    for text in slide_at(deck, 5)._element.iter(qn("a:t")):
        text.text = text.text.replace("12500", "12,500").replace("48000", "48,000")


def _centre(deck: Any) -> None:
    for paragraph in slide_at(deck, 8).placeholders[1].text_frame.paragraphs:
        paragraph.alignment = PP_ALIGN.CENTER


def _logo(deck: Any) -> None:
    from io import BytesIO

    from PIL import Image

    for slide in deck.slides:
        file = BytesIO()
        Image.new("RGB", (40, 40), "orange").save(file, "PNG")
        slide.shapes.add_picture(file, Inches(9), Inches(0.2), Inches(0.8), Inches(0.8))


def _progress_bar(deck: Any) -> None:
    count = len(deck.slides)
    for at, slide in enumerate(deck.slides, start=1):
        width, height = round(deck.slide_width * at / count), Inches(0.2)
        top = deck.slide_height - height
        bar = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, top, width, height)
        _paint(bar, "1F4E79")


def _three_colours(deck: Any) -> None:
    for name, color in (("Box1", "FFFF00"), ("Box2", "FF0000"), ("Box3", "00B050")):
        _paint(shape_named(deck, 7, name), color)


def _yellow(deck: Any) -> None:
    for number in (4, 8):
        _paint(slide_at(deck, number).background, "FFFF00")


def _same_size(deck: Any) -> None:
    for name in ("Pic1", "Pic2", "Pic3"):
        shape_named(deck, 4, name).height = Inches(2)


def _align(deck: Any) -> None:
    for at, name in enumerate(("Pic1", "Pic2", "Pic3")):
        picture = shape_named(deck, 4, name)
        picture.left, picture.top = Inches(0.5 + 2.5 * at), Inches(2)


def _architecture(deck: Any) -> None:
    boxes = [
        _paint(_add(deck, 3, MSO_SHAPE.RECTANGLE, text, 6.5, top, 2, 0.8), color)
        for text, top, color in (("Web", 1.6, "C00000"), ("Logic", 3.4, "0070C0"),
                                 ("Store", 5.2, "00B050"))
    ]  # fmt: skip
    for first, second in pairwise(boxes):
        line = slide_at(deck, 3).shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 9, 9)
        line.begin_connect(first, 2)
        line.end_connect(second, 0)


def _menu(deck: Any) -> None:
    for at, (text, number) in enumerate((("Facts", 3), ("Gallery", 4), ("Steps", 5))):
        shape = _add(deck, 1, MSO_SHAPE.RECTANGLE, text, 1 + 2.8 * at, 6.2, 2, 0.8)
        shape.click_action.target_slide = slide_at(deck, number)


def _polaroids(deck: Any) -> None:
    kind: Any = RGBColor
    for name, degrees in (("Pic1", 5), ("Pic2", 9), ("Pic3", 12)):
        picture = shape_named(deck, 4, name)
        picture.rotation = degrees
        picture.line.color.rgb = kind.from_string("FFFFFF")
        picture.line.width = Pt(6)


def _crop(deck: Any) -> None:
    shape_named(deck, 4, "Pic1").crop_bottom = 0.5


def _embed(deck: Any) -> None:
    for slide, color in zip(list(deck.slides)[1:], ("red", "green"), strict=True):
        file = BytesIO()
        Image.new("RGB", (80, 60), color).save(file, "PNG")
        _, inside = slide.part.get_or_add_image_part(file)
        blip = slide.shapes[-1]._element.find(f".//{qn('a:blip')}")
        slide.part.drop_rel(blip.attrib.pop(qn("r:link")))
        blip.set(qn("r:embed"), inside)


_GOALS: Mapping[str, Callable[[Any], None]] = {
    "fourth-circle": _fourth_circle,
    "purple-box": _purple_box,
    "green-circle": _green_circle,
    "blue-tint": _blue_tint,
    "highlight": _highlight,
    "callout": _callout,
    "two-columns": _two_columns,
    "important-note": _important_note,
    "footer": _footer,
    "chart-from-table": _chart,
    "wikipedia": _wikipedia,
    "title-below": _title_below,
    "second-quarter": _second_quarter,
    "to-notes": _to_notes,
    "thousands": _thousands,
    "centre-titles": _centre,
    "logo": _logo,
    "progress-bar": _progress_bar,
    "three-colours": _three_colours,
    "yellow-background": _yellow,
    "same-size": _same_size,
    "align-distribute": _align,
    "architecture": _architecture,
    "menu": _menu,
    "polaroids": _polaroids,
    "crop": _crop,
    "embed-pictures": _embed,
}

SIXTY_GOALS = {f"sixty-{name}": edit for name, edit in _GOALS.items()}
"""Edits of a presentation by task id."""

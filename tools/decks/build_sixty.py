"""Build the small decks of the sixty tasks in ``benchmarks/sixty``.

``sixty.pptx`` is the deck of nearly all tasks; the pictures of ``linked.pptx`` are external files.

python -m tools.decks.build_sixty [FOLDER]
"""

import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.util import Inches

from tools.decks.freeze import save_frozen

__all__ = ["build", "build_linked"]

_ITEMS = "Measure\nCompare\nDecide\nReport in 12500 words\nArchive 48000 files"


def _slide(deck: Any, layout: int, title: str, body: str = "") -> Any:
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = title
    if body:
        slide.placeholders[1].text = body
    return slide


def _shape(slide: Any, kind: Any, name: str, left: float, top: float, color: str) -> None:
    places = (Inches(each) for each in (left, top, 1.2, 1.2))
    shape = slide.shapes.add_shape(kind, *places)
    shape.name = shape.text_frame.text = name
    shape.fill.solid()
    rgb: Any = RGBColor
    shape.fill.fore_color.rgb = rgb.from_string(color)


def _note(slide: Any, name: str, left: float, top: float, text: str) -> None:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    box.name, box.text_frame.text = name, text


def _picture(slide: Any, name: str, left: float, color: str) -> Any:
    file = io.BytesIO()
    Image.new("RGB", (80, 60), color).save(file, "PNG")
    picture = slide.shapes.add_picture(file, Inches(left), Inches(3), Inches(2), Inches(1.5))
    picture.name = name
    return picture


def _link(picture: Any, address: str) -> None:
    """Link a picture to an external file instead of embedding it."""
    blip = picture._element.find(f".//{qn('a:blip')}")
    inside = blip.attrib.pop(qn("r:embed"))
    blip.set(qn("r:link"), picture.part.relate_to(address, RT.IMAGE, is_external=True))
    picture.part.drop_rel(inside)


def _fill(deck: Any) -> None:
    _slide(deck, 0, "Annual lecture", "A short course")
    parts = _slide(deck, 5, "Processors")
    for at, (name, color) in enumerate((("P1", "FF00FF"), ("P2", "0040C0"), ("P3", "00A040"))):
        _shape(parts, MSO_SHAPE.OVAL, name, 1 + 2 * at, 2, color)
    _note(parts, "Caption", 1, 5, "Three processors share 4000 cores")
    facts = _slide(deck, 5, "Facts")
    table = facts.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1.5))
    table.name = "Data"
    for row, cells in enumerate((("City", "Cost"), ("Rome", "12"), ("Oslo", "9"))):
        for column, text in enumerate(cells):
            table.table.cell(row, column).text = text
    gallery = _slide(deck, 5, "Gallery")
    for at, color in enumerate(("red", "green", "blue")):
        _picture(gallery, f"Pic{at + 1}", 0.5 + 2.9 * at, color)
    _slide(deck, 1, "Steps", _ITEMS)
    _slide(deck, 1, "Sources", "Newton 1687\nCavendish 1798\nJoule 1845")
    chart = _slide(deck, 5, "Costs in Q2")
    kind: Any = CategoryChartData
    data = kind()
    data.categories = ["Rome", "Oslo"]
    data.add_series("Cost", (12, 9))
    places = (Inches(each) for each in (1, 3, 6, 4))
    frame = chart.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *places, data)
    frame.name = "Costs"
    for at in range(3):
        _note(chart, f"Box{at + 1}", 0.5 + 2.8 * at, 3.4, f"Note {at + 1}")
    _slide(deck, 1, "Closing", "Assets: house\nLiabilities: loan")


def build(path: Path) -> None:
    """Build ``sixty.pptx`` and save it."""
    deck = Presentation()
    _fill(deck)
    save_frozen(deck, path, "Sixty tasks", "The pptarena authors")


def build_linked(path: Path) -> None:
    """Build ``linked.pptx``, whose pictures are files next to it, and save it."""
    deck = Presentation()
    _slide(deck, 0, "Quarterly review", "Figures of three months")
    for at, (name, color) in enumerate((("Sales", "red"), ("Growth", "green"))):
        slide = _slide(deck, 5, name)
        _link(_picture(slide, f"Pic{at + 1}", 1, color), f"assets/{name.lower()}.png")
    save_frozen(deck, path, "Linked pictures", "The pptarena authors")


if __name__ == "__main__":
    default = Path(__file__).parents[2] / "src/pptarena/benchmarks/sixty"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    build(folder / "sixty.pptx")
    build_linked(folder / "linked.pptx")

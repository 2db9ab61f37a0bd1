"""Attributes that no other fact holds are reported if they change; defaults are no change."""

import io
from typing import Any

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package

A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def deck(tag: str = "", added: str = "", **values: str) -> Deck:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(3), Inches(2))
    box.text_frame.text = "Words in a box"
    box.text_frame.paragraphs[0].runs[0].font.bold = True
    box.text_frame.paragraphs[0].level = 0
    box.text_frame.paragraphs[0]._p.get_or_add_pPr()
    box.fill.gradient()
    box.fill.gradient_stops[0].color.rgb = RGBColor.from_string("204080")  # type: ignore[no-untyped-call]
    stream = io.BytesIO()
    Image.radial_gradient("L").save(stream, "PNG")
    stream.seek(0)
    slide.shapes.add_picture(stream, 0, Inches(3), Inches(3), Inches(2))
    _edit(slide.shapes._spTree, tag, added, values)
    return read_deck(write_package(presentation))


def _edit(tree: Any, tag: str, added: str, values: dict[str, str]) -> None:
    for element in [*tree.iter(f"{{{A}}}{tag}")] if tag else ():
        if added:
            element = etree.SubElement(element, f"{{{A}}}{added}")
        for name, value in values.items():
            element.set(name, value)


@pytest.mark.parametrize(
    ("tag", "values"),
    [
        ("fillRect", {"l": "40000"}),
        ("gradFill", {"flip": "xy"}),
        ("bodyPr", {"horzOverflow": "clip"}),
        ("bodyPr", {"spcFirstLastPara": "1"}),
        ("bodyPr", {"madeUpLater": "1"}),
        ("pPr", {"marR": "900000"}),
        ("rPr", {"normalizeH": "1"}),
    ],
)
def test_unread_attribute_is_a_change(tag: str, values: dict[str, str]) -> None:
    changes = diff_decks(deck(), deck(tag, **values))
    assert [change.what for change in changes] == ["other settings"]
    assert changes[0].aspect == "other"


@pytest.mark.parametrize("name", ["alphaCeiling", "alphaFloor", "alphaRepl"])
def test_unread_transparency_effect_is_a_change(name: str) -> None:
    assert diff_decks(deck(), deck("blip", name, a="20000"))


@pytest.mark.parametrize(
    ("tag", "values"),
    [
        ("fillRect", {"l": "0", "b": "0"}),
        ("gradFill", {"rotWithShape": "0", "flip": "none"}),
        ("bodyPr", {"spcFirstLastPara": "false", "compatLnSpc": "1", "forceAA": "0"}),
        ("pPr", {"marR": "0", "hangingPunct": "1", "eaLnBrk": "1", "defTabSz": "457200"}),
        ("rPr", {"normalizeH": "0", "lang": "de-DE", "dirty": "0", "kern": "1200"}),
        ("cNvPr", {"id": "77"}),
    ],
)
def test_defaults_and_application_marks_are_no_change(tag: str, values: dict[str, str]) -> None:
    assert diff_decks(deck(), deck(tag, **values)) == ()

"""The goals of the suite ``office`` on the deck ``field``."""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from lxml import etree
from pptx.dml.color import RGBColor
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    add_page,
    move_slide,
    set_body_line,
    set_layout,
    shape_named,
    slide_at,
)

__all__ = ["FIELD_GOALS", "FIELD_LATER"]

Edit = Callable[[Any], None]

_PHOTOS = ("wheat", "apples", "tractor", "barn", "bees", "brook")
_RGB: Any = RGBColor


def _quote_slide(deck: Any) -> None:
    add_page(deck, 8, "Quote", "What our members say", ["The hedge was worth the wait."])


def _list_back(deck: Any) -> None:
    own = slide_at(deck, 5).placeholders[1]._element.spPr
    own.remove(own.find(qn("a:xfrm")))


def _quote_background(deck: Any) -> None:
    fill = slide_at(deck, 6).background.fill
    fill.solid()
    fill.fore_color.rgb = _RGB.from_string("FFF0C8")


def _full_page(deck: Any) -> None:
    barn = shape_named(deck, 14, "Barn")
    barn.left = barn.top = 0
    barn.width, barn.height = deck.slide_width, deck.slide_height


def _two_columns(deck: Any) -> None:
    set_layout(deck, 4, "Two Content")
    slide = slide_at(deck, 4)
    place = next(
        each for each in slide.slide_layout.placeholders if each.placeholder_format.idx == 2
    )
    slide.shapes.clone_placeholder(place)
    right = slide.placeholders[2].text_frame._txBody
    right.remove(right.p_lst[0])
    for paragraph in slide.placeholders[1].text_frame._txBody.p_lst[3:]:
        right.append(paragraph)


def _stamp(deck: Any) -> None:
    layout = next(each for each in deck.slide_layouts if each.name == "Title Only")
    box = slide_at(deck, 1).shapes.add_textbox(Cm(1.4), Cm(0.2), Cm(6), Cm(0.9))
    box.text_frame.text = "Field day 2026"
    ids = [int(each.get("id")) for each in layout._element.iter(qn("p:cNvPr"))]
    next(box._element.iter(qn("p:cNvPr"))).set("id", str(max(ids) + 1))
    layout._element.cSld.spTree.append(box._element)


def _links(deck: Any) -> None:
    for index, number in enumerate((3, 8, 15), start=1):
        there = shape_named(deck, 2, f"Go {index}")
        there.click_action.target_slide = slide_at(deck, number)
        back = shape_named(deck, number, "Contents 1")
        back.click_action.target_slide = slide_at(deck, 2)


def _brand_colours(deck: Any) -> None:
    part = deck.slide_masters[0].part.part_related_by(RT.THEME)
    root = etree.fromstring(part.blob)
    for slot, color in (("accent1", "2B6E1F"), ("accent2", "C98A00"), ("accent6", "A3203A")):
        for found in root.iter(qn(f"a:{slot}")):
            found[0].set("val", color)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _square_bees(deck: Any) -> None:
    bees = shape_named(deck, 13, "Photo bees")
    bees.crop_left = bees.crop_right = 0.125
    bees.left += (bees.width - bees.height) // 2
    bees.width = bees.height


def _icons_row(deck: Any) -> None:
    for what, left in (("rain", 8.933), ("wind", 15.667)):
        icon, name = shape_named(deck, 12, f"Icon {what}"), shape_named(deck, 12, f"Text {what}")
        icon.left, icon.top = Cm(left), Cm(6.4)
        name.left, name.top = Cm(left - 0.8), Cm(12)


def _photo_grid(deck: Any) -> None:
    for index, what in enumerate(_PHOTOS):
        photo = shape_named(deck, 13, f"Photo {what}")
        photo.width, photo.height = Cm(7.6), Cm(5.7)
        photo.left = Cm(1.4 + 8.8 * (index % 3))
        photo.top = Cm(4.6 if index < 3 else 11.3)


def _colours_in_front(deck: Any) -> None:
    move_slide(deck, 16, 3)


def _ines(deck: Any) -> None:
    set_body_line(deck, 17, 2, "Ines Falk, photos")


def _bees_on_it(deck: Any) -> None:
    image = BytesIO(shape_named(deck, 14, "Photo bees").image.blob)
    slide_at(deck, 17).shapes.add_picture(image, Cm(15), Cm(11.4), width=Cm(8))


def _gate(deck: Any) -> None:
    add_page(deck, 18, "Quote", "See you in the field", ["The gate is open from nine."])


FIELD_GOALS: Mapping[str, Edit] = {
    "field-brand-colours": _brand_colours,
    "field-full-page": _full_page,
    "field-handout": _colours_in_front,
    "field-icons-row": _icons_row,
    "field-links": _links,
    "field-list-back": _list_back,
    "field-photo-grid": _photo_grid,
    "field-quote-background": _quote_background,
    "field-quote-slide": _quote_slide,
    "field-square-bees": _square_bees,
    "field-stamp": _stamp,
    "field-two-columns": _two_columns,
}
"""What carries out each task, as in ``office``."""

FIELD_LATER: Mapping[str, tuple[Edit, ...]] = {
    "field-handout": (_ines, _bees_on_it, _gate),
}
"""What carries out each turn after the first, as in ``later_turns``."""

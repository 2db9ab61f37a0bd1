"""The goals of the suite ``office`` on the deck ``negev``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any

from pptx.dml.color import RGBColor
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    move_slide,
    rewrite_cell,
    set_layout,
    set_title,
    shape_named,
    slide_at,
)
from pptarena.tasks.goals.tables import add_table_like

__all__ = ["NEGEV_GOALS"]

_WAY = tuple(f"Tariq {number}" for number in range(1, 6))
_SAND: Any = RGBColor


def _arabic_direction(deck: Any) -> None:
    for number, place in ((10, 2), (16, 1)):
        for paragraph in slide_at(deck, number).placeholders[place].text_frame.paragraphs:
            paragraph._p.pPr.set("rtl", "1")
            paragraph._p.pPr.set("algn", "r")


def _mirror_process(deck: Any) -> None:
    boxes = [shape_named(deck, 9, name) for name in _WAY]
    lefts = [box.left for box in boxes]
    for box, left in zip(boxes, reversed(lefts), strict=True):
        box.left = left
    for one, two in pairwise(boxes):
        line = shape_named(deck, 9, f"{one.name} to {two.name}")
        line.begin_connect(one, 1)
        line.end_connect(two, 3)


def _sub_points(deck: Any) -> None:
    for index in (1, 2, 4, 5):
        slide_at(deck, 18).placeholders[1].text_frame.paragraphs[index].level = 1


def _planting_calendar(deck: Any) -> None:
    rows = (
        ("Crop", "Sow", "Plant out", "Harvest"),
        ("Tomatoes", "January", "March", "June"),
        ("Peppers", "February", "April", "July"),
        ("Melons", "March", "May", "August"),
    )
    box = (Cm(1.5), Cm(3.6), Cm(20), Cm(5))
    add_table_like(shape_named(deck, 13, "Month by month"), slide_at(deck, 14), box, rows)


def _sand_background(deck: Any) -> None:
    for number in range(12, 17):
        fill = slide_at(deck, number).background.fill
        fill.solid()
        fill.fore_color.rgb = _SAND(0xF3, 0xE5, 0xC3)


def _annex_look(deck: Any) -> None:
    set_layout(deck, 20, "Annex Title Only")


def _second_crop(deck: Any) -> None:
    source = slide_at(deck, 13)
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    move_slide(deck, len(deck.slides), 14)
    set_title(deck, 14, "Peppers: water by month")
    for row, text in enumerate(("0.9", "1.8", "2.7", "3.6"), start=2):
        rewrite_cell(deck, 14, "Month by month", row, 2, text)


def _descriptions(deck: Any) -> None:
    for number, name, text in (
        (11, "Emitter", "A drip emitter on a black pipe"),
        (20, "Field", "Three drip lines in a field"),
    ):
        shape_named(deck, number, name)._element.nvPicPr.cNvPr.set("descr", text)


def _leaks_link(deck: Any) -> None:
    run = shape_named(deck, 20, "Hotline").text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "https://growers.wadirimal.example/leaks"


def _slipped_step(deck: Any) -> None:
    box = shape_named(deck, 19, "Tanzif 2")
    box.top = shape_named(deck, 19, "Tanzif 1").top
    shape_named(deck, 19, "Tanzif 1 to Tanzif 2").end_connect(box, 3)
    shape_named(deck, 19, "Tanzif 2 to Tanzif 3").begin_connect(box, 1)


def _valve_price(deck: Any) -> None:
    rewrite_cell(deck, 21, "Spare parts", 4, 2, "95")
    rewrite_cell(deck, 21, "Spare parts", 6, 2, "330")
    note = shape_named(deck, 21, "Parts note").text_frame.paragraphs[0].runs[0]
    note.text = "One box of parts costs 330 shekels."


def _annex_page(deck: Any) -> None:
    page = deck.slides.add_slide(slide_at(deck, 22).slide_layout)
    page.shapes.title.text = "Annex: course dates"
    page.placeholders[1].text = "5 November, in the valley\n12 November, on the ridge"


def _trainer_turns(deck: Any) -> None:
    set_title(deck, 4, "What we gain with drip lines")


NEGEV_GOALS: Mapping[str, Callable[[Any], None]] = {
    "negev-annex-look": _annex_look,
    "negev-annex-page": _annex_page,
    "negev-arabic-direction": _arabic_direction,
    "negev-descriptions": _descriptions,
    "negev-leaks-link": _leaks_link,
    "negev-mirror-process": _mirror_process,
    "negev-planting-calendar": _planting_calendar,
    "negev-sand-background": _sand_background,
    "negev-second-crop": _second_crop,
    "negev-slipped-step": _slipped_step,
    "negev-sub-points": _sub_points,
    "negev-trainer-turns": _trainer_turns,
    "negev-valve-price": _valve_price,
}
"""What carries out each task, as in ``office``."""

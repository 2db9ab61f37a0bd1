"""The goals of the eight tasks of the suite ``bench``."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.tasks.goals.editing import (
    delete_slide,
    move_slide,
    set_transition,
    shape_named,
    slide_at,
)

__all__ = ["BENCH_GOALS"]


def _hide_backup(deck: Any) -> None:
    slide_at(deck, 17)._element.set("show", "0")


def _retitle_products(deck: Any) -> None:
    slide_at(deck, 7).shapes.title.text = "Tents are now our largest line"


def _lecturer_name(deck: Any) -> None:
    font = slide_at(deck, 1).placeholders[1].text_frame.paragraphs[1].runs[0].font
    font.bold = font.italic = True


def _rename_tent(deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            text.text = (text.text or "").replace("TrailLite", "TrailLight")


def _cell_picture(deck: Any) -> None:
    picture = shape_named(deck, 5, "Cell")
    ratio = picture.height / picture.width
    picture.width = Cm(10.5)
    picture.height = round(picture.width * ratio)


def _classes_table(deck: Any) -> None:
    table = shape_named(deck, 6, "Classes").table
    table.cell(4, 1).text_frame.paragraphs[0].runs[0].text = "DNA copying"
    notes = slide_at(deck, 6).notes_slide.notes_text_frame
    notes.text = "Fluoroquinolones act on gyrase and topoisomerase IV."


def _board_version(deck: Any) -> None:
    line = slide_at(deck, 1).placeholders[1].text_frame.paragraphs[1]
    line.runs[0].text = "Supervisory board, 21 October 2026"
    for slide in deck.slides:
        for old in slide._element.findall(qn("p:transition")):
            slide._element.remove(old)
        set_transition(slide, "fade")
    delete_slide(deck, 17)
    risks = 14
    delete_slide(deck, 10)
    move_slide(deck, risks - 1, 4)


def _answers_slide(deck: Any) -> None:
    source = slide_at(deck, 19)
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    copy.shapes.title.text = "Answers"
    answers = (
        "True: the drug leaves before it can act",
        "One plasmid brings whole genes to many neighbours",
        "Treatment with the usual dose will probably fail",
    )
    for paragraph, text in zip(copy.placeholders[1].text_frame.paragraphs, answers, strict=True):
        paragraph.runs[0].text = text
    move_slide(deck, 21, 20)
    timing = slide_at(deck, 17)._element.find(qn("p:timing"))
    timing.getparent().remove(timing)
    description = "Bacterial cell with four targets of antibiotics"
    shape_named(deck, 5, "Cell")._element.nvPicPr.cNvPr.set("descr", description)


BENCH_GOALS: Mapping[str, Callable[[Any], None]] = {
    "meridian-board-version": _board_version,
    "meridian-hide-backup": _hide_backup,
    "meridian-rename-tent": _rename_tent,
    "meridian-retitle-products": _retitle_products,
    "resistance-answers-slide": _answers_slide,
    "resistance-cell-picture": _cell_picture,
    "resistance-fix-classes-table": _classes_table,
    "resistance-lecturer-name": _lecturer_name,
}
"""What carries out each task on a python-pptx presentation of its deck."""

"""The goals of the suite ``office`` on the deck ``townhall``."""

from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from pptarena.tasks.goals.editing import (
    delete_slide,
    set_layout,
    set_title,
    set_transition,
    shape_named,
    slide_at,
)

__all__ = ["TOWNHALL_GOALS"]

_SPELLING = {
    "untill": "until",
    "calender": "calendar",
    "recieve": "receive",
    "comittee": "committee",
}
_FIGURES = ("Revenue tile 1", "Margin tile 1", "Cash tile 1", "Debt tile 1")


def _duplicates(deck: Any) -> None:
    for number in (49, 41, 35, 31):
        delete_slide(deck, number)


def _it_house_look(deck: Any) -> None:
    for number in range(22, 30):
        name = slide_at(deck, number).slide_layout.name
        set_layout(deck, number, name.removeprefix("Guest "))


def _leftovers(deck: Any) -> None:
    for number in (7, 47, 48):
        box = shape_named(deck, number, "Leftover 4")._element
        box.getparent().remove(box)


def _spelling(deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            for wrong, right in _SPELLING.items():
                text.text = (text.text or "").replace(wrong, right)


def _odd_titles(deck: Any) -> None:
    for number in (5, 11, 14):
        font = slide_at(deck, number).shapes.title.text_frame.paragraphs[0].runs[0].font
        font.name, font.size = "Calibri", Pt(28)


def _internal_stamp(deck: Any) -> None:
    layout = next(each for each in deck.slide_layouts if each.name == "Title Only")
    donor = slide_at(deck, 8).shapes.add_textbox(Cm(0.5), Cm(0.2), Cm(4.5), Cm(0.9))
    donor.text_frame.text = "Internal"
    layout.shapes._spTree.append(donor._element)


def _survey_short(deck: Any) -> None:
    slide = slide_at(deck, 18)
    lines = slide.placeholders[1].text_frame.paragraphs[4:]
    notes = slide.notes_slide.notes_text_frame
    notes.text = "\n".join([notes.text, *(line.text for line in lines)])
    for line in lines:
        line._p.getparent().remove(line._p)


def _maria_comments(deck: Any) -> None:
    authors = etree.fromstring(deck.part.part_related_by(RT.COMMENT_AUTHORS).blob)
    (maria,) = (each.get("id") for each in authors if each.get("name") == "Maria")
    for number in (6, 21, 47):
        part = slide_at(deck, number).part.part_related_by(RT.COMMENTS)
        said = etree.fromstring(part.blob)
        for comment in list(said):
            if comment.get("authorId") == maria:
                said.remove(comment)
        part._blob = etree.tostring(said, xml_declaration=True, encoding="UTF-8", standalone=True)


def _tidy_figures(deck: Any) -> None:
    for index, name in enumerate(_FIGURES):
        box = shape_named(deck, 8, name)
        box.left, box.top = Cm(1.4 + 6.4 * index), Cm(5)


def _pale_notes(deck: Any) -> None:
    for name in ("Figures note", "Figures source"):
        font = shape_named(deck, 12, name).text_frame.paragraphs[0].runs[0].font
        font.color.theme_color = MSO_THEME_COLOR.TEXT_2


def _chapter_fade(deck: Any) -> None:
    for number in (13, 22, 30, 42):
        slide = slide_at(deck, number)
        old = slide._element.find(qn("p:transition"))
        old.getparent().remove(old)
        set_transition(slide, "fade")


def _show_backup(deck: Any) -> None:
    del slide_at(deck, 53)._element.attrib["show"]


def _yard_picture(deck: Any) -> None:
    picture = shape_named(deck, 50, "Yard")
    picture.height = round(picture.height * Cm(8) / picture.width)
    picture.width = Cm(8)


def _head_turns(deck: Any) -> None:
    set_title(deck, 6, "Why the result is better")


TOWNHALL_GOALS: Mapping[str, Callable[[Any], None]] = {
    "townhall-chapter-fade": _chapter_fade,
    "townhall-duplicates": _duplicates,
    "townhall-head-turns": _head_turns,
    "townhall-internal-stamp": _internal_stamp,
    "townhall-it-house-look": _it_house_look,
    "townhall-leftovers": _leftovers,
    "townhall-maria-comments": _maria_comments,
    "townhall-odd-titles": _odd_titles,
    "townhall-pale-notes": _pale_notes,
    "townhall-show-backup": _show_backup,
    "townhall-spelling": _spelling,
    "townhall-survey-short": _survey_short,
    "townhall-tidy-figures": _tidy_figures,
    "townhall-yard-picture": _yard_picture,
}
"""What carries out each task, as in ``office``."""

"""Custom shows: each changed show is reported once, and shows follow their slides."""

from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.decks.diff import diff_decks
from pptarena.decks.package_writer import write_package

pytestmark = pytest.mark.slow

Edit = Callable[[Any], object]
Shows = dict[str, tuple[int, ...]]


def _deck(shows: Shows, edit: Edit | None = None) -> Deck:
    presentation = Presentation()
    for number in range(1, 6):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"Slide of the number {number}"
    if edit is not None:
        edit(presentation)
    root = presentation.element
    ids = {int(each.id): each.rId for each in root.sldIdLst}
    lists = []
    for index, (name, slides) in enumerate(shows.items()):
        inside = "".join(f'<p:sld r:id="{ids[255 + n]}"/>' for n in slides if 255 + n in ids)
        lists.append(f'<p:custShow name="{name}" id="{index}"><p:sldLst>{inside}</p:sldLst>'
                     "</p:custShow>")  # fmt: skip
    if lists:
        xml = f"<p:custShowLst {nsdecls('p', 'r')}>{''.join(lists)}</p:custShowLst>"
        root.find(qn("p:notesSz")).addnext(parse_xml(xml))
    return read_deck(write_package(presentation))


@each_case(
    "before, after, names",
    [
        ({"A": (1, 2)}, {"A": (1, 3)}, ["custom show A"]),
        ({"A": (1, 2)}, {"A": (2, 1)}, ["custom show A"]),
        ({"A": (1, 2)}, {"A": (1, 2, 2)}, ["custom show A"]),
        ({"A": (1, 2)}, {"A": (1,)}, ["custom show A"]),
        ({}, {"A": (1,)}, ["custom show A"]),
        ({"A": (1,)}, {}, ["custom show A"]),
        ({"A": (1,)}, {"B": (1,)}, ["custom show A", "custom show B"]),
        ({"A": (1,), "B": (2,)}, {"A": (1,), "B": (3,)}, ["custom show B"]),
        ({"A": (1,)}, {"A": (1,), "B": (2,), "C": (3,)}, ["custom show B", "custom show C"]),
        ({"A": (1,)}, {"A": (5,)}, ["custom show A"]),
    ],
)
def test_each_changed_show_is_reported_once(before: Shows, after: Shows, names: list[str]) -> None:
    changes = diff_decks(_deck(before), _deck(after))
    assert [change.what for change in changes] == names
    assert {change.kind for change in changes} == {"show_changed"}


def _move(start: int, end: int) -> Edit:
    def edit(deck: Any) -> None:
        ids = deck.element.sldIdLst
        element = ids[start]
        ids.remove(element)
        ids.insert(end, element)

    return edit


def _remove(index: int) -> Edit:
    def edit(deck: Any) -> None:
        element = deck.element.sldIdLst[index]
        deck.part.drop_rel(element.rId)
        deck.element.sldIdLst.remove(element)

    return edit


def _retitle(index: int) -> Edit:
    def edit(deck: Any) -> None:
        deck.slides[index].shapes.title.text = "Another title"

    return edit


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        (_move(4, 0), "slide_moved"),
        (_move(0, 4), "slide_moved"),
        (_move(1, 3), "slide_moved"),
        (_remove(1), "slide_removed"),
        (_remove(4), "slide_removed"),
        (_remove(0), "slide_removed"),
        (_retitle(0), "text_changed"),
        (_retitle(1), "text_changed"),
        (_retitle(4), "text_changed"),
    ],
)
def test_show_follows_moved_and_edited_slides(edit: Edit, kind: str) -> None:
    shows = {"A": (1, 2, 5), "B": (5, 1)}
    changes = diff_decks(_deck(shows), _deck(shows, edit))
    assert [change.kind for change in changes] == [kind]

"""Looks of decks by data: what their graphics are painted with."""

import io

from pptx import Presentation
from pptx.oxml.ns import qn

from pptarena.tasks.deck_files import read_deck_file


def test_graphics_may_be_painted_in_colours_of_the_theme() -> None:
    deck = Presentation(io.BytesIO(read_deck_file("aurora")))
    (opening,) = (each for each in deck.slide_layouts if each.name == "Title Slide")
    painted = {each.get("val") for each in opening._element.iter(qn("a:schemeClr"))}
    assert {"accent1", "tx2"} <= painted
    fixed = {str(each.get("val")).lower() for each in opening._element.iter(qn("a:srgbClr"))}
    assert not fixed & {"1abc9c", "2c3e50", "c4552d", "4a2545"}

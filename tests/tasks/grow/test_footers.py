"""Footers of all slides: those that are there, or new ones where every layout has a place."""

import io
from collections.abc import Callable
from typing import Any

from pptx import Presentation
from pptx.oxml.ns import qn
from tests.tasks.grow.conftest import drawn
from tests.tasks.grow.operator_reader import Reader

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import apply_solution
from pptarena.tasks.grow import OPERATORS, DeckGrower
from pptarena.tasks.grow.proving import prove


def _grower(edit: Callable[[Any], object] = lambda deck: None) -> DeckGrower:
    deck: Any = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
    edit(deck)
    stream = io.BytesIO()
    deck.save(stream)
    return DeckGrower(stream.getvalue(), "footers")


def _with_footer(grower: DeckGrower) -> bytes:
    draft = drawn(grower, "set-footer", 1)[0]
    return apply_solution(grower.ground.file, draft.solution())


def _tree(deck: Any, slide: int) -> Any:
    return deck.slides[slide].shapes._spTree


def _drop_last(deck: Any) -> None:
    _tree(deck, 0).remove(_tree(deck, 0)[-1])


def test_footers_are_put_on_all_slides_where_layouts_have_a_place() -> None:
    grower = _grower()
    drafts = drawn(grower, "set-footer", 3)
    assert prove(grower.ground, drafts, None).kept == tuple(drafts)
    assert all("on all slides" in draft.instruction for draft in drafts)
    deck = read_deck(_with_footer(grower))
    words = {slide.footer for slide in deck.slides}
    assert len(words) == 1
    assert words != {""}
    layout = deck.masters[0].layouts[1]
    place = next(shape.box for shape in layout.shapes if shape.placeholder == "ftr")
    assert [slide.shapes[-1].box for slide in deck.slides] == [place] * 3


def test_where_some_slides_have_footers_the_others_get_none() -> None:
    presentation = open_presentation(_with_footer(_grower()))
    _drop_last(presentation)
    grower = DeckGrower(save_presentation(presentation), "footers")
    drafts = drawn(grower, "set-footer", 3)
    assert prove(grower.ground, drafts, None).kept
    assert all("wherever there is one" in draft.instruction for draft in drafts)
    deck = read_deck(_with_footer(grower))
    assert [bool(slide.footer) for slide in deck.slides] == [False, True, True]


def test_no_footers_are_asked_for_where_a_layout_has_no_place() -> None:
    def without(deck: Any) -> None:
        tree = deck.slide_layouts[1].shapes._spTree
        mark = next(each for each in tree.iter(qn("p:ph")) if each.get("type") == "ftr")
        tree.remove(next(mark.iterancestors(qn("p:sp"))))

    assert "set-footer" not in _grower(without).composer.operators


def test_which_footers_are_meant_is_read_back() -> None:
    ground = _grower()
    draft = drawn(ground, "set-footer", 1)[0]
    (clause,) = Reader(ground.ground, list(OPERATORS.values())).read(draft.instruction)
    assert clause.operator == "set-footer"
    assert ("where", "all") in clause.values

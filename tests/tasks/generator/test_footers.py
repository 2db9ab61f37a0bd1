"""Footers of all slides: existing ones, or new ones if every layout has a footer placeholder."""

from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn
from tests.conftest import save
from tests.tasks.generator.conftest import sample_drafts
from tests.tasks.generator.operator_reader import Reader

from pptarena.decks import read_deck
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import apply_solution
from pptarena.tasks.generator import OPERATORS, DeckGenerator
from pptarena.tasks.generator.proving import prove

pytestmark = pytest.mark.slow


def _generator(edit: Callable[[Any], object] = lambda deck: None) -> DeckGenerator:
    deck: Any = Presentation()
    for number in range(3):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Chapter {number}"
    edit(deck)
    return DeckGenerator(save(deck), "footers")


def _with_footer(generator: DeckGenerator) -> bytes:
    draft = sample_drafts(generator, "set-footer", 1)[0]
    return apply_solution(generator.context.file, draft.solution())


def _tree(deck: Any, slide: int) -> Any:
    return deck.slides[slide].shapes._spTree


def _drop_last(deck: Any) -> None:
    _tree(deck, 0).remove(_tree(deck, 0)[-1])


def test_new_footers_are_added_to_all_slides() -> None:
    generator = _generator()
    drafts = sample_drafts(generator, "set-footer", 3)
    assert prove(generator.context, drafts, None).proven == tuple(drafts)
    assert all("on all slides" in draft.instruction for draft in drafts)
    deck = read_deck(_with_footer(generator))
    footers = {slide.footer for slide in deck.slides}
    assert len(footers) == 1
    assert footers != {""}
    layout = deck.masters[0].layouts[1]
    box = next(shape.box for shape in layout.shapes if shape.placeholder == "ftr")
    assert [slide.shapes[-1].box for slide in deck.slides] == [box] * 3


def test_only_existing_footers_change_if_some_slides_have_one() -> None:
    presentation = open_presentation(_with_footer(_generator()))
    _drop_last(presentation)
    generator = DeckGenerator(save_presentation(presentation), "footers")
    drafts = sample_drafts(generator, "set-footer", 3)
    assert prove(generator.context, drafts, None).proven
    assert all("wherever there is one" in draft.instruction for draft in drafts)
    deck = read_deck(_with_footer(generator))
    assert [bool(slide.footer) for slide in deck.slides] == [False, True, True]


def test_layout_without_a_footer_placeholder_gets_no_footer_tasks() -> None:
    def remove_placeholder(deck: Any) -> None:
        tree = deck.slide_layouts[1].shapes._spTree
        placeholder = next(each for each in tree.iter(qn("p:ph")) if each.get("type") == "ftr")
        tree.remove(next(placeholder.iterancestors(qn("p:sp"))))

    assert "set-footer" not in _generator(remove_placeholder).composer.operators


def test_instruction_states_which_footers_change() -> None:
    generator = _generator()
    draft = sample_drafts(generator, "set-footer", 1)[0]
    (clause,) = Reader(generator.context, list(OPERATORS.values())).parse(draft.instruction)
    assert clause.operator == "set-footer"
    assert ("where", "all") in clause.values

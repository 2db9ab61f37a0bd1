"""The share of the goal that an attack on other content leaves intact."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.tasks.generator.conftest import sample_drafts
from tests.tasks.quality.attacks.test_material import material

from pptarena.edits import edit_presentation
from pptarena.tasks.generator import DeckGenerator
from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks import ATTACKS, attack_task
from pptarena.tasks.quality.attacks.attack import AttackedDeck
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow


def _saved(deck: Any) -> bytes:
    return save(deck)


def _two_slides() -> Material:
    """Return two slides: a text box with two empty ovals, and a text box alone."""
    deck: Any = Presentation()
    for ovals in (2, 0):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        for _ in range(ovals):
            slide.shapes.add_shape(9, 0, 0, 9, 9)
        slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "Words"
    file = _saved(deck)
    return Material(material("meridian-retitle-products").task, file, file)


@pytest.mark.parametrize(
    ("slides", "deserved"), [((), 1.0), ((0,), 1 - 0.8 / 4), ((1,), 1 - 0.8 / 2), ((0, 1), 0.4)]
)
def test_damage_to_texts_weighs_by_their_share_of_the_slide(
    slides: tuple[int, ...], deserved: float
) -> None:
    target_material = _two_slides()
    deck = open_deck(target_material.goal)
    for index in slides:
        deck.slides[index].shapes[-1].text_frame.text = "Garbage"
    assert AttackedDeck.damaging_other_shapes(
        _saved(deck), target_material, 0.2
    ).worth == pytest.approx(deserved)


@pytest.mark.parametrize("name", ["words under a shape", "goal, under another shape"])
def test_rectangle_without_its_text_is_partial_work(name: str) -> None:
    generator = DeckGenerator(_two_slides().original, "boxes")
    drafts = sample_drafts(generator, "add-shape", 30)
    draft = next(each for each in drafts if "rectangle" in each.instruction)
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    deck = open_deck(generator.context.file)
    edit_presentation(deck, draft.solution())
    target_material = Material(task, generator.context.file, _saved(deck))
    (result,) = attack_task(
        target_material, attacks=[each for each in ATTACKS if each.name == name]
    )
    assert 0 < result.score <= result.deserved < 0.6

"""What an attack on the other words of a deck leaves of the goal."""

import io
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.tasks.grow.conftest import drawn
from tests.tasks.quality.attacks.test_material import material

from pptarena.edits import edit_presentation
from pptarena.tasks.goals.editing import opened
from pptarena.tasks.grow import DeckGrower
from pptarena.tasks.quality.attacks import ATTACKS, attack_task
from pptarena.tasks.quality.attacks.attack import Attempt
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow


def _saved(deck: Any) -> bytes:
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def _deck() -> Material:
    """Return a deck of a slide with a text box and two empty ovals, and one with a text box."""
    deck: Any = Presentation()
    for ovals in (2, 0):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        for _ in range(ovals):
            slide.shapes.add_shape(9, 0, 0, 9, 9)
        slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "Words"
    file = _saved(deck)
    return Material(material("meridian-retitle-products").task, file, file)


@pytest.mark.parametrize(
    ("slides", "worth"), [((), 1.0), ((0,), 1 - 0.8 / 4), ((1,), 1 - 0.8 / 2), ((0, 1), 0.4)]
)
def test_words_weigh_as_much_as_there_is_of_them(slides: tuple[int, ...], worth: float) -> None:
    one = _deck()
    deck = opened(one.goal)
    for index in slides:
        deck.slides[index].shapes[-1].text_frame.text = "Garbage"
    assert Attempt.at_others(_saved(deck), one, 0.2).worth == pytest.approx(worth)


@pytest.mark.parametrize("name", ["words under a shape", "goal, under another shape"])
def test_a_rectangle_without_its_words_is_a_part_of_the_work(name: str) -> None:
    grower = DeckGrower(_deck().original, "boxes")
    drafts = drawn(grower, "add-shape", 30)
    draft = next(each for each in drafts if "rectangle" in each.instruction)
    task = parse_task(draft.row(0) | {"deck": "meridian"}, Path(), "grown", "")
    deck = opened(grower.ground.file)
    edit_presentation(deck, draft.solution())
    one = Material(task, grower.ground.file, _saved(deck))
    (result,) = attack_task(one, attacks=[each for each in ATTACKS if each.name == name])
    assert 0 < result.score <= result.deserved < 0.6

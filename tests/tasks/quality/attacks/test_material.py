"""The material of attacks: the changes and texts of a task's goal."""

import pytest

from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.quality.attacks.material import Material

pytestmark = pytest.mark.slow


def material(id: str) -> Material:
    task = get_task(id)
    return Material(task, task.deck_bytes(), goal_deck(task))


def test_retitled_slide_has_one_changed_shape() -> None:
    result = material("meridian-retitle-products")
    assert [
        (changed.is_new, len(changed.shapes), changed.has_notes)
        for changed in result.changed_slides
    ] == [(False, 1, False)]
    assert [requested.text for requested in result.requested_texts] == [
        "Tents are now our largest line"
    ]
    assert result.requested_texts[0].slide == result.changed_slides[0].id


def test_only_the_changed_paragraph_is_requested() -> None:
    assert [
        requested.text for requested in material("resistance-lecturer-name").requested_texts
    ] == ["Amara Lindqvist"]


def test_texts_of_cells_and_notes_are_distinguished() -> None:
    result = material("resistance-fix-classes-table")
    assert [requested.text for requested in result.requested_texts] == ["DNA copying"]
    assert [changed.has_notes for changed in result.changed_slides] == [True]
    assert [text for _, text in result.requested_notes] == [
        "Fluoroquinolones act on gyrase and topoisomerase IV."
    ]


def test_texts_of_a_new_slide_belong_to_the_previous_slide() -> None:
    result = material("resistance-answers-slide")
    new = [changed for changed in result.changed_slides if changed.is_new]
    assert len(new) == 1
    texts = [requested for requested in result.requested_texts if not requested.shape]
    assert "Answers" in {requested.text for requested in texts}
    assert new[0].id not in {requested.slide for requested in texts}


def test_hiding_a_slide_requests_no_text() -> None:
    assert material("meridian-hide-backup").requested_texts == ()

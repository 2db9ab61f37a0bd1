"""What attacks know of a task's goal."""

from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.quality.attacks.material import Material


def material(id: str) -> Material:
    task = get_task(id)
    return Material(task, task.deck_bytes(), goal_deck(task))


def test_a_new_title_is_one_touch() -> None:
    one = material("meridian-retitle-products")
    assert [(touch.is_new, len(touch.shapes), touch.has_notes) for touch in one.touched] == [
        (False, 1, False)
    ]
    assert [wanted.text for wanted in one.wanted] == ["Tents are now our largest line"]
    assert one.wanted[0].slide == one.touched[0].id


def test_only_the_paragraph_whose_look_changes_is_wanted() -> None:
    assert [w.text for w in material("resistance-lecturer-name").wanted] == ["Amara Lindqvist"]


def test_words_of_a_cell_and_of_notes_are_told_apart() -> None:
    one = material("resistance-fix-classes-table")
    assert [wanted.text for wanted in one.wanted] == ["DNA copying"]
    assert [touch.has_notes for touch in one.touched] == [True]
    assert [text for _, text in one.wanted_notes] == [
        "Fluoroquinolones act on gyrase and topoisomerase IV."
    ]


def test_words_of_a_new_slide_belong_to_the_slide_before_it() -> None:
    one = material("resistance-answers-slide")
    new = [touch for touch in one.touched if touch.is_new]
    assert len(new) == 1
    words = [wanted for wanted in one.wanted if not wanted.shape]
    assert "Answers" in {wanted.text for wanted in words}
    assert new[0].id not in {wanted.slide for wanted in words}


def test_a_hidden_slide_has_no_words() -> None:
    assert material("meridian-hide-backup").wanted == ()

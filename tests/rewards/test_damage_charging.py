"""Damage lowers the score once: through a leaf or through its price."""

from typing import Any

import pytest
from tests.rewards.scope.test_unexplained_changes import scored
from tests.slide_edits import rewrite_cell, slide_at

from pptarena.rewards import read_deck, score
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow


def falsify(deck: Any) -> None:
    rewrite_cell(deck, 6, "Income statement", 5, 4, "206.0")


def test_damage_found_by_a_leaf_is_charged_once() -> None:
    tree = scored("ledger-retitle-income", falsify)
    guard = next(each for _, each in tree.walk() if each.check == "nothing_else_changed")
    assert guard.score is not None
    assert guard.score < 1
    assert tree.score == pytest.approx(0.7)


def test_missing_work_and_damage_are_both_charged() -> None:
    task = get_task("meridian-rename-tent")
    original, target = read_deck(task.deck_bytes()), read_deck(goal_deck(task))

    def rename_half(deck: Any) -> None:
        for slide in list(deck.slides)[:14]:
            for run in slide._element.iter(
                "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
            ):
                run.text = (run.text or "").replace("TrailLite", "TrailLight")

    def retitle_another_slide(deck: Any) -> None:
        slide_at(deck, 3).shapes.title.text_frame.paragraphs[0].runs[0].text = "Something else"

    def score_of(*edits: Any) -> float:
        current = read_deck(edit_deck(task.deck_bytes(), *edits))
        result = score(task.rubric, original, current, task.scope, targets=(target,)).score
        assert result is not None
        return result

    alone = score_of(rename_half)
    assert 0 < alone < 1
    assert score_of(rename_half, retitle_another_slide) == pytest.approx(0.7 * alone)

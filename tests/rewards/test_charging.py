"""Damage is charged by a leaf or by its price, not by both."""

from typing import Any

import pytest
from tests.rewards.scope.test_unasked import scored
from tests.slide_edits import rewrite_cell, slide_at

from pptarena.rewards import read_deck, score
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edited

pytestmark = pytest.mark.slow


def falsify(deck: Any) -> None:
    rewrite_cell(deck, 6, "Income statement", 5, 4, "206.0")


def test_a_guard_and_the_price_count_once() -> None:
    found = scored("ledger-retitle-income", falsify)
    guard = next(each for _, each in found.walk() if each.check == "nothing_else_changed")
    assert guard.score is not None
    assert guard.score < 1
    assert found.score == pytest.approx(0.7)


def test_what_is_not_done_is_charged_beside_the_damage() -> None:
    task = get_task("meridian-rename-tent")
    original, target = read_deck(task.deck_bytes()), read_deck(goal_deck(task))

    def half(deck: Any) -> None:
        for slide in list(deck.slides)[:14]:
            for run in slide._element.iter(
                "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
            ):
                run.text = (run.text or "").replace("TrailLite", "TrailLight")

    def ruin(deck: Any) -> None:
        slide_at(deck, 3).shapes.title.text_frame.paragraphs[0].runs[0].text = "Something else"

    def of(*edits: Any) -> float:
        now = read_deck(edited(task.deck_bytes(), *edits))
        found = score(task.rubric, original, now, task.scope, targets=(target,)).score
        assert found is not None
        return found

    alone = of(half)
    assert 0 < alone < 1
    assert of(half, ruin) == pytest.approx(0.7 * alone)

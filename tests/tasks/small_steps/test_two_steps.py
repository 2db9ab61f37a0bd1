"""Tasks of two small goals: each half scores in part, both score 1."""

import re
from typing import Any

import pytest

from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

TASKS = list_tasks("all#two-steps")
HALVES = re.compile(r"((?:[a-z]+)-(?:title|slide|picture))-(\d)")


def _halves(task: Task) -> list[tuple[str, int]]:
    return [(name, int(number)) for name, number in HALVES.findall(task.id)]


def _scored(task: Task, edits: Any, halves: list[tuple[str, int]]) -> float:
    def edit(deck: Any) -> None:
        # Adding and deleting slides comes last, because it changes slide numbers.
        for name, number in sorted(halves, key=lambda half: half[0].endswith("-slide")):
            edits[name](deck, number)

    current = read_deck(edit_deck(task.deck_bytes(), edit))
    tree = score(task.rubric, read_deck(task.deck_bytes()), current, task.scope)
    assert tree.score is not None
    return tree.score


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_each_half_scores_in_part_and_both_score_one(task: Task, edits: Any) -> None:
    halves = _halves(task)
    assert len(halves) == 2
    assert _scored(task, edits, []) == 0.0
    for half in halves:
        assert 0.2 < _scored(task, edits, [half]) < 0.8
    assert _scored(task, edits, halves) == 1.0


def test_tasks_are_forty_different_combinations() -> None:
    assert len(TASKS) == len({task.id for task in TASKS}) == 40
    for task in TASKS:
        (first, first_number), (second, second_number) = _halves(task)
        assert first != second
        assert first_number != second_number
        assert len(task.demonstration) >= 3
    assert get_task(TASKS[3].id) is TASKS[3]

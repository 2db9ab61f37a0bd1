"""Two small goals in one: each half pays, both are needed for all."""

import re
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation

from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow

TASKS = list_tasks("all#two-steps")
HALVES = re.compile(r"((?:[a-z]+)-(?:title|slide|picture))-(\d)")


def _halves(task: Task) -> list[tuple[str, int]]:
    return [(name, int(number)) for name, number in HALVES.findall(task.id)]


def _in_turn(halves: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the halves, what is about a whole slide last: the other's number still holds then."""
    return sorted(halves, key=lambda half: half[0].endswith("-slide"))


def _scored(task: Task, edits: Any, halves: list[tuple[str, int]]) -> float:
    deck = Presentation(BytesIO(task.deck_bytes()))
    for name, number in _in_turn(halves):
        edits[name](deck, number)
    stream = BytesIO()
    deck.save(stream)
    tree = score(
        task.rubric, read_deck(task.deck_bytes()), read_deck(stream.getvalue()), task.scope
    )
    assert tree.score is not None
    return tree.score


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_each_half_pays_and_both_make_one(task: Task, edits: Any) -> None:
    halves = _halves(task)
    assert len(halves) == 2
    assert _scored(task, edits, []) == 0.0
    for half in halves:
        assert 0.2 < _scored(task, edits, [half]) < 0.8
    assert _scored(task, edits, halves) == 1.0


def test_they_are_forty_different_ones() -> None:
    assert len(TASKS) == len({task.id for task in TASKS}) == 40
    for task in TASKS:
        (first, one), (second, other) = _halves(task)
        assert first != second
        assert one != other
        assert len(task.demonstration) >= 3
    assert get_task(TASKS[3].id) is TASKS[3]

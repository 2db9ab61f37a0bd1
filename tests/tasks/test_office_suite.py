"""Every packaged task of a deck: no work scores 0, the target scores 1, and every leaf counts."""

import pytest
from tests.each_case import each_case

from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.quality.proofs import prove_leaves
from tools.decks.build import names

OFFICE = list_tasks("all#office")
STARTER = {task.id for task in list_tasks("starter")}  # their ids and lengths follow other rules
SUITES = ("bench", "extra", "all#ask")
PACKAGED = {task.id: task for suite in SUITES for task in list_tasks(suite)}.values()
TASKS = [
    task for suite in ("bench", "extra") for task in list_tasks(suite) if task.id not in STARTER
]
DOABLE = [task for task in PACKAGED if task.feasible]


def test_each_office_deck_has_tasks_of_all_types() -> None:
    assert {task.deck for task in OFFICE} == set(names())
    for name in names():
        deck_tasks = [task for task in OFFICE if task.deck == name]
        assert {task.difficulty for task in deck_tasks} == {"easy", "medium", "hard"}
        assert any(task.turns for task in deck_tasks)
        assert any(not task.feasible for task in deck_tasks)


@each_case("task", TASKS, ids=lambda task: task.id)
def test_instructions_are_detailed(task: Task) -> None:
    japanese = sum(letter > "\u3000" for letter in task.instruction)
    assert len(task.instruction.split()) >= 15 or japanese >= 30  # written without blanks
    assert task.id.startswith(f"{task.deck!s}-")
    assert has_goal(task) == task.feasible


@pytest.mark.slow
@pytest.mark.parametrize("task", DOABLE, ids=lambda task: task.id)
def test_rubric_scores_original_0_and_target_1_and_every_leaf_counts(task: Task) -> None:
    before, after = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
    assert score(task.rubric, before, before, task.scope).score == 0.0
    node = score(task.rubric, before, after, task.scope)
    assert node.score == 1.0, node.to_json()
    leaves = prove_leaves(task)
    assert leaves
    assert all(leaf.ok for leaf in leaves), [leaf for leaf in leaves if not leaf.ok]

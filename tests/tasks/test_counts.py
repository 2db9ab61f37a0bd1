"""Counts of tasks, and the suite of two tasks per deck."""

from dataclasses import replace

from pptarena.rewards import load_scope
from pptarena.tasks import EDIT_TYPES, list_tasks
from pptarena.tasks.counts import UIUC_EDIT_TYPES, count_tasks

FAST = list_tasks("bench-fast")


def test_fast_suite_has_an_easier_and_a_hard_task_per_deck() -> None:
    bench = list_tasks("bench")
    decks = {task.deck for task in bench}
    assert {task.id for task in FAST} <= {task.id for task in bench}
    for deck in decks:
        levels = sorted(task.difficulty == "hard" for task in FAST if task.deck == deck)
        assert levels == [False, True], f"{deck!s}: choose two tasks in tasks/registry.py"


def test_fast_suite_is_feasible_in_one_turn_without_a_judge() -> None:
    for task in FAST:
        assert task.feasible
        assert not task.turns
        assert "judge" not in str(task.rubric)


def test_counts_add_up() -> None:
    tasks = list_tasks("bench")
    counts = count_tasks(tasks)
    assert counts.total == len(tasks) == sum(counts.difficulties.values())
    assert counts.total == sum(counts.levels.values())
    assert sum(counts.first.values()) == len(tasks)
    assert set(counts.first) == set(counts.any) == set(UIUC_EDIT_TYPES) == set(EDIT_TYPES)
    assert all(counts.first[kind] <= counts.any[kind] for kind in EDIT_TYPES)
    assert sum(UIUC_EDIT_TYPES.values()) == 100
    assert counts.flags["infeasible"] == sum(not task.feasible for task in tasks)


def test_tasks_across_slides_are_counted() -> None:
    task = next(task for task in list_tasks("bench") if not task.turns and task.feasible)

    def across(**scope: object) -> int:
        return count_tasks([replace(task, scope=load_scope(scope))]).flags["across slides"]

    assert across(slides=[3], aspects=["text"]) == 0
    assert across(slides=[3, 4], aspects=["text"]) == 1
    assert across(slides="all", aspects=["text"]) == 1
    assert across(parts=[{"slides": [3]}, {"slides": [3]}]) == 0
    assert across(parts=[{"slides": [3]}, {"slides": {"except": [1]}}]) == 1
    assert across(new_slides=1, parts=[]) == 0
    assert across(new_slides=1, parts=[{"slides": [3], "aspects": ["text"]}]) == 1

"""Feasible packaged tasks have targets; tasks of users have the targets that they specify."""

from dataclasses import replace

import pytest

from pptarena.rewards import load_rubric, read_deck, score
from pptarena.tasks import Task, get_task, list_tasks, suites
from pptarena.tasks.targets import (
    has_target,
    target_digest,
    target_files,
    turns_without_target,
)

HIDE = get_task("meridian-hide-backup")
TURNS = get_task("meridian-second-thoughts")
TEMPLATE_TASKS = [
    task for suite in ("all#first-steps", "all#two-steps") for task in list_tasks(suite)[::12]
]
RUBRIC = load_rubric(
    {"version": 1, "root": {"name": "hidden", "check": "slide_hidden", "args": {"slide": 2}}}
)


@pytest.mark.parametrize("suite", suites())
def test_every_packaged_task_has_a_target(suite: str) -> None:
    assert {task.id for task in list_tasks(suite) if turns_without_target(task)} == set()


@pytest.mark.slow
@pytest.mark.parametrize("task", TEMPLATE_TASKS, ids=lambda task: task.id)
def test_target_of_a_template_task_scores_one(task: Task) -> None:
    (file,) = target_files(task)
    before, target = read_deck(task.deck_bytes()), read_deck(file)
    tree = score(task.rubric, before, target, task.scope, targets=(target,))
    assert tree.score == 1.0, tree.to_json()


@pytest.mark.slow
@pytest.mark.parametrize("task", list_tasks("all#turns"), ids=lambda task: task.id)
def test_targets_of_turns_build_on_each_other(task: Task) -> None:
    start = task.deck_bytes()
    for number in range(1, len(task.turns) + 2):
        turn = task.at(number)
        (file,) = target_files(turn)
        before, target = read_deck(start), read_deck(file)
        assert score(turn.rubric, before, target, turn.scope, targets=(target,)).score == 1.0
        start = file


def test_turn_without_a_solution_has_no_target() -> None:
    turns = tuple(replace(turn, solution=()) for turn in TURNS.turns)
    own_task = replace(TURNS, id="mine", gold=TURNS.deck_bytes(), turns=turns)
    assert target_files(own_task) == (TURNS.deck_bytes(),)
    assert target_files(own_task.at(2)) == ()


def test_changed_copy_does_not_inherit_the_packaged_target() -> None:
    copy = replace(HIDE, rubric=RUBRIC, scope=None, place="mine.json")
    assert has_target(HIDE)
    assert target_files(copy) == ()
    assert turns_without_target(copy) == (1,)
    assert target_files(replace(copy, gold=HIDE.deck_bytes())) == (HIDE.deck_bytes(),)


def test_infeasible_task_needs_no_target() -> None:
    refused = replace(HIDE, feasible=False)
    assert target_files(refused) == ()
    assert turns_without_target(refused) == ()


def test_digest_identifies_the_target() -> None:
    other = get_task("meridian-retitle-products")
    assert target_digest(HIDE) == target_digest(replace(HIDE, instruction="Hide it."))
    assert len({target_digest(task) for task in (HIDE, other)}) == 2
    decks = TURNS.deck_bytes(), other.deck_bytes()
    later = [replace(TURNS, deck=deck).at(2) for deck in decks[:1]]
    assert len({target_digest(TURNS.at(number)) for number in (1, 2, 3)}) == 3
    assert target_digest(later[0]) != target_digest(replace(TURNS, feasible=False).at(2))

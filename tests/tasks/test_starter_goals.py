"""Targets of starter tasks and of turns: full, partial and damaged work."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pptx.oxml.ns import qn
from pptx.util import Cm
from tests.slide_edits import shape_named, slide_at

from pptarena.errors import TaskError
from pptarena.rewards import ScoredNode, read_deck, score
from pptarena.tasks import Task, Turn, list_tasks
from pptarena.tasks.goals import goal_deck, goal_decks, has_goal
from pptarena.tasks.goals.editing import delete_slide, edit_deck

pytestmark = pytest.mark.slow

TASKS = list_tasks("starter")


def scored(task: Task, *edits: Callable[[Any], None], start: bytes | None = None) -> ScoredNode:
    """Score the deck of a task, or the deck `start`, after edits."""
    current = edit_deck(task.deck_bytes() if start is None else start, *edits)
    return score(task.rubric, read_deck(task.deck_bytes()), read_deck(current), task.scope)


def test_task_without_a_target_is_reported() -> None:
    with pytest.raises(TaskError, match="other-task: the task has no gold deck and no solution"):
        goal_deck(replace(TASKS[0], id="other-task", solution=()))


TASKS_WITH_TURNS = list_tasks("all#turns")


@pytest.mark.parametrize("task", TASKS_WITH_TURNS, ids=lambda task: task.id)
def test_each_turn_scores_zero_before_and_one_after_its_target(task: Task) -> None:
    decks = [read_deck(deck) for deck in (task.deck_bytes(), *goal_decks(task))]
    turns: tuple[Task | Turn, ...] = (task, *task.turns)
    assert len(decks) == len(turns) + 1 > 2
    for turn, before, after in zip(turns, decks, decks[1:], strict=False):
        assert score(turn.rubric, before, before, turn.scope).score == 0.0
        assert score(turn.rubric, before, after, turn.scope).score == 1.0


def test_targets_end_at_the_first_turn_without_one() -> None:
    task = TASKS_WITH_TURNS[0]
    longer = replace(task, turns=(*task.turns, replace(task.turns[0], solution=())))
    assert len(goal_decks(longer)) == 1 + len(task.turns)
    refused = replace(task, turns=(replace(task.turns[0], feasible=False),))
    assert len(set(goal_decks(refused))) == 1


def damage(deck: Any) -> None:
    """Make changes that no task of the suite requests."""
    slide_at(deck, 2).shapes.title.text = "Something else"
    title = slide_at(deck, 4).shapes.title
    box = title.left, title.top, title.width, title.height
    title.left, title.top, title.width, title.height = box[0] + Cm(4), *box[1:]
    slide_at(deck, 12).shapes.title.text = "Oops"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_elsewhere_costs_points(task: Task) -> None:
    node = scored(task, damage, start=goal_deck(task))
    assert node.score is not None
    assert 0.35 <= node.score <= 0.6, node.to_json()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_alone_scores_zero(task: Task) -> None:
    assert scored(task, damage).score == 0.0


def delete_only_the_backup(deck: Any) -> None:
    delete_slide(deck, 17)


def correct_only_the_cell(deck: Any) -> None:
    shape_named(deck, 6, "Classes").table.cell(4, 1).text_frame.paragraphs[0].runs[
        0
    ].text = "DNA copying"


def remove_only_the_animations(deck: Any) -> None:
    root = slide_at(deck, 17)._element
    root.remove(root.find(qn("p:timing")))


PARTIAL_WORK: dict[str, Callable[[Any], None]] = {
    "meridian-board-version": delete_only_the_backup,
    "resistance-fix-classes-table": correct_only_the_cell,
    "resistance-answers-slide": remove_only_the_animations,
}


@pytest.mark.parametrize(
    "task", [t for t in TASKS if t.id in PARTIAL_WORK], ids=lambda task: task.id
)
def test_partial_work_scores_in_between(task: Task) -> None:
    value = scored(task, PARTIAL_WORK[task.id]).score
    assert value is not None
    assert 0.0 < value < 1.0


def test_all_tasks_with_several_goals_have_partial_work() -> None:
    several = {t.id for t in TASKS if sum(c.critical for c in t.rubric.root.children) > 1}
    assert several == set(PARTIAL_WORK)


def test_gold_deck_is_the_target() -> None:
    task = replace(TASKS[0], id="other-task", gold=b"PK of the goal")
    assert has_goal(task)
    assert goal_deck(task) == b"PK of the goal"

"""Goals of the starter tasks and of turns; damage, and a half of a goal."""

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
from pptarena.tasks.goals import goal_deck, goals_of_turns, has_goal
from pptarena.tasks.goals.editing import delete_slide, edited

pytestmark = pytest.mark.slow

TASKS = list_tasks("starter")


def scored(task: Task, *edits: Callable[[Any], None], of: bytes | None = None) -> ScoredNode:
    """Score the task's deck, or another one, after edits by python-pptx."""
    now = edited(task.deck_bytes() if of is None else of, *edits)
    return score(task.rubric, read_deck(task.deck_bytes()), read_deck(now), task.scope)


def test_a_task_without_a_goal_is_named() -> None:
    with pytest.raises(TaskError, match="other-task: the task has no gold deck and no solution"):
        goal_deck(replace(TASKS[0], id="other-task", solution=()))


OF_TURNS = list_tasks("all#turns")


@pytest.mark.parametrize("task", OF_TURNS, ids=lambda task: task.id)
def test_each_turn_scores_nothing_before_it_and_one_after_it(task: Task) -> None:
    decks = [read_deck(deck) for deck in (task.deck_bytes(), *goals_of_turns(task))]
    turns: tuple[Task | Turn, ...] = (task, *task.turns)
    assert len(decks) == len(turns) + 1 > 2
    for turn, before, after in zip(turns, decks, decks[1:], strict=False):
        assert score(turn.rubric, before, before, turn.scope).score == 0.0
        assert score(turn.rubric, before, after, turn.scope).score == 1.0


def test_goals_of_turns_end_where_they_are_not_known() -> None:
    task = OF_TURNS[0]
    longer = replace(task, turns=(*task.turns, replace(task.turns[0], solution=())))
    assert len(goals_of_turns(longer)) == 1 + len(task.turns)
    refused = replace(task, turns=(replace(task.turns[0], feasible=False),))
    assert len(set(goals_of_turns(refused))) == 1


def spoil(deck: Any) -> None:
    """Do what no task of the suite asks for."""
    slide_at(deck, 2).shapes.title.text = "Something else"
    title = slide_at(deck, 4).shapes.title
    box = title.left, title.top, title.width, title.height
    title.left, title.top, title.width, title.height = box[0] + Cm(4), *box[1:]
    slide_at(deck, 12).shapes.title.text = "Oops"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_elsewhere_costs(task: Task) -> None:
    node = scored(task, spoil, of=goal_deck(task))
    assert node.score is not None
    assert 0.35 <= node.score <= 0.6, node.to_json()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_alone_scores_nothing(task: Task) -> None:
    assert scored(task, spoil).score == 0.0


def only_the_backup_deleted(deck: Any) -> None:
    delete_slide(deck, 17)


def only_the_cell_corrected(deck: Any) -> None:
    shape_named(deck, 6, "Classes").table.cell(4, 1).text_frame.paragraphs[0].runs[
        0
    ].text = "DNA copying"


def only_the_animations_removed(deck: Any) -> None:
    root = slide_at(deck, 17)._element
    root.remove(root.find(qn("p:timing")))


HALVES: dict[str, Callable[[Any], None]] = {
    "meridian-board-version": only_the_backup_deleted,
    "resistance-fix-classes-table": only_the_cell_corrected,
    "resistance-answers-slide": only_the_animations_removed,
}


@pytest.mark.parametrize("task", [t for t in TASKS if t.id in HALVES], ids=lambda task: task.id)
def test_half_of_a_task_scores_in_between(task: Task) -> None:
    value = scored(task, HALVES[task.id]).score
    assert value is not None
    assert 0.0 < value < 1.0


def test_all_tasks_with_several_goals_have_a_half() -> None:
    several = {t.id for t in TASKS if sum(c.critical for c in t.rubric.root.children) > 1}
    assert several == set(HALVES)


def test_a_gold_deck_is_the_goal() -> None:
    task = replace(TASKS[0], id="other-task", gold=b"PK of the goal")
    assert has_goal(task)
    assert goal_deck(task) == b"PK of the goal"

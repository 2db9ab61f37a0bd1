"""Small tasks: their edits score 1, an unchanged deck scores 0."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.tasks.small_steps.conftest import kind_of, slide_number_of

from pptarena.errors import UnknownTaskError
from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

SUITES = ("all#first-steps", "all#first-steps-unseen")
TASKS = [task for suite in SUITES for task in list_tasks(suite)]


def _scored(task: Task, edit: Callable[[Any, int], None] | None) -> float | None:
    edits = () if edit is None else (lambda deck: edit(deck, slide_number_of(task)),)
    current = read_deck(edit_deck(task.deck_bytes(), *edits))
    return score(task.rubric, read_deck(task.deck_bytes()), current, task.scope).score


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_original_scores_zero_and_goal_scores_one(task: Task, edits: Any) -> None:
    assert _scored(task, None) == 0.0
    assert _scored(task, edits[kind_of(task)]) == 1.0


def test_both_suites_contain_every_kind(edits: Any) -> None:
    for suite in SUITES:
        counts = Counter(kind_of(task) for task in list_tasks(suite))
        assert set(counts) == set(edits)
    assert {task.deck for task in list_tasks("all#first-steps")} == {"meridian"}
    assert {task.deck for task in list_tasks("all#first-steps-unseen")} == {"resistance"}


def test_tasks_are_found_by_unique_ids() -> None:
    for task in (TASKS[0], TASKS[-1]):
        assert get_task(task.id) is task
    assert len({task.id for task in TASKS}) == len(TASKS)
    with pytest.raises(UnknownTaskError, match="first-steps-right-title-1"):
        get_task("first-steps-right-titel-1")


PLAYED = [
    *{kind_of(task): task for task in list_tasks(SUITES[1])}.values(),
    get_task("first-steps-new-slide-2"),  # LibreOffice saves a picture of an unfilled placeholder
    get_task("first-steps-duplicate-slide-3"),  # LibreOffice fits a text box of the copy
]


@pytest.mark.image
@pytest.mark.parametrize("task", PLAYED, ids=lambda task: task.id)
def test_demonstration_reaches_the_goal(task: Task) -> None:
    from contextlib import closing

    from pptarena.agents.demonstration import DemonstrationAgent
    from pptarena.rollouts.env import make_env

    with closing(make_env("sandbox")) as env:
        observation, info = env.reset(seed=0, options={"task": task})
        agent = DemonstrationAgent(lambda _: task)
        agent.reset(info, 0)
        done = False
        while not done:
            action = agent.act(observation, info)
            observation, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated
    assert info["score"] == 1.0, info["rubric"]

"""Small tasks: each can be solved, none is solved by doing nothing."""

from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation

from pptarena.errors import UnknownTaskError
from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow

SUITES = ("all#first-steps", "all#first-steps-unseen")
TASKS = [task for suite in SUITES for task in list_tasks(suite)]


def _scored(task: Task, edit: Callable[[Any, int], None] | None) -> float | None:
    deck = Presentation(BytesIO(task.deck_bytes()))
    if edit is not None:
        edit(deck, int(task.id.rsplit("-", 1)[1]))
    stream = BytesIO()
    deck.save(stream)
    original = read_deck(task.deck_bytes())
    return score(task.rubric, original, read_deck(stream.getvalue()), task.scope).score


def _kind(task: Task) -> str:
    return task.id.removeprefix(f"{task.suite}-").rsplit("-", 1)[0]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_work_scores_nothing_and_the_goal_one(task: Task, edits: Any) -> None:
    assert _scored(task, None) == 0.0
    assert _scored(task, edits[_kind(task)]) == 1.0


def test_every_kind_is_in_both_suites(edits: Any) -> None:
    for suite in SUITES:
        counts = Counter(_kind(task) for task in list_tasks(suite))
        assert set(counts) == set(edits)
    assert {task.deck for task in list_tasks("all#first-steps")} == {"meridian"}
    assert {task.deck for task in list_tasks("all#first-steps-unseen")} == {"resistance"}


def test_ids_lead_to_tasks() -> None:
    for task in (TASKS[0], TASKS[-1]):
        assert get_task(task.id) is task
    assert len({task.id for task in TASKS}) == len(TASKS)
    with pytest.raises(UnknownTaskError, match="first-steps-right-title-1"):
        get_task("first-steps-right-titel-1")


PLAYED = [
    *{_kind(task): task for task in list_tasks(SUITES[1])}.values(),
    get_task("first-steps-new-slide-2"),  # LibreOffice saves a picture of an unfilled placeholder
    get_task("first-steps-duplicate-slide-3"),  # LibreOffice fits a text box of the copy
]


@pytest.mark.image
@pytest.mark.parametrize("task", PLAYED, ids=lambda task: task.id)
def test_its_demonstration_reaches_the_goal(task: Task) -> None:
    from contextlib import closing

    from pptarena.agents.demonstration import DemonstrationAgent
    from pptarena.rollouts.env import make_env

    with closing(make_env("sandbox")) as env:
        observation, info = env.reset(seed=0, options={"task": task})
        agent = DemonstrationAgent(lambda _: task)
        agent.reset(info, 0)
        over = False
        while not over:
            action = agent.act(observation, info)
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
    assert info["score"] == 1.0, info["rubric"]

"""A solution scores the same as typed calls and as its deck."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from pptarena.agents.goal_agent import GoalAgent
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.errors import AgentError
from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow
ALL = {task.id: task for name in ("bench", "extra") for task in list_tasks(name)}.values()


@pytest.fixture(scope="module")
def env() -> Iterator[PPTArenaDocEnv]:
    with closing(PPTArenaDocEnv(judge=None, score_when="end")) as made:
        yield made


@pytest.mark.parametrize("task", ALL, ids=lambda task: task.id)
def test_solution_scores_one_as_calls_and_as_a_deck(env: PPTArenaDocEnv, task: Task) -> None:
    observation, info = env.reset(seed=0, options={"task": task})
    agent, over = GoalAgent([task]), False
    agent.reset(info, 0)
    while not over:
        observation, _, over, _, info = env.step(agent.act(observation, info))
    assert info["score"] == 1.0, info["rubric"]
    if task.feasible and not task.turns:
        before, now = read_deck(task.deck_bytes()), read_deck(env.deck_bytes())
        assert score(task.rubric, before, now, task.scope).score == info["score"]


def test_error_names_the_turn_without_a_solution() -> None:
    task = get_task("clinic-minutes")
    agent = GoalAgent([replace(task, turns=(replace(task.turns[0], solution=()), *task.turns[1:]))])
    with pytest.raises(AgentError, match="clinic-minutes: the task has no solution for turn 2"):
        agent.reset({"task_id": task.id}, 0)

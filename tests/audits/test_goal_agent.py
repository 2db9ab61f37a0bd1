"""The goal by a file edit, through the document environment, scores what its deck scores."""

from dataclasses import replace

import pytest

from pptarena.audits.goal_agent import GoalAgent, goal_program
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.errors import AgentError
from pptarena.rewards import read_deck, score
from pptarena.tasks import Task, get_task, list_tasks

pytestmark = pytest.mark.slow
ALL = [*list_tasks("bench"), *list_tasks("office")]
TASKS = [task for task in ALL if not task.turns]
OF_TURNS = [task for task in ALL if task.turns]  # edits are registered for their first turn only


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_goal_scores_one_here_and_as_a_deck(task: Task) -> None:
    env = PPTArenaDocEnv(task=task, judge=None)
    observation, info = env.reset(seed=0)
    agent, over = GoalAgent([task]), False
    agent.reset(info, 0)
    while not over:
        observation, _, over, _, info = env.step(agent.act(observation, info))
    assert info["score"] == 1.0, info["rubric"]
    if task.feasible:
        before, now = read_deck(task.deck_bytes()), read_deck(env.deck_bytes())
        assert score(task.rubric, before, now, task.scope).score == info["score"]
    env.close()


@pytest.mark.parametrize("task", OF_TURNS, ids=lambda task: task.id)
def test_a_task_of_several_turns_is_refused(task: Task) -> None:
    with pytest.raises(AgentError, match=f"{task.id}: expected one turn, it has"):
        GoalAgent([task]).reset({"task_id": task.id}, 0)


def test_a_task_without_an_edit_is_named() -> None:
    task = replace(get_task("meridian-hide-backup"), id="other-task")
    with pytest.raises(AgentError, match="other-task: expected a task with a file edit"):
        goal_program(task.id)

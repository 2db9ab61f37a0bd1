"""The goal of a grown task is reached by its row's solution, through the environment's own jail."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.agents.goal_agent import GoalAgent, goal_program
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.errors import AgentError
from pptarena.rewards import read_deck, score
from pptarena.tasks import Task
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.grow import DeckFile, grow_tasks
from pptarena.tasks.task_file import parse_task

pytestmark = pytest.mark.slow


def grown(count: int, *names: str) -> list[Task]:
    decks = [DeckFile(name, read_deck_file(name)) for name in names]
    return [parse_task(row, Path(), "grown", "") for row in grow_tasks(decks, count, seed=5)]


# The parts of the slides of townhall are not called by their numbers.
@pytest.mark.parametrize(("count", "decks"), [(40, ("meridian", "resistance")), (5, ("townhall",))])
def test_grown_tasks_are_solved_through_the_environment(count: int, decks: tuple[str, ...]) -> None:
    with closing(PPTArenaDocEnv(judge=None, score_when="end")) as env:
        for task in grown(count, *decks):
            observation, info = env.reset(seed=0, options={"task": task})
            assert info["score"] == 0.0
            agent, over = GoalAgent([task]), False
            agent.reset(info, 0)
            while not over:
                observation, _, over, _, info = env.step(agent.act(observation, info))
            assert info["score"] == 1.0, (task.instruction, info["rubric"])


def test_the_goal_of_a_grown_task_is_known_as_a_deck() -> None:
    for task in grown(6, "meridian"):
        assert has_goal(task)
        original, goal = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
        assert score(task.rubric, original, goal, task.scope).score == 1.0


def test_a_row_without_a_solution_is_refused() -> None:
    (task,) = grown(1, "meridian")
    with pytest.raises(AgentError, match="no gold deck and no solution"):
        goal_program(replace(task, solution=()))

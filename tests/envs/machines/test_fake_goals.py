"""Agents solve the first training tasks on the fake machine.

The elements that macros use are in the short list for models.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pptarena.agents.base import Agent
from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.agents.macro_agent import MacroAgent
from pptarena.agents.model.short_elements import short_elements
from pptarena.envs import PPTArenaEnv, actions
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.wrappers.learner import LearnerConfig, learner_env

SUITES = ("all#first-steps", "all#first-steps-unseen")
# Demonstrations of starter tasks that need no dialog, sidebar, table cell or notes view.
PLAYABLE = ("meridian-hide-backup", "meridian-retitle-products", "resistance-lecturer-name")


@pytest.fixture(scope="module")
def env() -> Any:
    env = PPTArenaEnv(list_tasks("all#first-steps")[0], machine="fake", look="never", draw=False)
    yield env
    env.close()


def play(env: Any, agent: Agent, task: Task) -> float | None:
    observation, info = env.reset(seed=0, options={"task": task})
    agent.reset(info, 0)
    ended = False
    while not ended:
        action = agent.act(observation, info)
        if isinstance(agent, MacroAgent):
            listed = short_elements(info["a11y"]["nodes"], info["instruction"])
            assert not action.element or f" [{action.element}]" in listed, task.id
        observation, _, terminated, truncated, info = env.step(action)
        assert info["action_error"] is None
        ended = terminated or truncated
    score: float | None = info["score"]
    return score


def finder_of(task: Task) -> Callable[[str], Task]:
    """Return a lookup of tasks that always returns this one."""
    return lambda _: task


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MacroAgent, DemonstrationAgent])
@pytest.mark.parametrize("suite", [*SUITES, "all#two-steps"])
def test_first_steps_are_solved(env: Any, suite: str, kind: Any) -> None:
    for task in list_tasks(suite):
        assert play(env, kind(finder_of(task)), task) == 1, task.id


@pytest.mark.slow
@pytest.mark.parametrize("id", PLAYABLE)
def test_demonstrations_without_dialogs_succeed(env: Any, id: str) -> None:
    assert play(env, DemonstrationAgent(get_task), get_task(id)) == 1


def test_undrawn_screen_is_black_with_the_same_tree() -> None:
    trees = []
    for draw in (True, False):
        env = PPTArenaEnv(get_task(PLAYABLE[0]), machine="fake", look="never", draw=draw)
        observation, info = env.reset(seed=0)
        _, _, _, _, later = env.step(actions.key("Page_Down"))
        trees.append((info["a11y"], later["a11y"]))
        assert observation["screenshot"].shape == (720, 1280, 3)
        assert bool(np.any(observation["screenshot"])) == draw
        env.close()
    assert trees[0] == trees[1]


def test_learner_without_screenshots_disables_drawing() -> None:
    for screenshot_px, is_drawn in (((160, 90), True), (None, False)):
        env = learner_env(
            LearnerConfig(screenshot_px=screenshot_px), task=PLAYABLE[0], machine="fake"
        )
        env.reset(seed=0)
        base: Any = env.unwrapped
        base.render_mode = "rgb_array"
        assert bool(np.any(base.render())) == is_drawn
        env.close()

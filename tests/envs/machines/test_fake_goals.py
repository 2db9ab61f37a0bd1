"""Agents reach the goals on the fake machine that training begins with.

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
# Demonstrations of starter tasks that need no dialog, side bar, table cell or view of notes.
PLAYABLE = ("meridian-hide-backup", "meridian-retitle-products", "resistance-lecturer-name")


@pytest.fixture(scope="module")
def env() -> Any:
    made = PPTArenaEnv(list_tasks("all#first-steps")[0], machine="fake", look="never", draw=False)
    yield made
    made.close()


def played(env: Any, agent: Agent, task: Task) -> float | None:
    observation, info = env.reset(seed=0, options={"task": task})
    agent.reset(info, 0)
    over = False
    while not over:
        action = agent.act(observation, info)
        if isinstance(agent, MacroAgent):
            shown = short_elements(info["a11y"]["nodes"], info["instruction"])
            assert not action.element or f" [{action.element}]" in shown, task.id
        observation, _, terminated, truncated, info = env.step(action)
        assert info["action_error"] is None
        over = terminated or truncated
    score: float | None = info["score"]
    return score


def only(task: Task) -> Callable[[str], Task]:
    """Return a finder of tasks that finds this one."""
    return lambda _: task


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MacroAgent, DemonstrationAgent])
@pytest.mark.parametrize("suite", [*SUITES, "all#two-steps"])
def test_every_first_step_is_reached(env: Any, suite: str, kind: Any) -> None:
    for task in list_tasks(suite):
        assert played(env, kind(only(task)), task) == 1, task.id


@pytest.mark.slow
@pytest.mark.parametrize("id", PLAYABLE)
def test_demonstrations_without_dialogs_are_played(env: Any, id: str) -> None:
    assert played(env, DemonstrationAgent(get_task), get_task(id)) == 1


def test_a_screen_that_is_not_drawn_is_black_and_has_the_same_tree() -> None:
    seen = []
    for draw in (True, False):
        env = PPTArenaEnv(get_task(PLAYABLE[0]), machine="fake", look="never", draw=draw)
        observation, info = env.reset(seed=0)
        _, _, _, _, later = env.step(actions.key("Page_Down"))
        seen.append((info["a11y"], later["a11y"]))
        assert observation["screenshot"].shape == (720, 1280, 3)
        assert bool(np.any(observation["screenshot"])) == draw
        env.close()
    assert seen[0] == seen[1]


def test_a_learner_without_screenshot_does_not_let_the_fake_draw() -> None:
    for px, drawn in (((160, 90), True), (None, False)):
        env = learner_env(LearnerConfig(screenshot_px=px), task=PLAYABLE[0], machine="fake")
        env.reset(seed=0)
        base: Any = env.unwrapped
        base.render_mode = "rgb_array"
        assert bool(np.any(base.render())) == drawn
        env.close()

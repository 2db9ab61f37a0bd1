from collections.abc import Callable, Sequence
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.agents.busy import BusyAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.rollouts.env import make_env
from pptarena.rollouts.measure import measure
from pptarena.tasks import Task

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]
PARTS = ("reset", "step", "action", "settle", "screenshot", "tree", "score")


@pytest.fixture
def long_env() -> Env:
    return make_env("fake", max_steps=100, width_px=640, height_px=360)


@pytest.mark.parametrize(("steps", "resets"), [(1, 5), (3, 5), (100, 5), (130, 7)])
def test_numbers_of_steps_and_resets_are_as_requested(
    long_env: Env, task: Task, steps: int, resets: int
) -> None:
    result = measure(long_env, BusyAgent(), (task,), steps)
    assert (len(result.step), len(result.reset)) == (steps, resets)
    assert (result.action_errors, result.infra_errors) == (0, [])
    figures = result.to_json()
    assert figures["samples"]["action"] == steps
    assert figures["cold_start_sec"] > 0


def test_only_steps_that_change_the_document_are_scored(
    long_env: Env, task: Task, script: Callable[..., Agent], solution: Sequence[Action]
) -> None:
    idle = measure(long_env, script(actions.key("Escape")), (task,), 10)
    assert (idle.score, idle.to_json()["score_sec"]) == ([], {"p50": None, "p95": None})
    click, bold, _ = solution
    busy = measure(long_env, script(click, bold, actions.key("Escape")), (task,), 15)
    assert len(busy.score) == 5


def test_lost_machine_is_reported_and_later_steps_are_measured(
    env: Env, task: Task, machine: FakeMachine
) -> None:
    machine.fail_next("lost")
    result = measure(env, BusyAgent(), (task,), 10)
    assert len(result.infra_errors) == 1
    assert len(result.step) == 10
    assert len(result.action) == 9


def test_refused_actions_are_counted_separately(
    long_env: Env, task: Task, script: Callable[..., Agent]
) -> None:
    result = measure(long_env, script(actions.click(element=256)), (task,), 5)
    assert (result.action_errors, len(result.step), len(result.action)) == (5, 5, 0)


def test_figures_are_consistent(long_env: Env, task: Task) -> None:
    figures = measure(long_env, BusyAgent(), (task,), 60).to_json()
    for part in PARTS:
        quantiles = figures[f"{part}_sec"]
        assert 0 <= quantiles["p50"] <= quantiles["p95"]
    parts = ("action", "settle", "screenshot", "tree")
    assert figures["step_sec"]["p50"] >= max(figures[f"{part}_sec"]["p50"] for part in parts)
    assert figures["cpu_sec"]["step"] > 0
    assert figures["cpu_sec"]["scored_step"] > 0
    assert figures["cpu_sec"]["reset"] > 0
    assert figures["steps_per_sec"] >= figures["steps_per_sec_with_resets"] > 0

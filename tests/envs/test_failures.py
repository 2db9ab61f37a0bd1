"""A machine that fails is never the agent's fault, and never a score."""

import numpy as np
import pytest

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import click, done, key, wait
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import MachineStartError
from pptarena.tasks import Task


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def env(machine: FakeMachine, bold_task: Task) -> PPTArenaEnv:
    return PPTArenaEnv(task=bold_task, machine=machine)


def select_title(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0)
    shape = next(node for node in info["a11y"]["nodes"] if node["role"] == "shape")
    env.step(click(shape["element"]))


@pytest.mark.parametrize("failure", ["lost", "timeout"])
def test_a_failure_in_a_step_truncates_without_reward(
    env: PPTArenaEnv, machine: FakeMachine, failure: str
) -> None:
    select_title(env)
    assert env.step(key("ctrl+b"))[1] == 1.0
    before = env.step(wait(0))[0]
    machine.fail_next(failure)
    obs, reward, terminated, truncated, info = env.step(key("ctrl+z"))
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 1.0)
    assert f"told to fail ({failure} on perform)" in info["infra_error"]
    assert info["action_error"] is None
    assert obs in env.observation_space
    assert np.array_equal(obs["screenshot"], before["screenshot"])
    _, info = env.reset(seed=0)
    assert (info["score"], info["infra_error"]) == (0.0, None)
    assert env.step(wait(0))[4]["infra_error"] is None


@pytest.mark.parametrize("failure", ["lost", "timeout", "garbage"])
def test_a_failed_save_is_no_score(env: PPTArenaEnv, machine: FakeMachine, failure: str) -> None:
    select_title(env)
    machine.fail_next(failure, on="save")
    _, reward, terminated, truncated, info = env.step(key("ctrl+b"))
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 0.0)
    assert info["infra_error"]


def test_sparse_reward_is_not_paid_when_the_machine_fails(
    machine: FakeMachine, bold_task: Task
) -> None:
    env = PPTArenaEnv(task=bold_task, machine=machine, reward="sparse")
    select_title(env)
    env.step(key("ctrl+b"))
    machine.fail_next("lost")
    _, reward, terminated, truncated, info = env.step(done())
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 1.0)


def test_reset_tries_three_times(env: PPTArenaEnv, machine: FakeMachine) -> None:
    machine.fail_next("start", on="load", times=2)
    assert env.reset(seed=0)[1]["score"] == 0.0
    machine.fail_next("start", on="load", times=3)
    with pytest.raises(MachineStartError, match=r"did not come up in 3 attempts: .*told to fail"):
        env.reset(seed=0)
    assert env.reset(seed=0)[1]["infra_error"] is None


def test_an_unreadable_baseline_is_tried_again(env: PPTArenaEnv, machine: FakeMachine) -> None:
    machine.fail_next("garbage", on="save")
    assert env.reset(seed=0)[1]["score"] == 0.0


def test_closing_closes_the_machine(env: PPTArenaEnv, machine: FakeMachine) -> None:
    env.reset(seed=0)
    env.close()
    with pytest.raises(MachineStartError, match="closed"):
        env.reset(seed=0)

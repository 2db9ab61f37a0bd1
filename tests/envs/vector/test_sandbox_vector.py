"""Two machines with the real application at once."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import done, key, wait
from pptarena.envs.machines.memory import process_tree
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.envs.vector import PPTArenaVectorEnv

pytestmark = pytest.mark.image
TASK = "meridian-rename-tent"


def machine_of(envs: PPTArenaVectorEnv, number: int) -> SandboxMachine:
    env = envs.envs[number].unwrapped
    assert isinstance(env, PPTArenaEnv)
    assert isinstance(env.machine, SandboxMachine)
    return env.machine


def processes() -> set[int]:
    return set(process_tree(os.getpid()))


@pytest.fixture
def nothing_is_left() -> Iterator[None]:
    before, files = processes(), len(os.listdir("/proc/self/fd"))
    yield
    limit = time.monotonic() + 5
    while processes() - before and time.monotonic() < limit:
        time.sleep(0.05)
    assert not processes() - before
    assert len(os.listdir("/proc/self/fd")) <= files + 1  # the spawner's pipe may be new


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_episodes_on_two_machines(mode: str) -> None:
    envs = gym.make_vec(
        "PPTArena-v0",
        num_envs=2,
        machine="sandbox",
        task=TASK,
        autoreset_mode=mode,
        reset_wait_sec=60,
        step_deadline_sec=120,
    )
    obs, infos = envs.reset(seed=0)
    assert infos["infra_error"].tolist() == [None, None]
    assert obs in envs.observation_space
    envs.step([key("Page_Down"), wait(0)])
    _, _, terminations, _, infos = envs.step([done(), wait(0)])
    assert terminations.tolist() == [True, False]
    if mode == "SameStep":
        assert infos["_final_obs"].tolist() == [True, False]
    obs, rewards, terminations, truncations, infos = envs.step([wait(0), wait(0)])
    assert infos["infra_error"].tolist() == [None, None]
    assert not (terminations | truncations).any()
    assert obs["element_count"].min() > 20
    assert np.isfinite(rewards).all()
    envs.close()


@pytest.mark.usefixtures("nothing_is_left")
def test_a_killed_and_a_stopped_machine() -> None:
    envs = PPTArenaVectorEnv(
        2, machine="sandbox", task=TASK, step_deadline_sec=8.0, autoreset_mode="NextStep"
    )
    envs.reset(seed=0)
    frozen = machine_of(envs, 0).pid
    killed = machine_of(envs, 1).pid
    assert frozen is not None
    assert killed is not None
    inside = process_tree(frozen)
    for pid in inside:
        os.kill(pid, signal.SIGSTOP)
    os.kill(killed, signal.SIGKILL)
    before = time.monotonic()
    _, rewards, _, truncations, infos = envs.step([wait(0), wait(0)])
    assert time.monotonic() - before < 60
    assert truncations.tolist() == [True, True]
    assert rewards.tolist() == [0.0, 0.0]
    assert "deadline" in infos["infra_error"][0]
    assert "MachineLostError" in infos["infra_error"][1]
    limit = time.monotonic() + 90
    back: Any = None
    while time.monotonic() < limit:
        back = envs.step([wait(0), wait(0)])[4]["infra_error"].tolist()
        if back == [None, None]:
            break
    assert back == [None, None]
    assert not set(inside) & processes()
    envs.close()


@pytest.mark.usefixtures("nothing_is_left")
def test_closing_while_machines_come_up() -> None:
    envs = PPTArenaVectorEnv(2, machine="sandbox", task=TASK)
    sub_envs = envs._sub_envs
    for sub_env in sub_envs:
        sub_env.start_reset(None, None, patient=True)
    time.sleep(0.3)
    envs.close()

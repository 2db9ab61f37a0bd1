"""Two machines with the real application, concurrently."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import gymnasium as gym
import numpy as np
import pytest

from pptarena.envs.actions import done, key, wait
from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector import PPTArenaVectorEnv

pytestmark = pytest.mark.image
TASK = "meridian-rename-tent"


class WithPid(gym.Wrapper[Any, Any, Any, Any]):
    """Returns the ids of its own process and that of its machine."""

    def own_pid(self) -> int:
        return os.getpid()

    def machine_pid(self) -> int | None:
        machine = base_env(self).machine
        assert isinstance(machine, SandboxMachine)
        return machine.pid


cloudpickle.register_pickle_by_value(sys.modules[__name__])  # processes cannot import the tests


def processes() -> set[int]:
    return set(process_tree(os.getpid()))


@pytest.fixture
def no_leaks() -> Iterator[None]:
    PPTArenaVectorEnv(1, machine="fake").close()  # Python's fork server stays
    before, files = processes(), len(os.listdir("/proc/self/fd"))
    yield
    limit = time.monotonic() + 5
    while processes() - before and time.monotonic() < limit:
        time.sleep(0.05)
    assert not processes() - before
    assert len(os.listdir("/proc/self/fd")) <= files + 1  # the spawner's pipe may be new


@pytest.mark.usefixtures("no_leaks")
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


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize("entire_process", [False, True])
def test_killed_and_stopped_machines_are_replaced(entire_process: bool) -> None:
    """Stop the machine of one sub-environment and kill the other's, or their entire processes."""
    envs = PPTArenaVectorEnv(
        2, machine="sandbox", task=TASK, step_deadline_sec=8.0, env_wrappers=[WithPid]
    )
    envs.reset(seed=0)
    frozen, killed = envs.call("machine_pid")
    workers = envs.call("own_pid")
    inside = process_tree(frozen)
    for pid in inside:
        os.kill(pid, signal.SIGSTOP)
    if entire_process:
        inside += process_tree(workers[0])
        os.kill(workers[0], signal.SIGSTOP)
        killed = workers[1]
    os.kill(killed, signal.SIGKILL)
    _, rewards, _, truncated, infos = envs.step([wait(0), wait(0)])
    assert truncated.tolist() == [True, True]
    assert rewards.tolist() == [0.0, 0.0]
    assert "MachineTimeoutError" in infos["infra_error"][0]
    assert "MachineLostError" in infos["infra_error"][1]
    limit = time.monotonic() + 180
    errors: Any = None
    while time.monotonic() < limit:
        errors = envs.step([wait(0), wait(0)])[4]["infra_error"].tolist()
        if errors == [None, None]:
            break
    assert errors == [None, None]
    assert not set(inside) & processes()
    replaced = envs.call("own_pid")
    assert [old != new for old, new in zip(workers, replaced, strict=True)] == [
        entire_process,
        entire_process,
    ]
    envs.close()


@pytest.mark.usefixtures("no_leaks")
def test_close_while_machines_start() -> None:
    envs = PPTArenaVectorEnv(2, machine="sandbox", task=TASK)
    envs.reset_async()
    time.sleep(0.3)
    envs.close()

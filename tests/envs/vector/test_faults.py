"""If a machine or process hangs, exits or does not start, the others continue."""

import os
import time
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from pptarena.envs.actions import done, wait
from pptarena.errors import MachineStartError

pytestmark = pytest.mark.slow

MODES = ("NextStep", "SameStep", "Disabled")
WAITS: list[Any] = [wait(0), wait(0)]


def step_until_recovered(envs: Any, mode: str, number: int = 0) -> None:
    """Step until the sub-environment works again; the other one must not fail meanwhile."""
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        if mode == "Disabled":
            mask = np.arange(envs.num_envs) == number
            if envs.reset(options={"reset_mask": mask})[1]["infra_error"][number] is None:
                return
        _, rewards, terminated, truncated, infos = envs.step(WAITS)
        assert infos["infra_error"][1 - number] is None
        assert (truncated[1 - number], rewards[number], terminated[number]) == (False, 0.0, False)
        if infos["infra_error"][number] is None:
            return
        assert truncated[number]
        time.sleep(0.05)
    raise AssertionError("the sub-environment did not come back")


def step_often(envs: Any) -> None:
    for _ in range(20):
        envs.step(WAITS)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("killed", "MachineLostError: the process exited"),
        ("exits", "MachineLostError: the process exited"),
        ("stopped", "MachineTimeoutError: the step took longer than its deadline"),
        ("hang", "MachineTimeoutError: the step took longer than its deadline"),
        ("machine lost", "simulates a failure"),
    ],
)
def test_only_the_failed_environment_is_truncated(factory: Any, fault: str, error: str) -> None:
    envs = factory.vector(2, step_deadline_sec=5.0, max_steps=1000)
    envs.reset(seed=3)
    envs.set_attr("note", ["a", "b"])
    old_pid = factory.arm(envs, 0, fault)
    obs, rewards, terminated, truncated, infos = envs.step(WAITS)
    assert truncated.tolist() == [True, False]
    assert rewards.tolist() == [0.0, 0.0]
    assert not terminated.any()
    assert error in infos["infra_error"][0]
    assert infos["infra_error"][1] is None
    assert obs in envs.observation_space
    step_until_recovered(envs, "NextStep")
    assert envs.get_attr("note") == ("a", "b")
    replaced = fault in ("killed", "exits", "stopped", "hang")
    assert (factory.arm(envs, 0) != old_pid) == replaced
    assert not (replaced and os.path.exists(f"/proc/{old_pid}"))
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]


@pytest.mark.parametrize("mode", MODES)
def test_exception_in_a_step_is_raised(factory: Any, mode: str) -> None:
    envs = factory.vector(2, mode, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 0, "raises")
    with pytest.raises(ValueError, match="a bug in a wrapper"):
        envs.step(WAITS)
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]


def test_recv_does_not_wait_for_a_hanging_step_or_reset(factory: Any) -> None:
    envs = factory.vector(2, step_deadline_sec=5.0, reset_wait_sec=5.0, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 0, "", "hang")
    factory.arm(envs, 1, "", "", "", "hang")
    envs.send({0: done(), 1: wait(0)})
    assert envs.recv(least=2)[0][2], "the end of the episode is reported"
    envs.send({0: wait(0), 1: wait(0)})
    order = [*envs.recv()]
    envs.send({1: wait(0)})
    order += [*envs.recv()]
    assert order == [1, 1], "two steps of 1 during the reset of 0"
    assert "continues in the background" in envs.recv()[0][4]["infra_error"]
    envs.send({0: wait(0), 1: wait(0)})
    assert [*envs.recv()] == [0]
    _, reward, _, truncated, info = envs.recv()[1]
    assert (reward, truncated) == (0.0, True)
    assert "took longer than its deadline" in info["infra_error"]


def test_exception_in_a_step_keeps_the_other_results(factory: Any) -> None:
    envs = factory.vector(2, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 1, "raises")
    envs.send({0: wait(0), 1: wait(0)})
    with pytest.raises(ValueError, match="a bug in a wrapper"):
        envs.recv(least=2)
    assert [*envs.recv()] == [0]
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]


def test_reset_discards_outstanding_steps(factory: Any) -> None:
    envs = factory.vector(2, max_steps=1000)
    envs.reset(seed=3)
    envs.send({0: wait(0), 1: wait(0)})
    envs.reset(seed=3)
    envs.send({0: wait(0)})
    assert envs.recv()[0][4]["infra_error"] is None


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("fault", ["killed", "machine lost"])
def test_loss_in_the_other_autoreset_modes(factory: Any, mode: str, fault: str) -> None:
    envs = factory.vector(2, mode, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 0, fault)
    _, rewards, _, truncated, infos = envs.step(WAITS)
    assert (rewards[0], truncated.tolist()) == (0.0, [True, False])
    if mode == "SameStep":
        assert infos["_final_obs"].tolist() == [True, False]
        assert infos["final_info"]["infra_error"][0]
        assert infos["final_obs"][0] in envs.single_observation_space
    if mode == "Disabled" or fault == "killed":
        assert infos["infra_error"][0]
        step_until_recovered(envs, mode)
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]


def test_lost_machine_does_not_change_the_sampled_tasks(factory: Any) -> None:
    def tasks(fault: str) -> list[str]:
        envs = factory.vector(1, max_steps=1000)
        task_ids = [envs.reset(seed=3)[1]["task_id"][0]]
        for _ in range(3):
            factory.arm(envs, 0, fault, "no start" if fault else "")
            envs.step([done()])
            while envs.step([wait(0)])[3][0]:
                pass
            task_ids.append(envs.get_attr("task")[0].id)
        return task_ids

    assert tasks("machine lost") == tasks("")


@pytest.mark.parametrize("mode", MODES)
def test_slow_reset_does_not_block_the_others(factory: Any, mode: str) -> None:
    envs = factory.vector(2, mode, reset_wait_sec=0, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 0, "", "slow")
    _, _, terminated, _, infos = envs.step([done(), wait(0)])
    assert terminated.tolist() == [True, False], "the end of the episode is reported"
    if mode == "SameStep":
        assert infos["final_info"]["infra_error"][0] is None
    if mode == "Disabled":
        _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
        assert "continues in the background" in infos["infra_error"][0]
    _, _, _, truncated, infos = envs.step(WAITS)
    assert truncated.tolist() == [True, False]
    assert "continues in the background" in infos["infra_error"][0]
    assert envs.get_attr("task")[0], "waits for the reset"
    step_until_recovered(envs, mode)


def test_hanging_reset_is_replaced(factory: Any) -> None:
    envs = factory.vector(2, reset_wait_sec=0, start_timeout_sec=0.001, max_steps=1000)
    envs.reset(seed=3)
    factory.arm(envs, 0, "", "hang")
    envs.step([done(), wait(0)])
    step_until_recovered(envs, "NextStep")


@pytest.mark.parametrize("mode", MODES)
def test_failed_start_is_retried(factory: Any, mode: str) -> None:
    envs = factory.vector(2, mode, max_steps=1000)
    factory.arm(envs, 0, "no start", "no start")
    obs, infos = envs.reset(seed=3)
    assert "MachineStartError" in infos["infra_error"][0]
    assert infos["infra_error"][1] is None
    assert not obs["screenshot"][0].any()
    step_until_recovered(envs, mode)
    assert envs.np_random_seed == (3, 4)


def test_loss_of_all_machines_raises(factory: Any) -> None:
    envs = factory.vector(2)
    for number in (0, 1):
        factory.arm(envs, number, "no start")
    with pytest.raises(MachineStartError, match=r"all machines are lost: .*did not start"):
        envs.reset(seed=1)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]
    for number in (0, 1):
        factory.arm(envs, number, "machine lost", *["no start"] * 9)
    with pytest.raises(MachineStartError, match=r"all machines are lost: .*did not start"):
        step_often(envs)
    for number in (0, 1):
        factory.arm(envs, number)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]


def test_errors_of_the_caller_are_raised(factory: Any) -> None:
    envs = factory.vector(2)
    with pytest.raises(KeyError, match="task 'no-such-task' not found"):
        envs.reset(seed=1, options={"task": "no-such-task"})
    with pytest.raises(ResetNeeded):
        envs.step(WAITS)
    with pytest.raises(AttributeError):
        envs.get_attr("nothing_of_that_name")
    with pytest.raises(ResetNeeded):
        envs.render()
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="SyncVectorEnv"):
        envs.call("checkpoint")
    assert envs.step(WAITS)[4]["infra_error"].tolist() == [None, None]

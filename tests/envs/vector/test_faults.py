"""A machine or process that hangs, exits or does not start: the others continue."""

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
REST: list[Any] = [wait(0), wait(0)]


def step_until_back(envs: Any, mode: str, number: int = 0) -> None:
    """Step until the sub-environment works again; the other one works all the time."""
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        if mode == "Disabled":
            mask = np.arange(envs.num_envs) == number
            if envs.reset(options={"reset_mask": mask})[1]["infra_error"][number] is None:
                return
        _, rewards, terminated, truncated, infos = envs.step(REST)
        assert infos["infra_error"][1 - number] is None
        assert (truncated[1 - number], rewards[number], terminated[number]) == (False, 0.0, False)
        if infos["infra_error"][number] is None:
            return
        assert truncated[number]
        time.sleep(0.05)
    raise AssertionError("the sub-environment did not come back")


def step_often(envs: Any) -> None:
    for _ in range(20):
        envs.step(REST)


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        ("killed", "MachineLostError: the process exited"),
        ("exits", "MachineLostError: the process exited"),
        ("stopped", "MachineTimeoutError: the step took longer than its deadline"),
        ("hang", "MachineTimeoutError: the step took longer than its deadline"),
        ("machine lost", "told to fail"),
    ],
)
def test_only_the_failed_one_is_truncated(farm: Any, trouble: str, error: str) -> None:
    envs = farm.vector(2, step_deadline_sec=5.0, max_steps=1000)
    envs.reset(seed=3)
    envs.set_attr("note", ["a", "b"])
    old = farm.arm(envs, 0, trouble)
    obs, rewards, terminated, truncated, infos = envs.step(REST)
    assert truncated.tolist() == [True, False]
    assert rewards.tolist() == [0.0, 0.0]
    assert not terminated.any()
    assert error in infos["infra_error"][0]
    assert infos["infra_error"][1] is None
    assert obs in envs.observation_space
    step_until_back(envs, "NextStep")
    assert envs.get_attr("note") == ("a", "b")
    replaced = trouble in ("killed", "exits", "stopped", "hang")
    assert (farm.arm(envs, 0) != old) == replaced
    assert not (replaced and os.path.exists(f"/proc/{old}"))
    assert envs.step(REST)[4]["infra_error"].tolist() == [None, None]


@pytest.mark.parametrize("mode", MODES)
def test_a_bug_in_a_step_is_raised(farm: Any, mode: str) -> None:
    envs = farm.vector(2, mode, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 0, "raises")
    with pytest.raises(ValueError, match="a bug in a wrapper"):
        envs.step(REST)
    assert envs.step(REST)[4]["infra_error"].tolist() == [None, None]


def test_a_result_does_not_wait_for_a_step_or_reset_that_hangs(farm: Any) -> None:
    envs = farm.vector(2, step_deadline_sec=5.0, reset_wait_sec=5.0, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 0, "", "hang")
    farm.arm(envs, 1, "", "", "", "hang")
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


def test_a_bug_in_a_step_keeps_the_other_results(farm: Any) -> None:
    envs = farm.vector(2, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 1, "raises")
    envs.send({0: wait(0), 1: wait(0)})
    with pytest.raises(ValueError, match="a bug in a wrapper"):
        envs.recv(least=2)
    assert [*envs.recv()] == [0]
    assert envs.step(REST)[4]["infra_error"].tolist() == [None, None]


def test_an_interrupted_recv_ends_with_a_reset(farm: Any) -> None:
    envs = farm.vector(2, max_steps=1000)
    envs.reset(seed=3)
    envs.send({0: wait(0), 1: wait(0)})
    envs.reset(seed=3)
    envs.send({0: wait(0)})
    assert envs.recv()[0][4]["infra_error"] is None


@pytest.mark.parametrize("mode", MODES[1:])
@pytest.mark.parametrize("trouble", ["killed", "machine lost"])
def test_a_loss_in_the_other_modes(farm: Any, mode: str, trouble: str) -> None:
    envs = farm.vector(2, mode, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 0, trouble)
    _, rewards, _, truncated, infos = envs.step(REST)
    assert (rewards[0], truncated.tolist()) == (0.0, [True, False])
    if mode == "SameStep":
        assert infos["_final_obs"].tolist() == [True, False]
        assert infos["final_info"]["infra_error"][0]
        assert infos["final_obs"][0] in envs.single_observation_space
    if mode == "Disabled" or trouble == "killed":
        assert infos["infra_error"][0]
        step_until_back(envs, mode)
    assert envs.step(REST)[4]["infra_error"].tolist() == [None, None]


def test_a_lost_machine_does_not_change_the_tasks_drawn(farm: Any) -> None:
    def tasks(trouble: str) -> list[str]:
        envs = farm.vector(1, max_steps=1000)
        found = [envs.reset(seed=3)[1]["task_id"][0]]
        for _ in range(3):
            farm.arm(envs, 0, trouble, "no start" if trouble else "")
            envs.step([done()])
            while envs.step([wait(0)])[3][0]:
                pass
            found.append(envs.get_attr("task")[0].id)
        return found

    assert tasks("machine lost") == tasks("")


@pytest.mark.parametrize("mode", MODES)
def test_a_slow_reset_stops_nobody(farm: Any, mode: str) -> None:
    envs = farm.vector(2, mode, reset_wait_sec=0, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 0, "", "slow")
    _, _, terminated, _, infos = envs.step([done(), wait(0)])
    assert terminated.tolist() == [True, False], "the end of the episode is reported"
    if mode == "SameStep":
        assert infos["final_info"]["infra_error"][0] is None
    if mode == "Disabled":
        _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
        assert "continues in the background" in infos["infra_error"][0]
    _, _, _, truncated, infos = envs.step(REST)
    assert truncated.tolist() == [True, False]
    assert "continues in the background" in infos["infra_error"][0]
    assert envs.get_attr("task")[0], "waits for the reset"
    step_until_back(envs, mode)


def test_a_reset_that_hangs_is_replaced(farm: Any) -> None:
    envs = farm.vector(2, reset_wait_sec=0, start_timeout_sec=0.001, max_steps=1000)
    envs.reset(seed=3)
    farm.arm(envs, 0, "", "hang")
    envs.step([done(), wait(0)])
    step_until_back(envs, "NextStep")


@pytest.mark.parametrize("mode", MODES)
def test_a_machine_that_does_not_start_is_tried_again(farm: Any, mode: str) -> None:
    envs = farm.vector(2, mode, max_steps=1000)
    farm.arm(envs, 0, "no start", "no start")
    obs, infos = envs.reset(seed=3)
    assert "MachineStartError" in infos["infra_error"][0]
    assert infos["infra_error"][1] is None
    assert not obs["screenshot"][0].any()
    step_until_back(envs, mode)
    assert envs.np_random_seed == (3, 4)


def test_no_machine_starts(farm: Any) -> None:
    envs = farm.vector(2)
    for number in (0, 1):
        farm.arm(envs, number, "no start")
    with pytest.raises(MachineStartError, match=r"all machines are lost: .*did not come up"):
        envs.reset(seed=1)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]
    for number in (0, 1):
        farm.arm(envs, number, "machine lost", *["no start"] * 9)
    with pytest.raises(MachineStartError, match=r"all machines are lost: .*did not come up"):
        step_often(envs)
    for number in (0, 1):
        farm.arm(envs, number)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]


def test_an_error_that_no_machine_caused_is_raised(farm: Any) -> None:
    envs = farm.vector(2)
    with pytest.raises(KeyError, match="task 'no-such-task' not found"):
        envs.reset(seed=1, options={"task": "no-such-task"})
    with pytest.raises(ResetNeeded):
        envs.step(REST)
    with pytest.raises(AttributeError):
        envs.get_attr("nothing_of_that_name")
    with pytest.raises(ResetNeeded):
        envs.render()
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="SyncVectorEnv"):
        envs.call("checkpoint")
    assert envs.step(REST)[4]["infra_error"].tolist() == [None, None]

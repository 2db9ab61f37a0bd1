"""A machine that hangs, dies or does not come up: the others go on, and no score is made up."""

import time
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from pptarena.envs.actions import done, wait
from pptarena.errors import MachineStartError
from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

TASK = list_tasks("starter")[0].id
HANG_SEC = 300.0
MODES = ("NextStep", "SameStep", "Disabled")


def rest(count: int) -> list[Any]:
    return [wait(0)] * count


def step_until_back(envs: Any, number: int, mode: str) -> list[Any]:
    """Step until the sub_env works again; return all replies on the way."""
    replies: list[Any] = []
    mask = np.arange(envs.num_envs) == number
    limit = time.monotonic() + 20
    while time.monotonic() < limit:
        if mode == "Disabled":
            _, infos = envs.reset(options={"reset_mask": mask})
            if infos["infra_error"][number] is None:
                return replies
        reply = envs.step(rest(envs.num_envs))
        replies.append(reply)
        if reply[4]["infra_error"][number] is None:
            return replies
        time.sleep(0.02)
    raise AssertionError("the sub_env did not come back")


@pytest.mark.parametrize("mode", MODES)
def test_a_machine_that_hangs_is_truncated_and_replaced(farm: Any, mode: str) -> None:
    envs = farm.vector(3, mode, step_deadline_sec=0.4)
    first = envs.reset(seed=5)
    tasks = first[1]["task_id"].tolist()
    envs.step(rest(3))
    farm.machines[1].perform_sec = HANG_SEC
    before = time.monotonic()
    obs, rewards, terminations, truncations, infos = envs.step(rest(3))
    assert 0.4 <= time.monotonic() - before < 60
    assert truncations.tolist() == [False, True, False]
    assert not terminations.any()
    assert rewards.tolist() == [0.0, 0.0, 0.0]
    assert "deadline of 0.4 s" in infos["infra_error"][1]
    assert [infos["infra_error"][0], infos["infra_error"][2]] == [None, None]
    assert obs in envs.observation_space
    if mode == "SameStep":
        assert infos["_final_obs"].tolist() == [False, True, False]
        assert "deadline" in infos["final_info"]["infra_error"][1]
    replies = step_until_back(envs, 1, mode)
    assert len(farm.machines) == 4
    assert farm.machines[1].ended
    assert all(reply[1][1] == 0.0 for reply in replies)
    assert all(reply[4]["infra_error"][0] is None for reply in replies)
    assert envs.call("task")[0].id == tasks[0]
    _, rewards, terminations, truncations, infos = envs.step(rest(3))
    assert infos["infra_error"].tolist() == [None] * 3
    assert not (terminations | truncations).any()
    envs.close()
    assert all(machine.ended for machine in farm.machines)


@pytest.mark.parametrize("mode", MODES)
def test_the_replacement_draws_what_the_lost_one_would_have_drawn(farm: Any, mode: str) -> None:
    def tasks_of_episodes(*, hang: bool) -> list[str]:
        farm.machines.clear()
        envs = farm.vector(1, mode, step_deadline_sec=0.4)
        seen = [envs.reset(seed=3)[1]["task_id"][0]]
        for _ in range(3):
            if hang:
                farm.machines[-1].perform_sec = HANG_SEC
                _, _, _, truncations, _ = envs.step(rest(1))
                assert truncations[0]
                step_until_back(envs, 0, mode)
            elif mode == "Disabled":
                envs.step([done()])
                envs.reset(options={"reset_mask": np.array([True])})
            else:
                envs.step([done()])
                if mode == "NextStep":
                    envs.step([done()])
            seen.append(envs.get_attr("task")[0].id)
        envs.close()
        return seen

    assert tasks_of_episodes(hang=True) == tasks_of_episodes(hang=False)


@pytest.mark.parametrize("mode", MODES)
def test_a_machine_that_dies_costs_the_others_nothing(farm: Any, mode: str) -> None:
    envs = farm.vector(2, mode)
    envs.reset(seed=1)
    farm.machines[0].fail_next("lost")
    _, rewards, _, truncations, infos = envs.step(rest(2))
    assert truncations.tolist() == [True, False]
    assert rewards[0] == 0.0
    told = infos["final_info"] if mode == "SameStep" else infos
    assert "told to fail (lost on perform)" in told["infra_error"][0]
    if mode != "SameStep":
        step_until_back(envs, 0, mode)
    _, _, _, truncations, infos = envs.step(rest(2))
    assert not truncations.any()
    assert infos["infra_error"].tolist() == [None, None]
    assert len(farm.machines) == 2
    envs.close()


def test_a_slow_reset_after_a_loss_holds_nobody_up(farm: Any) -> None:
    envs = farm.vector(2, "NextStep", reset_wait_sec=HANG_SEC)
    envs.reset(seed=1)
    machine = farm.machines[0]
    machine.fail_next("lost")
    machine.load_sec = HANG_SEC
    before = time.monotonic()
    envs.step(rest(2))
    for _ in range(5):
        _, rewards, _, truncations, infos = envs.step(rest(2))
        assert infos["infra_error"][1] is None
        assert infos["infra_error"][0] is not None
        assert (rewards[0], truncations[0]) == (0.0, True)
    assert time.monotonic() - before < 60, "a second's grace, no more"
    envs.close()


def test_with_no_wait_no_step_waits_for_a_reset(farm: Any) -> None:
    envs = farm.vector(2, "NextStep", reset_wait_sec=0)
    envs.reset(seed=1)
    farm.machines[0].load_sec = HANG_SEC
    _, _, terminations, _, _ = envs.step([done(), wait(0)])
    assert terminations.tolist() == [True, False]
    before = time.monotonic()
    for _ in range(5):
        _, _, _, truncations, infos = envs.step(rest(2))
        assert truncations.tolist() == [True, False]
        assert "the reset is not done yet" in infos["infra_error"][0]
    assert time.monotonic() - before < 60
    envs.close()


def test_a_machine_that_does_not_come_up_is_told_of_and_tried_again(farm: Any) -> None:
    farm.prepare = lambda n, m: m.fail_next("start", on="load", times=3) if n == 1 else None
    envs = farm.vector(2, "NextStep")
    obs, infos = envs.reset(seed=1)
    assert infos["infra_error"][0] is None
    assert "did not come up in 3 attempts" in infos["infra_error"][1]
    assert not obs["screenshot"][1].any()
    assert obs in envs.observation_space
    _, rewards, _, truncations, infos = envs.step(rest(2))
    assert (rewards[1], truncations[1]) == (0.0, True)
    replies = step_until_back(envs, 1, "NextStep")
    assert replies[-1][4]["_score"].tolist() == [True, True]
    envs.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_first_reset_in_every_mode(farm: Any, mode: str) -> None:
    farm.prepare = lambda n, m: m.fail_next("start", on="load", times=3) if n == 0 else None
    envs = farm.vector(2, mode)
    _, infos = envs.reset(seed=1)
    assert "MachineStartError" in infos["infra_error"][0]
    _, rewards, _, truncations, infos = envs.step(rest(2))
    assert (rewards[0], truncations.tolist()) == (0.0, [True, False])
    step_until_back(envs, 0, mode)
    envs.close()


def test_no_machine_comes_up(farm: Any) -> None:
    farm.prepare = lambda n, m: m.fail_next("start", on="load", times=3)
    envs = farm.vector(2)
    with pytest.raises(MachineStartError, match=r"no machine came up: .*3 attempts"):
        envs.reset(seed=1)
    with pytest.raises(ResetNeeded):
        envs.step(rest(2))
    _, infos = envs.reset(seed=1)
    assert infos["infra_error"].tolist() == [None, None]
    envs.close()


def test_a_machine_that_never_comes_up_again_is_given_up(farm: Any) -> None:
    envs = farm.vector(2, restarts=0)
    envs.reset(seed=1)
    for machine in farm.machines:
        machine.fail_next("lost")
        machine.fail_next("start", on="load", times=99)
    envs.step(rest(2))
    with pytest.raises(MachineStartError, match=r"all machines are lost: .*did not come up"):
        envs.step(rest(2))
    for machine in farm.machines:
        machine._failures.clear()
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]
    envs.close()


def test_an_error_that_is_nobodys_machine_is_raised(farm: Any) -> None:
    envs = farm.vector(2)
    with pytest.raises(KeyError, match="task 'no-such-task' not found"):
        envs.reset(seed=1, options={"task": "no-such-task"})
    with pytest.raises(ResetNeeded, match=r"\[0, 1\] must be reset"):
        envs.step(rest(2))
    envs.reset(seed=1)
    envs.step(rest(2))
    envs.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_deck_that_cannot_be_opened_is_told_of_by_the_step_that_resets(
    farm: Any, mode: str
) -> None:
    envs = farm.vector(1, mode, restarts=0)
    envs.reset(seed=1)
    farm.machines[0].refuses = True
    # The deck can be read, so it is the machine that is broken: the step that ended the episode
    # keeps its result, and the next one says that no machine is left.
    *_, infos = envs.step([done()])
    assert bool(infos["infra_error"][0]) == (mode == "SameStep")
    with pytest.raises(MachineStartError, match="opens no deck"):
        envs.step([done()])
    farm.machines[0].refuses = False
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None]
    envs.close()

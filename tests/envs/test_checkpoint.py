"""Saving and restoring episodes on the fake machine."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from tests.envs.title_steps import begin_edit, comparable, element, finish_edit, make_env, same

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, click, done, key, type_text, wait
from pptarena.envs.machines.base import MachineObservation
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import MachineLostError, MachineStartError
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.slow


@pytest.fixture
def env(retitle_task: Task) -> Iterator[PPTArenaEnv]:
    env = make_env(retitle_task)
    yield env
    env.close()


def take_random_steps(env: PPTArenaEnv, generator: np.random.Generator, count: int) -> list[Any]:
    """Take random clicks and keys and return all replies."""
    trace: list[Any] = []
    keys = ("Escape", "F2", "ctrl+b", "ctrl+z", "ctrl+y", "ctrl+m", "Delete", "Page_Down", "a")
    for _ in range(count):
        number = int(generator.integers(1, 1 + len(env.last()[1]["a11y"]["nodes"]) // 2))
        action = [
            click(number),
            Action("double_click", element=number),
            key(keys[int(generator.integers(len(keys)))]),
            type_text("new"),
            Action("drag", element=number, end_xy=(0.6, 0.6)),
        ][int(generator.integers(5))]
        observation, reward, terminated, truncated, info = env.step(action)
        entry = comparable((observation, info))
        # After a restore, ids continue above all ids in use.
        del entry["observation_id"]
        trace.append((entry, reward, terminated, truncated))
    return trace


class TestRestore:
    def test_restore_in_mid_edit_returns_the_same_state(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        before = env.last()
        with env.checkpoint() as checkpoint:
            assert same(env.last(), before), "the checkpoint changed the state"
            finish_edit(env)
            take_random_steps(env, np.random.default_rng(1), 18)
            assert not same(env.last(), before)
            after = env.restore(checkpoint)
        assert same(after, before)
        assert after[1]["document"]["editing"]
        assert after[1]["infra_error"] is None
        assert after[1]["timing"]["total"] > 0
        assert after[1]["timing"]["settled_by"] == "nothing to wait for"
        assert not np.shares_memory(after[0]["screenshot"], before[0]["screenshot"])
        assert after[0] in env.observation_space
        assert finish_edit(env)[0] == 1.0

    def test_repeated_restores(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        scores = []
        for text in ("mer", "mit", "mer"):
            assert same(env.restore(checkpoint), before)
            scores.append(finish_edit(env, text)[1]["score"])
        assert scores == [1.0, 0.0, 1.0]

    def test_dense_rewards_add_up_after_a_restore(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        assert finish_edit(env)[0] == 1.0
        with env.checkpoint() as checkpoint:
            assert env.step(key("ctrl+z"))[1] == -1.0
            assert env.restore(checkpoint)[1]["score"] == 1.0
        rewards = [env.step(wait(0))[1], env.step(key("ctrl+z"))[1], env.step(key("ctrl+y"))[1]]
        _, reward, terminated, _, info = env.step(done())
        assert (rewards, reward, terminated) == ([0.0, -1.0, 1.0], 0.0, True)
        assert checkpoint.score + sum(rewards) + reward == info["score"] == 1.0

    def test_step_budget_continues_from_the_checkpoint(self, retitle_task: Task) -> None:
        env = PPTArenaEnv(task=retitle_task, machine="fake", max_steps=3)
        env.reset(seed=0)
        env.step(wait(0))
        checkpoint = env.checkpoint()
        assert checkpoint.steps == 1
        for _ in range(2):
            assert [env.step(wait(0))[3] for _ in range(2)] == [False, True]
            env.restore(checkpoint)

    def test_after_the_episode_ended(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        running = env.checkpoint()
        env.step(done())
        ended = env.checkpoint()
        env.restore(running)
        assert finish_edit(env)[0] == 1.0
        env.restore(ended)
        with pytest.raises(ResetNeeded):
            env.step(wait(0))

    def test_after_another_episode(self, env: PPTArenaEnv, bold_task: Task) -> None:
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        env.reset(options={"task": bold_task})
        assert same(env.restore(checkpoint), before)
        assert env.task is checkpoint.task

    @pytest.mark.parametrize("failure", ["lost", "timeout"])
    def test_after_the_machine_was_lost(self, retitle_task: Task, failure: str) -> None:
        machine = FakeMachine()
        env = PPTArenaEnv(task=retitle_task, machine=machine)
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        machine.fail_next(failure)
        assert env.step(wait(0))[4]["infra_error"]
        assert env.last()[1]["infra_error"]
        with pytest.raises(MachineLostError, match="down after a failure"):
            env.checkpoint()
        with pytest.raises(MachineLostError, match="down after a failure"):
            env.fork(2)
        assert same(env.restore(checkpoint), before)
        assert finish_edit(env)[0] == 1.0

    def test_failed_starts_are_retried(self, retitle_task: Task) -> None:
        machine = FakeMachine()
        env = PPTArenaEnv(task=retitle_task, machine=machine)
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        machine.fail_next("start", on="restore", times=2)
        env.restore(checkpoint)
        machine.fail_next("lost", on="restore", times=3)
        with pytest.raises(MachineStartError, match=r"did not start in 3 attempts: .*simulates a"):
            env.restore(checkpoint)
        with pytest.raises(ResetNeeded):
            env.step(wait(0))
        assert same(env.restore(checkpoint), before)

    def test_random_generator_is_restored(self) -> None:
        env = make_env()
        env.reset(seed=4)
        with env.checkpoint() as checkpoint:
            task_ids = [env.reset()[1]["task_id"] for _ in range(6)]
            env.reset(seed=9)
            env.restore(checkpoint)
            assert env.np_random_seed == 4
            assert [env.reset()[1]["task_id"] for _ in range(6)] == task_ids
            env.restore(checkpoint)
        assert [env.reset()[1]["task_id"] for _ in range(6)] == task_ids

    def test_restore_in_another_environment(self, env: PPTArenaEnv, bold_task: Task) -> None:
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        env.close()
        other = make_env(bold_task)
        after = other.restore(checkpoint)
        after[1]["observation_id"] = checkpoint.observation_id  # each environment counts its own
        assert same(after, before)
        assert finish_edit(other)[0] == 1.0

    @pytest.mark.parametrize("seed", range(12))
    def test_continuation_equals_the_uninterrupted_episode(
        self, bold_task: Task, seed: int
    ) -> None:
        steps, detour = np.random.default_rng(seed).integers(12, size=2)
        env = make_env(bold_task)
        env.reset(seed=0)
        take_random_steps(env, np.random.default_rng(seed), int(steps))
        with env.checkpoint() as checkpoint:
            expected = take_random_steps(env, np.random.default_rng(seed + 1), 8)
            env.restore(checkpoint)
            take_random_steps(env, np.random.default_rng(seed + 2), int(detour))
            env.restore(checkpoint)
            assert take_random_steps(env, np.random.default_rng(seed + 1), 8) == expected
            (fork,) = env.fork(1, checkpoint)
        assert take_random_steps(fork, np.random.default_rng(seed + 1), 8) == expected


class TestObservationIds:
    def test_action_for_the_saved_observation_stays_valid(self, env: PPTArenaEnv) -> None:
        _, info = env.reset(seed=0)
        number = info["observation_id"]
        action = Action("click", element=element(info, "Harvest"), observation_id=number)
        checkpoint = env.checkpoint()
        for _ in range(3):
            assert env.step(action)[4]["action_error"] is None
            env.step(wait(0))
            assert env.restore(checkpoint)[1]["observation_id"] == number

    def test_other_ids_are_never_reused(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        checkpoint = env.checkpoint()
        old_ids = [env.step(wait(0))[4]["observation_id"] for _ in range(3)]
        env.restore(checkpoint)
        assert "stale" in env.step(Action("wait", observation_id=old_ids[0]))[4]["action_error"]
        later = env.step(wait(0))[4]["observation_id"]
        assert (old_ids, later) == ([2, 3, 4], 5)
        assert "stale" in env.step(Action("wait", observation_id=1))[4]["action_error"]
        env.restore(checkpoint)
        assert env.reset()[1]["observation_id"] == 6

    def test_ids_of_another_environment_are_stale(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        checkpoint = env.checkpoint()
        other = make_env(checkpoint.task)
        for _ in range(5):
            other.reset(seed=0)
        assert other.restore(checkpoint)[1]["observation_id"] == 6
        reply = other.step(Action("wait", observation_id=checkpoint.observation_id))
        assert "stale" in reply[4]["action_error"]

    def test_fork_accepts_only_ids_from_before_the_fork(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        first = env.checkpoint()
        env.step(wait(0))
        (fork,) = env.fork(1)
        assert fork.last()[1]["observation_id"] == 2
        env.step(key("Page_Down"))
        later = env.checkpoint()
        assert (later.observation_id, fork.step(wait(0))[4]["observation_id"]) == (3, 3)
        assert fork.restore(later)[1]["observation_id"] == 4
        assert fork.restore(first)[1]["observation_id"] == 1
        (grandchild,) = fork.fork(1)
        assert grandchild.restore(first)[1]["observation_id"] == 1
        assert grandchild.step(wait(0))[4]["observation_id"] == 5

    def test_changed_elements_get_a_new_id(self, retitle_task: Task) -> None:
        class Restless(FakeMachine):
            """Shows another slide after every restore."""

            def _restore_impl(self, checkpoint: Any) -> MachineObservation:
                super()._restore_impl(checkpoint)
                return self._perform_impl(Command("key", keys=("Page_Down",)))

        env = PPTArenaEnv(task=retitle_task, machine=Restless())
        env.reset(seed=0)
        env.step(Action("drag", element=14, end_xy=(0.9, 0.9)))  # only on this slide
        checkpoint = env.checkpoint()
        assert env.restore(checkpoint)[1]["observation_id"] == checkpoint.observation_id + 1

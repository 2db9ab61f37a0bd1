"""Rejected uses of checkpoints, and checkpoints under Gymnasium's wrappers and vectors."""

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from tests.envs.title_steps import begin_edit, finish_edit, make_env, same

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import wait
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.machines.sandbox import snapshots
from pptarena.errors import ConfigError
from pptarena.tasks import Task


@pytest.fixture
def env(retitle_task: Task) -> Iterator[PPTArenaEnv]:
    env = make_env(retitle_task)
    yield env
    env.close()


class TestRejections:
    def test_before_reset(self, env: PPTArenaEnv) -> None:
        for call in (env.checkpoint, env.last, lambda: env.fork(2)):
            with pytest.raises(ResetNeeded, match=r"call env\.reset"):
                call()

    @pytest.mark.parametrize("wrong", [None, 3, "checkpoint"])
    def test_values_of_other_types(self, env: PPTArenaEnv, wrong: Any) -> None:
        env.reset(seed=0)
        with pytest.raises(ConfigError, match="expected a Checkpoint of `PPTArenaEnv`"):
            env.restore(wrong)
        if wrong is not None:  # None forks the current state
            with pytest.raises(ConfigError, match="expected a Checkpoint of `PPTArenaEnv`"):
                env.fork(1, wrong)
        assert not env.step(wait(0))[4]["infra_error"], "the episode continues"

    def test_sandbox_without_support_suggests_an_alternative(
        self, env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            snapshots, "checkpoint_problem", lambda _: ("it requires root", "become root")
        )
        snapshots.snapshot_support.cache_clear()
        env.reset(seed=0)
        checkpoint = env.checkpoint()
        sandbox = PPTArenaEnv(machine="sandbox")
        for call in (
            sandbox.checkpoint,
            lambda: sandbox.fork(2),
            lambda: sandbox.fork(2, checkpoint),
            lambda: sandbox.restore(checkpoint),
        ):
            with pytest.raises(
                ConfigError,
                match=r"the sandbox machine cannot save a checkpoint .* use machine='qemu'",
            ):
                call()
        assert sandbox.machine.memory_bytes() is None, "the machine was started"
        snapshots.snapshot_support.cache_clear()

    def test_closed_checkpoint(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        checkpoint = env.checkpoint()
        checkpoint.close()
        checkpoint.close()
        assert checkpoint.closed
        with pytest.raises(ConfigError, match="the checkpoint is closed"):
            env.restore(checkpoint)
        assert finish_edit(env)[0] == 1.0, "the episode was ended"

    def test_checkpoint_of_another_screen_size(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        checkpoint = env.checkpoint()
        other = PPTArenaEnv(machine="fake", width_px=800, height_px=600)
        for call in (lambda: other.restore(checkpoint), lambda: other.fork(2, checkpoint)):
            with pytest.raises(ConfigError, match=r"\(800, 600\) pixels, got one with \(640, 360"):
                call()

    def test_checkpoint_of_another_machine_kind(self, env: PPTArenaEnv, retitle_task: Task) -> None:
        class Foreign(FakeMachine):
            kind = "foreign"

        env.reset(seed=0)
        checkpoint = env.checkpoint()
        other = make_env(retitle_task, Foreign())
        other.reset(seed=0)
        with pytest.raises(ConfigError, match="of kind 'foreign', got one of kind 'fake'"):
            other.restore(checkpoint)
        assert other.step(wait(0))[4]["infra_error"] is None

    def test_closed_environment(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        checkpoint = env.checkpoint()
        env.close()
        for call in (
            env.checkpoint,
            lambda: env.restore(checkpoint),
            lambda: env.fork(2, checkpoint),
        ):
            with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
                call()

    def test_pickling(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        with env.checkpoint() as checkpoint:
            with pytest.raises(TypeError, match=r"cannot be pickled .* SyncVectorEnv"):
                pickle.dumps(checkpoint)
            with pytest.raises(TypeError, match="cannot be pickled"):
                pickle.dumps(checkpoint.machine)


class TestWrappers:
    def test_gymnasium_wrappers(self) -> None:
        env = gym.make("pptarena:PPTArena-v0", machine="fake", width_px=640, height_px=360)
        before = env.reset(seed=0)
        inner = env.unwrapped
        assert isinstance(inner, PPTArenaEnv)
        with inner.checkpoint() as checkpoint:
            env.step({**_space_action(env), "kind": 0})
            env.step(_space_action(env))
            assert same(inner.restore(checkpoint), before)
        assert env.step(_space_action(env))[4]["infra_error"] is None
        env.close()

    @pytest.mark.slow
    def test_sync_vector(self) -> None:
        envs = SyncVectorEnv([make_env, make_env])
        envs.reset(seed=0)
        checkpoints = envs.call("checkpoint")
        envs.action_space.seed(0)
        for _ in range(3):
            envs.step(envs.action_space.sample())
        for env, checkpoint in zip(envs.envs, checkpoints, strict=True):
            assert isinstance(env, PPTArenaEnv)
            assert env.restore(checkpoint)[1]["observation_id"] == 1
        envs.close()

    @pytest.mark.slow
    def test_async_vector_rejects_checkpoints(self) -> None:
        with warnings.catch_warnings():
            # Python 3.12 and later warn about forks because numpy has threads.
            warnings.filterwarnings("ignore", "This process", DeprecationWarning)
            envs = AsyncVectorEnv([make_env], shared_memory=False)
        try:
            envs.reset(seed=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # warnings about terminated processes
                with pytest.raises(TypeError, match="AsyncVectorEnv"):
                    envs.call("checkpoint")
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                envs.close(terminate=True)


def _space_action(env: gym.Env[Any, Any]) -> dict[str, Any]:
    env.action_space.seed(3)
    action: dict[str, Any] = env.action_space.sample()
    return action

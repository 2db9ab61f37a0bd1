"""What cannot be kept, and checkpoints under what gymnasium puts around an environment."""

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from tests.envs.retitling import begin_edit, finish_edit, make_env, same

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


class TestRefusals:
    def test_before_reset(self, env: PPTArenaEnv) -> None:
        for refused in (env.checkpoint, env.last, lambda: env.fork(2)):
            with pytest.raises(ResetNeeded, match=r"call env\.reset"):
                refused()

    @pytest.mark.parametrize("wrong", [None, 3, "checkpoint"])
    def test_what_is_no_checkpoint(self, env: PPTArenaEnv, wrong: Any) -> None:
        env.reset(seed=0)
        with pytest.raises(ConfigError, match="expected a Checkpoint of `PPTArenaEnv`"):
            env.restore(wrong)
        if wrong is not None:  # which forks the current state
            with pytest.raises(ConfigError, match="expected a Checkpoint of `PPTArenaEnv`"):
                env.fork(1, wrong)
        assert not env.step(wait(0))[4]["infra_error"], "the episode continues"

    def test_the_sandbox_says_what_can(
        self, env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(snapshots, "why_not", lambda _: ("it requires root", "become root"))
        snapshots.support.cache_clear()
        env.reset(seed=0)
        kept = env.checkpoint()
        sandbox = PPTArenaEnv(machine="sandbox")
        for refused in (
            sandbox.checkpoint,
            lambda: sandbox.fork(2),
            lambda: sandbox.fork(2, kept),
            lambda: sandbox.restore(kept),
        ):
            with pytest.raises(
                ConfigError,
                match=r"the sandbox machine cannot keep a checkpoint .* use machine='qemu'",
            ):
                refused()
        assert sandbox.machine.memory_bytes() is None, "it was started"
        snapshots.support.cache_clear()

    def test_a_closed_checkpoint(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        kept = env.checkpoint()
        kept.close()
        kept.close()
        assert kept.closed
        with pytest.raises(ConfigError, match="the checkpoint is closed"):
            env.restore(kept)
        assert finish_edit(env)[0] == 1.0, "the episode was ended"

    def test_another_size_of_screen(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        kept = env.checkpoint()
        other = PPTArenaEnv(machine="fake", width_px=800, height_px=600)
        for refused in (lambda: other.restore(kept), lambda: other.fork(2, kept)):
            with pytest.raises(ConfigError, match=r"\(800, 600\) pixels, got one with \(640, 360"):
                refused()

    def test_another_kind_of_machine(self, env: PPTArenaEnv, retitle_task: Task) -> None:
        class Foreign(FakeMachine):
            kind = "foreign"

        env.reset(seed=0)
        kept = env.checkpoint()
        other = make_env(retitle_task, Foreign())
        other.reset(seed=0)
        with pytest.raises(ConfigError, match="of kind 'foreign', got one of kind 'fake'"):
            other.restore(kept)
        assert other.step(wait(0))[4]["infra_error"] is None

    def test_a_closed_environment(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        kept = env.checkpoint()
        env.close()
        for refused in (env.checkpoint, lambda: env.restore(kept), lambda: env.fork(2, kept)):
            with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
                refused()

    def test_pickling(self, env: PPTArenaEnv) -> None:
        env.reset(seed=0)
        with env.checkpoint() as kept:
            with pytest.raises(TypeError, match=r"cannot be pickled .* SyncVectorEnv"):
                pickle.dumps(kept)
            with pytest.raises(TypeError, match="cannot be pickled"):
                pickle.dumps(kept.machine)


class TestAround:
    def test_through_gymnasiums_wrappers(self) -> None:
        env = gym.make("pptarena:PPTArena-v0", machine="fake", width_px=640, height_px=360)
        before = env.reset(seed=0)
        inner = env.unwrapped
        assert isinstance(inner, PPTArenaEnv)
        with inner.checkpoint() as kept:
            env.step({**_space_action(env), "kind": 0})
            env.step(_space_action(env))
            assert same(inner.restore(kept), before)
        assert env.step(_space_action(env))[4]["infra_error"] is None
        env.close()

    @pytest.mark.slow
    def test_in_a_sync_vector(self) -> None:
        envs = SyncVectorEnv([make_env, make_env])
        envs.reset(seed=0)
        kept = envs.call("checkpoint")
        envs.action_space.seed(0)
        for _ in range(3):
            envs.step(envs.action_space.sample())
        for env, each in zip(envs.envs, kept, strict=True):
            assert isinstance(env, PPTArenaEnv)
            assert env.restore(each)[1]["observation_id"] == 1
        envs.close()

    @pytest.mark.slow
    def test_in_processes_of_their_own_it_is_refused(self) -> None:
        with warnings.catch_warnings():
            # Python 3.12 and later warn of every fork while numpy keeps threads of its own.
            warnings.filterwarnings("ignore", "This process", DeprecationWarning)
            envs = AsyncVectorEnv([make_env], shared_memory=False)
        try:
            envs.reset(seed=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # it says in warnings what it ends
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

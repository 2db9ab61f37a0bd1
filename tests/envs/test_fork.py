"""Forking episodes on the fake machine."""

import gc
import pickle
import threading
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from tests.envs.title_steps import begin_edit, finish_edit, make_env, same

from pptarena.envs import Checkpoint, PPTArenaEnv
from pptarena.envs.actions import done, type_text
from pptarena.envs.machines.base import MachineObservation
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError, MachineLostError, MachineStartError
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command


@pytest.fixture
def env(retitle_task: Task) -> Iterator[PPTArenaEnv]:
    env = make_env(retitle_task)
    yield env
    env.close()


def saved_title(env: PPTArenaEnv) -> str:
    deck = Presentation(BytesIO(env.machine.save(commit_edit=True)))
    return str(deck.slides[0].shapes.title.text_frame.text)


class TestFork:
    @pytest.mark.slow
    def test_eight_forks_are_independent(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        before = env.last()
        forks = env.fork(8)
        assert all(same(fork.last(), before) for fork in forks)
        scores = [finish_edit(fork, f"mer{'!' * number}")[1]["score"] for number, fork in
                  enumerate(forks)]  # fmt: skip
        assert scores[0] == 1.0
        assert max(scores[1:]) < 1.0
        titles = [saved_title(fork) for fork in forks]
        assert titles == [f"Summer{'!' * number}" for number in range(8)]
        assert same(env.last(), before)
        assert saved_title(env) == "Sum"
        machines = {id(each.machine) for each in [env, *forks]}
        assert len(machines) == 9

    def test_closing_a_fork_leaves_the_others_open(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        first, second = env.fork(2)
        env.close()
        first.close()
        assert finish_edit(second)[0] == 1.0
        assert second.reset(seed=1)[1]["score"] == 0.0

    @pytest.mark.slow
    def test_forks_share_arguments_and_random_state(self) -> None:
        env = PPTArenaEnv(
            machine="fake", reward="sparse", width_px=640, height_px=360, max_steps=9, max_nodes=50
        )
        env.reset(seed=5)
        first, second = env.fork(2)
        assert first.config == second.config == env.config
        task_ids = [[each.reset()[1]["task_id"] for _ in range(5)] for each in (env, first, second)]
        assert task_ids[0] == task_ids[1] == task_ids[2]
        assert first.np_random is not second.np_random
        copy = pickle.loads(pickle.dumps(first))
        assert copy.config == env.config
        assert copy.task is None

    def test_fork_from_an_earlier_checkpoint(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        checkpoint, before = env.checkpoint(), env.last()
        env.step(done())
        forks = env.fork(2, checkpoint)
        assert [same(fork.last(), before) for fork in forks] == [True, True]
        checkpoint.close()
        assert finish_edit(forks[1])[0] == 1.0
        with pytest.raises(ConfigError, match="the checkpoint is closed"):
            env.fork(2, checkpoint)

    def test_fork_of_a_fork(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        (child,) = env.fork(1)
        child.step(type_text("m"))
        grandchildren = child.fork(2)
        assert finish_edit(grandchildren[0], "er")[0] == 1.0
        assert finish_edit(grandchildren[1], "it")[0] == 0.0

    @pytest.mark.parametrize("count", [0, -1, True, 2.0, "2"])
    def test_invalid_count_is_rejected(self, env: PPTArenaEnv, count: Any) -> None:
        env.reset(seed=0)
        with pytest.raises(ConfigError, match="expected a number of forks from 1, got"):
            env.fork(count)


class CountedMachine(FakeMachine):
    """Records the ids of open machines, and fails to fork after `forks_left` forks."""

    open_ids: set[int] = set()  # noqa: RUF012 - shared on purpose
    forks_left = 100
    lock = threading.Lock()

    def _fork_impl(self, checkpoint: Any) -> Any:
        with self.lock:
            type(self).forks_left -= 1
            if self.forks_left < 0:
                self.fail_next("start", on="fork")
        twin = super()._fork_impl(checkpoint)
        self.open_ids.add(id(twin))
        return twin

    def _close_impl(self) -> None:
        self.open_ids.discard(id(self))
        super()._close_impl()


@pytest.fixture
def counted_env(retitle_task: Task, monkeypatch: pytest.MonkeyPatch) -> PPTArenaEnv:
    """An environment on a `CountedMachine`, in a text edit."""
    monkeypatch.setattr(CountedMachine, "open_ids", set())
    env = make_env(retitle_task, CountedMachine())
    begin_edit(env)
    return env


class TestCleanup:
    @pytest.mark.slow
    @pytest.mark.parametrize("forks_left", [0, 2, 11])
    def test_failed_fork_start(
        self, counted_env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch, forks_left: int
    ) -> None:
        monkeypatch.setattr(CountedMachine, "forks_left", forks_left)
        threads = threading.active_count()
        with pytest.raises(MachineStartError, match="simulates a failure"):
            counted_env.fork(12)
        assert CountedMachine.open_ids == set()
        assert threading.active_count() == threads
        assert finish_edit(counted_env)[0] == 1.0, "the parent was harmed"

    def test_failed_first_observation(
        self, counted_env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(CountedMachine, "_perform_impl", _fail_to_observe)
            with pytest.raises(MachineLostError, match="no screen"):
                counted_env.fork(3)
        assert CountedMachine.open_ids == set()
        assert finish_edit(counted_env)[0] == 1.0

    @pytest.mark.slow
    def test_closed_forks_are_released(self, counted_env: PPTArenaEnv) -> None:
        forks = counted_env.fork(5)
        assert len(CountedMachine.open_ids) == 5
        for fork in forks:
            fork.close()
        assert CountedMachine.open_ids == set()

    def test_internal_checkpoint_is_released(
        self, env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        checkpoints: list[Checkpoint] = []
        original = PPTArenaEnv.checkpoint

        def record(self: PPTArenaEnv) -> Checkpoint:
            checkpoints.append(original(self))
            return checkpoints[-1]

        monkeypatch.setattr(PPTArenaEnv, "checkpoint", record)
        begin_edit(env)
        env.fork(2)
        assert [each.closed for each in checkpoints] == [True]

    @pytest.mark.slow
    def test_unreferenced_checkpoint_is_released(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        checkpoint = env.checkpoint()
        finalizer = checkpoint.machine._free
        assert finalizer.alive
        del checkpoint
        gc.collect()
        assert not finalizer.alive


def _fail_to_observe(self: FakeMachine, command: Command) -> MachineObservation:
    raise MachineLostError("no screen")

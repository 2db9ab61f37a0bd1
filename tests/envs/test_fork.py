"""An episode that is multiplied, on the fake machine."""

import gc
import pickle
import threading
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from tests.envs.retitling import begin_edit, finish_edit, make_env, same

from pptarena.envs import Checkpoint, PPTArenaEnv
from pptarena.envs.actions import done, type_text
from pptarena.envs.machines.base import Observed
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ConfigError, MachineLostError, MachineStartError
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command


@pytest.fixture
def env(retitle_task: Task) -> Iterator[PPTArenaEnv]:
    env = make_env(retitle_task)
    yield env
    env.close()


def title_saved(env: PPTArenaEnv) -> str:
    deck = Presentation(BytesIO(env.machine.save(commit_edit=True)))
    return str(deck.slides[0].shapes.title.text_frame.text)


class TestFork:
    @pytest.mark.slow
    def test_eight_forks_are_apart(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        before = env.last()
        forks = env.fork(8)
        assert all(same(fork.last(), before) for fork in forks)
        scores = [finish_edit(fork, f"mer{'!' * place}")[1]["score"] for place, fork in
                  enumerate(forks)]  # fmt: skip
        assert scores[0] == 1.0
        assert max(scores[1:]) < 1.0
        titles = [title_saved(fork) for fork in forks]
        assert titles == [f"Summer{'!' * place}" for place in range(8)]
        assert same(env.last(), before)
        assert title_saved(env) == "Sum"
        machines = {id(each.machine) for each in [env, *forks]}
        assert len(machines) == 9

    def test_closing_one_leaves_the_others(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        first, second = env.fork(2)
        env.close()
        first.close()
        assert finish_edit(second)[0] == 1.0
        assert second.reset(seed=1)[1]["score"] == 0.0

    @pytest.mark.slow
    def test_it_has_the_same_arguments_and_generator(self) -> None:
        env = PPTArenaEnv(
            machine="fake", reward="sparse", width_px=640, height_px=360, max_steps=9, max_nodes=50
        )
        env.reset(seed=5)
        first, second = env.fork(2)
        assert first.config == second.config == env.config
        drawn = [[each.reset()[1]["task_id"] for _ in range(5)] for each in (env, first, second)]
        assert drawn[0] == drawn[1] == drawn[2]
        assert first.np_random is not second.np_random
        again = pickle.loads(pickle.dumps(first))
        assert again.config == env.config
        assert again.task is None

    def test_from_a_checkpoint_of_before(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        kept, before = env.checkpoint(), env.last()
        env.step(done())
        forks = env.fork(2, kept)
        assert [same(fork.last(), before) for fork in forks] == [True, True]
        kept.close()
        assert finish_edit(forks[1])[0] == 1.0
        with pytest.raises(ConfigError, match="the checkpoint is closed"):
            env.fork(2, kept)

    def test_of_a_fork(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        (child,) = env.fork(1)
        child.step(type_text("m"))
        grandchildren = child.fork(2)
        assert finish_edit(grandchildren[0], "er")[0] == 1.0
        assert finish_edit(grandchildren[1], "it")[0] == 0.0

    @pytest.mark.parametrize("count", [0, -1, True, 2.0, "2"])
    def test_a_wrong_count_is_named(self, env: PPTArenaEnv, count: Any) -> None:
        env.reset(seed=0)
        with pytest.raises(ConfigError, match="expected a number of forks from 1, got"):
            env.fork(count)


class CountedMachine(FakeMachine):
    """It counts those that are not closed; each refuses to fork after a number of times."""

    living: set[int] = set()  # noqa: RUF012 - shared by all on purpose
    forks_left = 100
    lock = threading.Lock()

    def _fork_impl(self, checkpoint: Any) -> Any:
        with self.lock:
            type(self).forks_left -= 1
            if self.forks_left < 0:
                self.fail_next("start", on="fork")
        twin = super()._fork_impl(checkpoint)
        self.living.add(id(twin))
        return twin

    def _close_impl(self) -> None:
        self.living.discard(id(self))
        super()._close_impl()


class TestNothingLeaks:
    @pytest.mark.slow
    @pytest.mark.parametrize("forks_left", [0, 2, 11])
    def test_when_a_fork_does_not_start(
        self, retitle_task: Task, monkeypatch: pytest.MonkeyPatch, forks_left: int
    ) -> None:
        monkeypatch.setattr(CountedMachine, "forks_left", forks_left)
        monkeypatch.setattr(CountedMachine, "living", set())
        env = make_env(retitle_task, CountedMachine())
        begin_edit(env)
        threads = threading.active_count()
        with pytest.raises(MachineStartError, match="told to fail"):
            env.fork(12)
        assert CountedMachine.living == set()
        assert threading.active_count() == threads
        assert finish_edit(env)[0] == 1.0, "the parent was harmed"

    def test_when_the_first_look_fails(
        self, retitle_task: Task, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(CountedMachine, "living", set())
        env = make_env(retitle_task, CountedMachine())
        begin_edit(env)
        with monkeypatch.context() as patch:
            patch.setattr(CountedMachine, "_perform_impl", _blind)
            with pytest.raises(MachineLostError, match="blind"):
                env.fork(3)
        assert CountedMachine.living == set()
        assert finish_edit(env)[0] == 1.0

    @pytest.mark.slow
    def test_forks_are_counted_and_closed(
        self, retitle_task: Task, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(CountedMachine, "living", set())
        env = make_env(retitle_task, CountedMachine())
        begin_edit(env)
        forks = env.fork(5)
        assert len(CountedMachine.living) == 5
        for fork in forks:
            fork.close()
        assert CountedMachine.living == set()

    def test_the_checkpoint_of_a_fork_is_freed(
        self, env: PPTArenaEnv, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept: list[Checkpoint] = []
        checkpoint = PPTArenaEnv.checkpoint

        def noted(self: PPTArenaEnv) -> Checkpoint:
            kept.append(checkpoint(self))
            return kept[-1]

        monkeypatch.setattr(PPTArenaEnv, "checkpoint", noted)
        begin_edit(env)
        env.fork(2)
        assert [each.closed for each in kept] == [True]

    @pytest.mark.slow
    def test_a_forgotten_checkpoint_is_freed(self, env: PPTArenaEnv) -> None:
        begin_edit(env)
        kept = env.checkpoint()
        finalizer = kept.machine._free
        assert finalizer.alive
        del kept
        gc.collect()
        assert not finalizer.alive


def _blind(self: FakeMachine, command: Command) -> Observed:
    raise MachineLostError("blind")

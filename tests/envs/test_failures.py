"""Machine failures truncate an episode; failures of the application terminate it."""

import random

import numpy as np
import pytest
from tests.envs.title_steps import select_title

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, done, key, open_program, wait
from pptarena.envs.machines.base import Files
from pptarena.envs.machines.fake import FakeMachine
from pptarena.errors import ActionError, DeckError, MachineLostError, MachineStartError
from pptarena.tasks import Task
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.slow


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def env(machine: FakeMachine, bold_task: Task) -> PPTArenaEnv:
    return PPTArenaEnv(task=bold_task, machine=machine)


@pytest.mark.parametrize("failure", ["lost", "timeout"])
def test_machine_failure_in_a_step_truncates_without_reward(
    env: PPTArenaEnv, machine: FakeMachine, failure: str
) -> None:
    select_title(env)
    assert env.step(key("ctrl+b"))[1] == 1.0
    before = env.step(wait(0))[0]
    machine.fail_next(failure)
    obs, reward, terminated, truncated, info = env.step(key("ctrl+z"))
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 1.0)
    assert f"simulates a failure ({failure} on perform)" in info["infra_error"]
    assert info["action_error"] is None
    assert obs in env.observation_space
    assert np.array_equal(obs["screenshot"], before["screenshot"])
    _, info = env.reset(seed=0)
    assert (info["score"], info["infra_error"]) == (0.0, None)
    assert env.step(wait(0))[4]["infra_error"] is None


@pytest.mark.parametrize("failure", ["lost", "timeout"])
def test_machine_failure_while_saving_truncates_without_reward(
    env: PPTArenaEnv, machine: FakeMachine, failure: str
) -> None:
    select_title(env)
    machine.fail_next(failure, on="save")
    _, reward, terminated, truncated, info = env.step(key("ctrl+b"))
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 0.0)
    assert info["infra_error"]


def test_sparse_reward_is_withheld_when_the_machine_fails(
    machine: FakeMachine, bold_task: Task
) -> None:
    env = PPTArenaEnv(task=bold_task, machine=machine, reward="sparse")
    select_title(env)
    env.step(key("ctrl+b"))
    machine.fail_next("lost")
    _, reward, terminated, truncated, info = env.step(done())
    assert (reward, terminated, truncated, info["score"]) == (0.0, False, True, 1.0)


def test_reset_makes_up_to_three_attempts(env: PPTArenaEnv, machine: FakeMachine) -> None:
    machine.fail_next("start", on="load", times=2)
    assert env.reset(seed=0)[1]["score"] == 0.0
    machine.fail_next("start", on="load", times=3)
    with pytest.raises(
        MachineStartError, match=r"did not start in 3 attempts: .*simulates a failure"
    ):
        env.reset(seed=0)
    assert env.reset(seed=0)[1]["infra_error"] is None


def test_unreadable_baseline_is_retried(env: PPTArenaEnv, machine: FakeMachine) -> None:
    machine.fail_next("garbage", on="save")
    assert env.reset(seed=0)[1]["score"] == 0.0


@pytest.mark.parametrize(
    ("failure", "on", "action"),
    [
        ("overload", "perform", wait(1)),
        ("overload", "save", key("ctrl+i")),
        ("overload", "save", done()),
        ("garbage", "save", key("ctrl+i")),
        ("garbage", "save", done()),
    ],
)
def test_application_failure_terminates_and_costs_unsaved_work(
    env: PPTArenaEnv, machine: FakeMachine, failure: str, on: str, action: Action
) -> None:
    select_title(env)
    total = float(env.step(key("ctrl+b"))[1])
    assert total == 1.0
    machine.fail_next(failure, on=on)
    _, reward, terminated, truncated, info = env.step(action)
    assert (terminated, truncated, info["infra_error"], info["score"]) == (True, False, None, 0.0)
    assert info["overload"]
    assert total + float(reward) == info["score"], (
        "unsaved work is lost, and its reward is paid back"
    )
    assert env.reset(seed=0)[1]["overload"] is None


def test_saved_work_survives_an_application_failure(env: PPTArenaEnv, machine: FakeMachine) -> None:
    select_title(env)
    env.step(key("ctrl+b"))
    env.step(key("ctrl+s"))
    machine.fail_next("overload")
    _, reward, terminated, _, info = env.step(wait(1))
    assert (reward, terminated, info["score"]) == (0.0, True, 1.0)


def test_application_failure_does_not_restore_a_better_score(
    env: PPTArenaEnv, machine: FakeMachine
) -> None:
    select_title(env)
    env.step(key("ctrl+b"))
    env.step(key("ctrl+s"))
    assert env.step(key("ctrl+b"))[1] == -1.0
    machine.fail_next("overload")
    assert env.step(wait(1))[4]["score"] == 0.0


@pytest.mark.parametrize(
    ("keys", "score"),
    [
        (["ctrl+b", "ctrl+w"], 0.0),
        (["ctrl+b", "ctrl+s", "ctrl+w"], 1.0),
        (["ctrl+b", "ctrl+s", "ctrl+b", "ctrl+w"], 1.0),
        (["ctrl+b", "ctrl+shift+r"], 0.0),
        (["ctrl+s", "ctrl+b", "ctrl+w", "open"], 0.0),
        (["ctrl+b", "ctrl+s", "ctrl+w", "open"], 1.0),
    ],
)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_score_reflects_the_document_that_a_user_finds(
    machine: FakeMachine, bold_task: Task, keys: list[str], score: float, kind: str
) -> None:
    env = PPTArenaEnv(task=bold_task, machine=machine, reward=kind, max_steps=20)
    select_title(env)
    actions = [open_program("Impress") if name == "open" else key(name) for name in keys]
    total = sum(float(env.step(action)[1]) for action in [*actions, done()])
    info = env.last()[1]
    assert (info["score"], total) == (score, score)


def test_unreported_change_is_scored_at_the_end(env: PPTArenaEnv, machine: FakeMachine) -> None:
    select_title(env)
    assert env.step(key("ctrl+b"))[1] == 1.0
    document = machine._document
    assert document is not None
    document.undo()
    document.revision -= 1  # as if the machine had not noticed
    assert env.step(wait(1))[4]["score"] == 1.0
    assert env.step(done())[1] == -1.0


def test_untouched_document_is_not_saved_again(env: PPTArenaEnv, machine: FakeMachine) -> None:
    env.reset(seed=0)
    env.step(wait(1))
    machine.fail_next("lost", on="save")
    assert env.step(done())[4]["infra_error"] is None


def test_machine_that_rejects_a_valid_deck_does_not_start(
    env: PPTArenaEnv, machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(deck: bytes, name: str, files: Files) -> None:
        raise DeckError("no")

    monkeypatch.setattr(machine, "_load_impl", refuse)
    with pytest.raises(MachineStartError, match="cannot open a valid deck: no"):
        env.reset(seed=0)


def test_machine_that_rejects_required_operations_is_lost(
    env: PPTArenaEnv, machine: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise ActionError("no")

    select_title(env)
    with monkeypatch.context() as patch:
        patch.setattr(machine, "_save_impl", refuse)
        assert env.step(key("ctrl+b"))[4]["score"] == 0.0  # as if a text edit were open
        assert "refused to save: no" in env.step(done())[4]["infra_error"]
        with pytest.raises(MachineLostError, match="refused to save: no"):
            machine.save(commit_edit=True)
    monkeypatch.setattr(machine, "_perform_impl", refuse)
    with pytest.raises(MachineLostError, match="rejected an observation request: no"):
        machine.perform(Command("observe"))


def test_rewards_add_up_under_random_saves_closes_and_failures(
    env: PPTArenaEnv, machine: FakeMachine
) -> None:
    rng = random.Random(5)
    names = ["ctrl+b", "ctrl+s", "ctrl+w", "ctrl+shift+r", "ctrl+z", "ctrl+y", "Delete", "open"]
    for seed in range(12):
        select_title(env)
        total, ended, info = 0.0, False, env.last()[1]
        while not ended:
            name = rng.choice(names)
            if rng.random() < 0.05:
                machine.fail_next("overload", on=rng.choice(["perform", "save"]))
            action = open_program("Impress") if name == "open" else key(name)
            _, reward, terminated, truncated, info = env.step(action)
            total, ended = total + float(reward), terminated or truncated
        assert total == pytest.approx(info["score"], abs=1e-9), seed
        assert info["infra_error"] is None
        machine._failures.clear()

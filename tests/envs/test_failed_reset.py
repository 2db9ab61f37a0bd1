"""Environments after a failed `reset` and after `close`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.wrappers import PassiveEnvChecker

from pptarena.envs.document.doc_episode import DocEpisode
from pptarena.envs.machines.fake import FakeMachine
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

TASK = "meridian-hide-backup"
TASK_ENV = f"PPTArena/{TASK}-v0"
STEPS: dict[str, Any] = {
    "PPTArena-v0": {"kind": "wait"},
    TASK_ENV: {"kind": "wait"},
    "PPTArenaDoc-v0": {"tool": "list_layouts", "arguments": {}},
}
Env = gym.Env[Any, Any]
Make = Callable[..., Env]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Return a function that makes environments and closes them after the test."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    envs: list[Env] = []

    def make_env(id: str, **arguments: Any) -> Env:
        if id != "PPTArenaDoc-v0":
            arguments = {"machine": "fake", "width_px": 640, "height_px": 360, **arguments}
        envs.append(gym.make(id, **arguments))
        return envs[-1]

    yield make_env
    for env in envs:
        env.close()


def raise_interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def raise_disk_full(*_: object, **__: object) -> None:
    raise OSError("the disk is full")


BAD_OPTIONS: dict[str, Callable[[], Any]] = {
    "misspelt task": lambda: {"task": "meridian-hide-bakup"},
    "misspelt option": lambda: {"tsk": TASK},
    "missing path": lambda: {"task": "./no/such/task.json"},
    "empty id": lambda: {"task": ""},
    "no task": lambda: {"task": 3},
    "broken deck": lambda: {"task": replace(get_task(TASK), deck=b"no deck")},
}


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("problem", BAD_OPTIONS)
def test_environment_recovers_from_a_reset_with_bad_options(
    make: Make, id: str, problem: str
) -> None:
    env = make(id)
    with pytest.raises(Exception, match=r".") as caught:
        env.reset(options=BAD_OPTIONS[problem]())
    assert not isinstance(caught.value, ResetNeeded)
    with pytest.raises(ResetNeeded):
        env.step(STEPS[id])
    require_playable(env, id)


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("error", [raise_interrupt, raise_disk_full])
def test_environment_recovers_from_an_interrupted_reset(
    make: Make, id: str, error: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make(id)
    with monkeypatch.context() as patch:
        patch.setattr(FakeMachine, "_load_impl", error)
        patch.setattr(DocEpisode, "begin", error)
        with pytest.raises((KeyboardInterrupt, OSError)):
            env.reset(options={"task": TASK})
    require_playable(env, id)


@pytest.mark.parametrize("id", STEPS)
def test_failed_reset_ends_only_the_running_episode(make: Make, id: str) -> None:
    env = make(id)
    require_playable(env, id)
    with pytest.raises(Exception, match="Did you mean"):
        env.reset(options={"task": "meridian-hide-bakup"})
    with pytest.raises(ResetNeeded):
        env.step(STEPS[id])
    require_playable(env, id)


def require_playable(env: Env, id: str) -> None:
    assert env.reset(seed=0, options={"task": TASK})[1]["task_id"] == TASK
    for _ in range(3):
        assert env.step(STEPS[id])[4]["action_error"] is None
    env.render()


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_vector_environment_recovers_from_a_failed_reset(mode: str, monkeypatch: Any) -> None:
    envs = gym.make_vec(
        "PPTArena-v0", 2, mode, machine="fake", width_px=640, height_px=360, look="never"
    )
    with pytest.raises(Exception, match="Did you mean"):
        envs.reset(options={"task": "meridian-hide-bakup"})
    assert list(envs.reset(seed=0, options={"task": TASK})[1]["task_id"]) == [TASK, TASK]
    for _ in range(3):
        replies = envs.step(envs.action_space.sample())
        assert not np.isnan(replies[1]).any()
    envs.close()


@pytest.mark.parametrize("id", STEPS)
def test_passive_env_checker_finds_no_fault(make: Make, id: str) -> None:
    env = make(id, disable_env_checker=False)
    assert isinstance(env.env, PassiveEnvChecker)  # type: ignore[attr-defined]
    require_playable(env, id)


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("played", [False, True])
def test_closed_environment_raises(make: Make, id: str, played: bool) -> None:
    env = make(id)
    if played:
        require_playable(env, id)
        checkpoint = env.unwrapped.checkpoint()  # type: ignore[attr-defined]
    env.close()
    env.close()
    for _ in range(2):
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.reset(seed=0)
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.step(STEPS[id])
    if played:
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.unwrapped.restore(checkpoint)  # type: ignore[attr-defined]

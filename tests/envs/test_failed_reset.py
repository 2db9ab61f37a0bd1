"""What an environment does after a `reset` that raised, and after `close`."""

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

GOOD = "meridian-hide-backup"
OWN = f"PPTArena/{GOOD}-v0"
STEPS: dict[str, Any] = {
    "PPTArena-v0": {"kind": "wait"},
    OWN: {"kind": "wait"},
    "PPTArenaDoc-v0": {"tool": "list_layouts", "arguments": {}},
}
Env = gym.Env[Any, Any]
Make = Callable[..., Env]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Return a function that makes an environment, which is closed at the end."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    made: list[Env] = []

    def run(id: str, **arguments: Any) -> Env:
        if id != "PPTArenaDoc-v0":
            arguments = {"machine": "fake", "width_px": 640, "height_px": 360, **arguments}
        made.append(gym.make(id, **arguments))
        return made[-1]

    yield run
    for env in made:
        env.close()


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def failed(*_: object, **__: object) -> None:
    raise OSError("the disk is full")


def _bad_deck() -> Any:
    return replace(get_task(GOOD), deck=b"no deck")


OPTIONS: dict[str, Callable[[], Any]] = {
    "misspelt task": lambda: {"task": "meridian-hide-bakup"},
    "misspelt option": lambda: {"tsk": GOOD},
    "missing path": lambda: {"task": "./no/such/task.json"},
    "empty id": lambda: {"task": ""},
    "no task": lambda: {"task": 3},
    "broken deck": lambda: {"task": _bad_deck()},
}


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("what", OPTIONS)
def test_an_episode_can_begin_after_a_reset_that_raised(make: Make, id: str, what: str) -> None:
    env = make(id)
    with pytest.raises(Exception, match=r".") as found:
        env.reset(options=OPTIONS[what]())
    assert not isinstance(found.value, ResetNeeded)
    with pytest.raises(ResetNeeded):
        env.step(STEPS[id])
    _plays(env, id)


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("error", [interrupted, failed])
def test_an_episode_can_begin_after_an_interrupted_reset(
    make: Make, id: str, error: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make(id)
    with monkeypatch.context() as patch:
        patch.setattr(FakeMachine, "_load_impl", error)
        patch.setattr(DocEpisode, "begin", error)
        with pytest.raises((KeyboardInterrupt, OSError)):
            env.reset(options={"task": GOOD})
    _plays(env, id)


@pytest.mark.parametrize("id", STEPS)
def test_a_later_reset_that_raises_ends_the_episode_and_no_more(make: Make, id: str) -> None:
    env = make(id)
    _plays(env, id)
    with pytest.raises(Exception, match="Did you mean"):
        env.reset(options={"task": "meridian-hide-bakup"})
    with pytest.raises(ResetNeeded):
        env.step(STEPS[id])
    _plays(env, id)


def _plays(env: Env, id: str) -> None:
    assert env.reset(seed=0, options={"task": GOOD})[1]["task_id"] == GOOD
    for _ in range(3):
        assert env.step(STEPS[id])[4]["action_error"] is None
    env.render()


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_a_vector_continues_after_a_reset_that_raised(mode: str, monkeypatch: Any) -> None:
    envs = gym.make_vec(
        "PPTArena-v0", 2, mode, machine="fake", width_px=640, height_px=360, look="never"
    )
    with pytest.raises(Exception, match="Did you mean"):
        envs.reset(options={"task": "meridian-hide-bakup"})
    assert list(envs.reset(seed=0, options={"task": GOOD})[1]["task_id"]) == [GOOD, GOOD]
    for _ in range(3):
        replies = envs.step(envs.action_space.sample())
        assert not np.isnan(replies[1]).any()
    envs.close()


@pytest.mark.parametrize("id", STEPS)
def test_gymnasiums_checker_finds_nothing_where_it_is_asked_for(make: Make, id: str) -> None:
    env = make(id, disable_env_checker=False)
    assert isinstance(env.env, PassiveEnvChecker)  # type: ignore[attr-defined]
    _plays(env, id)


@pytest.mark.parametrize("id", STEPS)
@pytest.mark.parametrize("played", [False, True])
def test_a_closed_environment_raises(make: Make, id: str, played: bool) -> None:
    env = make(id)
    if played:
        _plays(env, id)
        kept = env.unwrapped.checkpoint()  # type: ignore[attr-defined]
    env.close()
    env.close()
    for _ in range(2):
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.reset(seed=0)
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.step(STEPS[id])
    if played:
        with pytest.raises(ClosedEnvironmentError, match="is closed; make a new one"):
            env.unwrapped.restore(kept)  # type: ignore[attr-defined]

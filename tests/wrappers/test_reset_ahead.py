"""Environments that are made ready while another one is played."""

import threading
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces

from pptarena.errors import ConfigError
from pptarena.wrappers import ResetAhead, learner_env, make_sb3

FAKE: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240, "max_steps": 4}
PATIENCE_SEC = 10


class Counted(gym.Env[Any, Any]):
    """Its resets wait for a gate and say who was reset how often, and what was drawn."""

    made: "list[Counted]"
    observation_space = spaces.Box(0, 100, (3,), np.int64)
    action_space = spaces.Discrete(2)

    def __init__(self) -> None:
        self.number, self.resets, self.closed = len(self.made), 0, False
        self.gate, self.fails = threading.Event(), False
        self.options: list[Any] = []
        self.gate.set()
        self.made.append(self)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        assert self.gate.wait(PATIENCE_SEC)
        if self.fails:
            raise RuntimeError("no machine")
        self.resets += 1
        self.options.append(options)
        return np.array([self.number, self.resets, self.np_random.integers(100)]), {}

    def step(self, action: Any) -> Any:
        return np.array([self.number, self.resets, 0]), 0.0, True, False, {}

    def action_masks(self) -> Any:
        return np.array([self.number == 0, True])

    def render(self) -> Any:
        return self.number

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> "list[Counted]":
    found: list[Counted] = []
    monkeypatch.setattr(Counted, "made", found, raising=False)
    return found


def test_they_take_turns(made: list[Counted]) -> None:
    env = ResetAhead(Counted, 3)
    seen = []
    for _ in range(7):
        begun, _ = env.reset()
        after = env.step(0)[0]
        seen.append((int(begun[0]), int(begun[1])))
        assert after[0] == begun[0] == env.render()
        assert env.action_masks()[0] == (begun[0] == 0)
    assert seen == [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3)]
    env.close()
    assert all(each.closed for each in made)
    # What was on its way when it was closed had been begun before.
    assert [each.resets for each in made] == [3, 3, 3]


def test_no_episode_waits_for_the_reset_of_the_last_one(made: list[Counted]) -> None:
    env = ResetAhead(Counted)
    env.reset()
    made[0].gate.clear()
    begun, _ = env.reset()
    assert begun[0] == 1
    assert made[0].resets == 1, "its reset still waits"
    made[0].gate.set()
    assert env.reset()[0].tolist()[:2] == [0, 2]
    env.close()


def test_equal_seeds_give_equal_episodes(made: list[Counted]) -> None:
    env = ResetAhead(Counted)
    drawn = []
    for _ in range(2):
        first = env.reset(seed=7)[0]
        drawn.append([int(first[2]), *(int(env.reset()[0][2]) for _ in range(5))])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 2
    assert drawn[0] != [int(env.reset(seed=8)[0][2]), *(int(env.reset()[0][2]) for _ in range(5))]
    env.close()


def test_options_are_for_one_episode(made: list[Counted]) -> None:
    env = ResetAhead(Counted)
    assert env.reset(options={"task": "a"})[0][0] == 0
    assert made[0].options == [{"task": "a"}]
    assert env.reset(options={"task": "b"})[0][0] == 0
    assert made[0].options == [{"task": "a"}, {"task": "b"}]
    assert env.reset()[0][0] == 1
    env.reset(seed=3, options={"task": "c"})
    env.close()
    assert made[0].options[-1] == {"task": "c"}
    assert set(map(str, made[1].options)) == {"None"}


def test_one_that_fails_says_so_and_begins_again(made: list[Counted]) -> None:
    env = ResetAhead(Counted)
    env.reset()
    made[1].fails = True
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="no machine"):
        env.reset()
    made[1].fails = False
    seen = [int(env.reset()[0][0]) for _ in range(4)]
    assert seen == [0, 1, 0, 1]
    env.close()
    assert all(each.closed for each in made)


def test_it_takes_two() -> None:
    with pytest.raises(ConfigError, match="count"):
        ResetAhead(Counted, 1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_of_our_own(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env

    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    env = ResetAhead(lambda: learner_env(**FAKE))
    check_env(env, skip_render_check=True)
    env.close()
    vector = make_sb3(2, spares=1, seed=3, **FAKE)
    vector.reset()
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(12):
        masks = np.stack(vector.env_method("action_masks"))
        _, _, dones, infos = vector.step(
            np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        )
        ends += int(dones.sum())
        assert not any(info["action_error"] for info in infos)
    vector.close()
    assert ends >= 4
    with pytest.raises(ConfigError, match="spares"):
        make_sb3(1, spares=1, machine=object())
    with pytest.raises(ConfigError, match="spares"):
        make_sb3(1, spares=-1, **FAKE)

"""Equal seeds and actions: the same replies as gymnasium's own vector environment."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pptarena.envs import PPTArenaEnv
from pptarena.envs.action_space import to_space
from pptarena.envs.actions import done
from pptarena.envs.vector import PPTArenaVectorEnv

pytestmark = pytest.mark.slow

ARGUMENTS: dict[str, Any] = {
    "machine": "fake",
    "width_px": 320,
    "height_px": 240,
    "max_steps": 4,
    "judge": None,
}
COUNT = 3
MODES = tuple(mode.value for mode in AutoresetMode)


def make_pair(mode: str, **arguments: Any) -> tuple[SyncVectorEnv, PPTArenaVectorEnv]:
    given = {**ARGUMENTS, **arguments}
    copy = given.pop("copy", True)
    sync = SyncVectorEnv([lambda: PPTArenaEnv(**given)] * COUNT, autoreset_mode=mode, copy=copy)
    return sync, PPTArenaVectorEnv(COUNT, autoreset_mode=mode, copy=copy, **given)


def without_clock(value: Any) -> Any:
    """Leave out what two runs never share, durations, but not their names."""
    if isinstance(value, dict):
        return {k: list(v) if k == "timing" else without_clock(v) for k, v in value.items()}
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [without_clock(item) for item in value]
    return value


def assert_same(first: Any, second: Any, where: str = "reply") -> None:
    assert type(first) is type(second), where
    if isinstance(first, dict):
        assert list(first) == list(second), where
        for name in first:
            assert_same(first[name], second[name], f"{where}[{name}]")
    elif isinstance(first, tuple | list):
        assert len(first) == len(second), where
        for number, (one, other) in enumerate(zip(first, second, strict=True)):
            assert_same(one, other, f"{where}[{number}]")
    elif isinstance(first, np.ndarray):
        assert first.dtype == second.dtype, where
        assert np.array_equal(first, second), where
    else:
        assert first == second, where


def assert_same_reply(first: Any, second: Any) -> None:
    assert_same(without_clock(first), without_clock(second))


def reset_ended(envs: gym.vector.VectorEnv[Any, Any, Any], reply: Any) -> Any:
    """What a user of the mode DISABLED does."""
    ended = reply[2] | reply[3]
    return envs.reset(options={"reset_mask": ended}) if ended.any() else None


@settings(
    max_examples=1,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # every example opens decks: shrinking takes too long
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("mode", MODES)
@given(seed=st.integers(0, 2**31), ends=st.lists(st.integers(0, 5), min_size=10, max_size=10))
def test_equal_replies_step_by_step(mode: str, seed: int, ends: list[int]) -> None:
    sync, ours = make_pair(mode)
    try:
        assert ours.metadata == sync.metadata
        assert ours.single_observation_space == sync.single_observation_space
        assert ours.observation_space == sync.observation_space
        assert (ours.single_action_space, ours.action_space) == (
            sync.single_action_space,
            sync.action_space,
        )
        assert_same_reply(sync.reset(seed=seed), ours.reset(seed=seed))
        sync.action_space.seed(seed % 1000)
        for end in ends:
            actions = sync.action_space.sample()
            if end < COUNT:  # one of them ends its episode of its own accord
                actions["kind"][end] = to_space(done())["kind"]
            first, second = sync.step(actions), ours.step(actions)
            assert_same_reply(first, second)
            assert second[0] in ours.observation_space
            if mode == "Disabled":
                begun = reset_ended(sync, first), reset_ended(ours, second)
                assert (begun[0] is None) == (begun[1] is None)
                if begun[0] is not None:
                    assert_same_reply(*begun)
    finally:
        sync.close()
        ours.close()

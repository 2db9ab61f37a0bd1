"""Equal seeds and actions give the same replies as Gymnasium's vector environment."""

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


def without_timing(value: Any) -> Any:
    """Replace durations, which differ between runs, by their names."""
    if isinstance(value, dict):
        return {k: list(v) if k == "timing" else without_timing(v) for k, v in value.items()}
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [without_timing(item) for item in value]
    return value


def assert_same(first: Any, second: Any, path: str = "reply") -> None:
    assert type(first) is type(second), path
    if isinstance(first, dict):
        assert list(first) == list(second), path
        for name in first:
            assert_same(first[name], second[name], f"{path}[{name}]")
    elif isinstance(first, tuple | list):
        assert len(first) == len(second), path
        for number, (one, other) in enumerate(zip(first, second, strict=True)):
            assert_same(one, other, f"{path}[{number}]")
    elif isinstance(first, np.ndarray):
        assert first.dtype == second.dtype, path
        assert np.array_equal(first, second), path
    else:
        assert first == second, path


def assert_same_reply(first: Any, second: Any) -> None:
    assert_same(without_timing(first), without_timing(second))


def reset_ended(envs: gym.vector.VectorEnv[Any, Any, Any], reply: Any) -> Any:
    """Reset finished environments, as users of the mode DISABLED must."""
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
    sync = SyncVectorEnv([lambda: PPTArenaEnv(**ARGUMENTS)] * COUNT, autoreset_mode=mode)
    ours = PPTArenaVectorEnv(COUNT, autoreset_mode=mode, **ARGUMENTS)
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
            if end < COUNT:  # this environment ends its episode
                actions["kind"][end] = to_space(done())["kind"]
            first, second = sync.step(actions), ours.step(actions)
            assert_same_reply(first, second)
            assert second[0] in ours.observation_space
            if mode == "Disabled":
                resets = reset_ended(sync, first), reset_ended(ours, second)
                assert (resets[0] is None) == (resets[1] is None)
                if resets[0] is not None:
                    assert_same_reply(*resets)
    finally:
        sync.close()
        ours.close()

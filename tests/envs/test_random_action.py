import numpy as np
import pytest

from pptarena.envs import PPTArenaEnv, random_action

pytestmark = pytest.mark.slow


def test_random_actions_are_valid() -> None:
    env = PPTArenaEnv(machine="fake", look="never", max_steps=40)
    rng = np.random.default_rng(5)
    obs, _ = env.reset(seed=5)
    kinds, episodes = set(), 1
    for _ in range(300):
        obs, _, terminated, truncated, info = env.step(random_action(obs, rng))
        assert info["action_error"] is None
        kinds.add(info["command"]["kind"])
        if terminated or truncated:
            obs, _ = env.reset()
            episodes += 1
    assert {"click", "drag", "key", "scroll", "type"} <= kinds
    assert episodes >= 8
    env.close()


def test_equal_generators_draw_equal_actions() -> None:
    draws = [
        [random_action({"element_count": 30}, rng) for _ in range(50)]
        for rng in (np.random.default_rng(3), np.random.default_rng(3))
    ]
    assert draws[0] == draws[1]

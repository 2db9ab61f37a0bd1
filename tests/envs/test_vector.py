import warnings
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

import pptarena

pytestmark = pytest.mark.slow

ENV_ID = "PPTArena-v0"


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_vector_modes(mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Python 3.12 and later warn about forks because numpy has threads.
        warnings.filterwarnings("ignore", "This process", DeprecationWarning)
        envs = gym.make_vec(
            f"{pptarena.__name__}:{ENV_ID}",
            num_envs=2,
            vectorization_mode=mode,
            machine="fake",
            width_px=640,
            height_px=360,
        )
        try:
            obs, info = envs.reset(seed=7)
            assert obs in envs.observation_space
            assert info["score"].tolist() == [0.0, 0.0]
            assert obs["instruction"] == tuple(info["instruction"])
            envs.action_space.seed(7)
            for _ in range(50):
                obs, rewards, _, _, info = envs.step(envs.action_space.sample())
                assert rewards.dtype == np.float64
            assert obs["screenshot"].shape == (2, 360, 640, 3)
            assert len(obs["instruction"]) == 2
            assert all(error is None for error in info["infra_error"])
        finally:
            envs.close()

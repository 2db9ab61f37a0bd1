"""Minari's data collector with pptarena environments."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pptarena.wrappers import LearnerConfig, learner_env

pytestmark = pytest.mark.slow

pytest.importorskip("jax", reason="DataCollector needs the extra 'minari'")
minari = pytest.importorskip("minari")

CONFIG = LearnerConfig(marks=32, name_size=8, instruction_size=16, screenshot_px=(32, 18))
FAKE: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240, "max_steps": 5}


@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_dataset_equals_the_played_episodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "data"))
    env = minari.DataCollector(learner_env(CONFIG, **FAKE))
    rng = np.random.default_rng(0)
    played: list[dict[str, list[Any]]] = []
    for seed in range(2):
        observation, _ = env.reset(seed=seed)
        rows: dict[str, list[Any]] = {"observations": [observation], "actions": [], "rewards": []}
        over = False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            action = int(rng.choice(np.flatnonzero(masks)))
            observation, reward, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
            for name, value in zip(rows, (observation, action, reward), strict=True):
                rows[name].append(value)
        played.append(rows)
    env.create_dataset("pptarena/collected-v0", algorithm_name="random")
    env.close()

    dataset = minari.load_dataset("pptarena/collected-v0")
    assert dataset.total_episodes == 2
    for rows, stored in zip(played, dataset.iterate_episodes(), strict=True):
        assert stored.actions.tolist() == rows["actions"]
        assert stored.rewards.tolist() == pytest.approx(rows["rewards"])
        for name in ("elements", "instruction", "screenshot"):
            expected = np.stack([each[name] for each in rows["observations"]])
            np.testing.assert_array_equal(stored.observations[name], expected)
    recovered = dataset.recover_environment()
    assert recovered.observation_space == env.observation_space
    recovered.close()

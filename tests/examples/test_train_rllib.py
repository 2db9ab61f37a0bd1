"""RLlib trains on the environment; ``make test-rllib`` makes an environment with it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray.rllib", reason="needs RLlib: make test-rllib")
pytest.importorskip("torch", reason="needs torch: make test-rllib")

EXAMPLE = Path(__file__).parents[2] / "examples/train_rllib.py"


@pytest.mark.timeout(500)
def test_two_updates(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLE, "--out", tmp_path / "rllib", "--machine", "fake",
         "--runners", "2", "--batch", "64", "--updates", "2"],
        env={**os.environ, "PPTARENA_HOME": str(tmp_path), "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True, text=True, timeout=480, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    curve = json.loads((tmp_path / "rllib/curve.json").read_text())
    assert [row["update"] for row in curve] == [1, 2]
    assert curve[0]["steps"] >= 64
    assert curve[1]["steps"] >= 128
    assert curve[1]["episodes"] > 0
    assert all(-1 <= row["mean_return"] <= 1 for row in curve)
    assert (tmp_path / "rllib/model").is_dir()

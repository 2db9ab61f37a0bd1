"""The script in docs/training.md runs as it stands."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

DOC = Path(__file__).parents[2] / "docs" / "training.md"


def test_the_whole_round_of_training_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sb3_contrib")
    found = re.search(r"## A grid of clicks.*?```python\n(.*?)```", DOC.read_text("utf-8"), re.S)
    assert found is not None
    monkeypatch.chdir(tmp_path)
    exec(found[1], {"__name__": "training"})
    assert "mean score " in capsys.readouterr().out
    assert {path.name for path in tmp_path.iterdir()} >= {"grid.zip", "grid-rewards.pkl"}

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.tasks import list_tasks

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = list_tasks("bench")[0].id


@pytest.fixture
def episode(cli: Cli, tmp_path: Path) -> Path:
    """Five random steps."""
    cli(
        "run", "--machine", "fake", "--agent", "random", "--tasks", TASK, "--max-steps", "5",
        "--out", "out",
    )  # fmt: skip
    return tmp_path / "out" / "random" / TASK / "seed-0"


def test_a_replay_ends_with_the_same_score(cli: Cli, episode: Path) -> None:
    value = json.loads(cli("replay", str(episode), "--times", "3", "--json").stdout)
    assert (value["same"], value["total"]) == (3, 3)
    for replay in value["replays"]:
        assert replay["same_score"]
        assert replay["tree_similarity"] == [1.0] * 6


def test_another_score_exits_with_1(cli: Cli, episode: Path) -> None:
    meta = json.loads((episode / "meta.json").read_text())
    (episode / "meta.json").write_text(json.dumps(meta | {"score": 0.123}))
    done = cli("replay", "out", code=1)
    assert "0 of 1 replays ended with the same score" in done.stdout


def test_an_episode_without_a_score_cannot_be_compared(cli: Cli, episode: Path) -> None:
    meta = json.loads((episode / "meta.json").read_text())
    (episode / "meta.json").write_text(json.dumps(meta | {"score": None}))
    assert "no episode has a score" in cli("replay", "out", code=1).stderr

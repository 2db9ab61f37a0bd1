import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
TASK = list_tasks("starter")[0].id


@pytest.fixture
def episode(cli: Cli, tmp_path: Path) -> Path:
    """Five random steps."""
    cli(
        "run", "--machine", "fake", "--agent", "random", "--task", TASK, "--max-steps", "5",
        "--out", "out",
    )  # fmt: skip
    return tmp_path / "out" / "random" / TASK / "seed-0"


def test_replay_reproduces_the_score(cli: Cli, episode: Path) -> None:
    value = json.loads(cli("runs", "replay", str(episode), "--repeats", "3", "--json").stdout)
    assert (value["same"], value["identical"], value["total"]) == (3, 3, 3)
    for replay in value["replays"]:
        assert replay["same_score"]
        assert replay["tree_similarity"] == [1.0] * 6


def test_exact_replay_fails_on_a_different_tree(cli: Cli, episode: Path) -> None:
    tree = json.loads((episode / "step_002.json").read_text())
    tree["nodes"][-1]["box"][1] += 1
    (episode / "step_002.json").write_text(json.dumps(tree))
    lax = cli("runs", "replay", str(episode))
    assert "0 of 1 are equal at every step" in " ".join(lax.stdout.split())
    strict = cli("runs", "replay", str(episode), "--exact", "--json", code=1)
    value = json.loads(strict.stdout)
    assert (value["same"], value["identical"], value["total"]) == (1, 0, 1)
    assert value["replays"][0]["first_difference"] == "step 2: tree"


def test_different_score_exits_with_1(cli: Cli, episode: Path) -> None:
    meta = json.loads((episode / "meta.json").read_text())
    (episode / "meta.json").write_text(json.dumps(meta | {"score": 0.123}))
    done = cli("runs", "replay", "out", code=1)
    assert "0 of 1 replays ended with the same score" in done.stdout


def test_unscored_episode_cannot_be_compared(cli: Cli, episode: Path) -> None:
    meta = json.loads((episode / "meta.json").read_text())
    (episode / "meta.json").write_text(json.dumps(meta | {"score": None}))
    assert "no episode in out has a score" in cli("runs", "replay", "out", code=1).stderr


def test_document_calls_are_replayed(cli: Cli, tmp_path: Path) -> None:
    cli("run", "--env", "doc", "--agent", "random", "--task", TASK, "--max-steps", "5",
        "--out", "out")  # fmt: skip
    done = cli("runs", "replay", "out", "--exact")
    assert "1 of 1 are equal at every step" in " ".join(done.stdout.split())
    assert "have no machine" in cli("runs", "replay", "out", "--machine", "fake", code=1).stderr

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., Any]
TASK = list_tasks("starter")[0].id


def test_leaderboard_of_runs_with_a_forged_run(cli: Cli, tmp_path: Path) -> None:
    options = ("--machine", "fake", "--agent", "random", "--max-steps", "2", "--task", TASK)
    cli("run", *options, "--out", "runs/a")
    assert "1 row: page.html" in cli("runs", "leaderboard", "runs", "--out", "page.html").stdout
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "random" in page
    assert "<dt>Check</dt>" in page
    results = json.loads(cli("runs", "leaderboard", "runs", "--verify", "--json").stdout)
    assert [row["faults"] for row in results["rows"]] == [[]]
    assert (tmp_path / "runs/leaderboard.html").is_file()
    (meta,) = (tmp_path / "runs").rglob("meta.json")
    meta.write_text(json.dumps(json.loads(meta.read_text()) | {"score": 1.0}))
    done = cli("runs", "leaderboard", "runs", "--verify", code=1)
    assert f"a/random/{TASK}/seed-0: recorded 1.0000, recomputed 0.0000" in done.stderr
    assert (
        "is a folder; choose a file"
        in cli("runs", "leaderboard", "runs", "--out", "runs", code=2).stderr
    )

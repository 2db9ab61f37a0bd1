import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.slow

Cli = Callable[..., Any]
TASKS = [task.id for task in list_tasks("starter")[:3]]


def test_two_runs_side_by_side(cli: Cli, tmp_path: Path) -> None:
    options = ("--machine", "fake", "--agent", "random", "--max-steps", "2")
    cli("run", *options, "--tasks", ",".join(TASKS[:2]), "--out", "first")
    cli("run", *options, "--tasks", ",".join(TASKS[1:]), "--out", "second")
    done = cli("runs", "compare", "first", "second")
    assert f"first: random has no score for 1 task: {TASKS[2]}" in done.stderr
    assert "comparing the 1 task that all agents have scores for" in done.stderr
    assert "second: random less first: random, paired by task" in done.stdout
    results = json.loads(cli("runs", "compare", "first", "second", "--json").stdout)
    assert results["tasks"] == TASKS[1:2]
    assert [each["missing"] for each in results["standings"]] == [TASKS[2:], TASKS[:1]]
    cli("run", *options, "--task", TASKS[0], "--out", "third")
    assert "same tasks" in cli("runs", "compare", "second", "third", code=2).stderr
    assert "nowhere does not exist" in cli("runs", "compare", "first", "nowhere", code=1).stderr

"""``pptarena tasks edition`` as users run it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
MAKE = ("tasks", "edition", "ledger-retail-slice", "--seed", "3", "--out", "mine")


def test_edition_is_a_suite(cli: Cli) -> None:
    output = cli(*MAKE).stdout
    assert "1 of 1 tasks are verified and stored in mine." in output
    assert "Next: pptarena tasks check --suite mine --machine sandbox" in output
    tasks = json.loads(cli("tasks", "list", "--suite", "mine", "--json").stdout)
    assert [row["id"] for row in tasks] == ["ledger-retail-slice"]
    assert Path(tasks[0]["deck"]).name != "ledger.pptx"
    assert "--out: mine exists" in cli(*MAKE, code=1).stderr


def test_omitted_tasks_are_reported(cli: Cli) -> None:
    done = cli(
        "tasks", "edition", "--suite", "all#first-steps-unseen", "--seed", "3", "--out", "mine",
        "--json", code=1,
    )  # fmt: skip
    output = json.loads(done.stdout)
    assert output["ok"] is False
    assert output["made"] == 0
    assert output["tasks"][0]["faults"] == ["it has no task file of its own"]

"""``pptarena tasks edition`` as users run it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
MAKE = ("tasks", "edition", "ledger-retail-slice", "--seed", "3", "--out", "mine")


def test_an_edition_is_a_suite(cli: Cli) -> None:
    said = cli(*MAKE).stdout
    assert "1 of 1 tasks are verified and stored in mine." in said
    assert "Next: pptarena tasks check --suite mine --machine sandbox" in said
    listed = json.loads(cli("tasks", "list", "--suite", "mine", "--json").stdout)
    assert [row["id"] for row in listed] == ["ledger-retail-slice"]
    assert Path(listed[0]["deck"]).name != "ledger.pptx"
    assert "--out: mine already exists" in cli(*MAKE, code=1).stderr


def test_what_is_left_out_is_said(cli: Cli) -> None:
    made = cli(
        "tasks", "edition", "--suite", "all#first-steps-unseen", "--seed", "3", "--out", "mine",
        "--json", code=1,
    )  # fmt: skip
    said = json.loads(made.stdout)
    assert said["ok"] is False
    assert said["made"] == 0
    assert said["tasks"][0]["faults"] == ["it is made from a template, not from a task file"]

import json
import subprocess
from collections.abc import Callable

import pytest

from pptarena.audits.attacks import ALLOWED_GAIN, ATTACKS, VARIANTS

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
CHECK = ("tasks", "check", "--attacks")
TASK = "meridian-hide-backup"


def test_a_table_of_attacks_and_variants(cli: Cli) -> None:
    done = cli(*CHECK, TASK)
    assert f"1  {TASK}" in done.stdout
    assert all(one.name in done.stdout for one in (*ATTACKS, *VARIANTS))
    assert "No attack gains more than 0.1" in done.stdout
    assert "✗" not in done.stdout


def test_attacks_as_json(cli: Cli) -> None:
    value = json.loads(cli(*CHECK, TASK, "--json").stdout)
    assert (value["ok"], value["allowed_gain"]) == (True, ALLOWED_GAIN)
    assert {one["task"] for one in (*value["attacks"], *value["variants"])} == {TASK}
    assert all(one["score"] == 1 for one in value["variants"])
    first = value["attacks"][0]
    assert first["gain"] == first["score"] - first["deserved"]


def test_tasks_that_cannot_be_done_are_left_out_and_named(cli: Cli) -> None:
    value = json.loads(cli(*CHECK, TASK, "onboard-morph", "--json").stdout)
    assert value["left_out"] == ["onboard-morph"]
    assert {one["task"] for one in value["attacks"]} == {TASK}
    done = cli(*CHECK, "onboard-morph", code=2)
    assert "expected a task that can be done, got onboard-morph" in " ".join(done.stderr.split())


def test_a_look_without_attacks_is_refused(cli: Cli) -> None:
    done = cli("tasks", "check", "--look", "--machine", "fake", code=2)
    assert "expected --look with --attacks only" in " ".join(done.stderr.split())


def test_a_task_without_a_goal_is_an_error(cli: Cli) -> None:
    done = cli(*CHECK, "--suite", "first-steps", code=1)
    assert "no gold deck, and no goal" in done.stderr

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.rollouts.proofs import PROOFS

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
CHECK = ("tasks", "check", "--machine", "fake")
# Tasks that need a dialog, which the fake machine does not have.
REPLACE, PICTURE = "meridian-rename-tent", "resistance-cell-picture"


def test_task_check_passes_on_the_fake_machine(cli: Cli) -> None:
    assert "1 of 1 tasks passed" in cli(*CHECK, "meridian-hide-backup").stdout


def test_task_without_a_target_gets_a_warning(cli: Cli, write_task: Callable[..., Path]) -> None:
    write_task("mine/bold-title")
    output = cli(*CHECK, "mine/bold-title").stdout
    assert "! bold-title: no target deck, so changes within the scope are not checked" in output
    assert "field 'gold'" in output


def test_failed_check_exits_with_1_and_a_reason(cli: Cli) -> None:
    done = cli(*CHECK, REPLACE, code=1)
    assert "0 of 1 tasks passed" in done.stdout
    assert all(name in done.stdout for name in PROOFS)
    assert f"✗ {REPLACE}: demonstration: step 3" in done.stdout
    assert "The machine 'fake' has no dialogs" in " ".join(done.stdout.split())


def test_check_prints_only_json(cli: Cli) -> None:
    value = json.loads(cli(*CHECK, PICTURE, REPLACE, "--repeats", "2", "--json", code=1).stdout)
    assert (value["ok"], value["machine"], value["times"]) == (False, "fake", 2)
    assert [one["task"] for one in value["tasks"]] == [PICTURE, REPLACE]
    for one in value["tasks"]:
        status = {proof["name"]: proof["status"] for proof in one["proofs"]}
        assert {name for name in PROOFS if status[name] != "pass"} == {"demonstration"}
        assert [replay["same_score"] for replay in one["replays"]] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "no-such-task"), "no-such-task"),
        (("check", "--suite", "bnech"), "Did you mean 'bench'"),
        (("check", "--machine", "nonsense"), "machine 'nonsense' not found"),
        (("check", "--repeats", "0"), "greater than or equal to 1"),
    ],
)
def test_check_usage_errors_exit_with_2(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    done = cli("tasks", *arguments, code=2)
    assert done.stdout == ""
    assert message in " ".join(done.stderr.split())


def test_solution_outside_the_scope_is_flagged(cli: Cli, write_task: Callable[..., Path]) -> None:
    scope = {"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]}
    folder = write_task("mine/bold-title", gold="gold.pptx", scope=scope)
    deck: Any = Presentation(str(folder / "garden.pptx"))
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    deck.slides[1].shapes.title.text = "Meadow"
    deck.save(str(folder / "gold.pptx"))
    done = cli(*CHECK, "mine/bold-title", code=1)
    assert (
        "\u2717 bold-title: its target deck has changes that its scope does not allow"
        in done.stdout
    )
    (one,) = json.loads(cli(*CHECK, "mine/bold-title", "--json", code=1).stdout)["tasks"]
    assert (one["ok"], len(one["outside_scope"])) == (False, 1)


def test_rubric_item_not_earned_by_the_target_is_named(
    cli: Cli, write_task: Callable[..., Path]
) -> None:
    bold = {"slide": 1, "shape": "@title", "bold": True}
    leaves = [
        {"name": "bold", "check": "run_format", "args": bold},
        {"name": "italic", "check": "run_format", "args": bold | {"italic": True}},
    ]
    rubric = {"version": 1, "root": {"name": "both", "children": leaves}}
    folder = write_task("mine/bold-title", gold="gold.pptx", rubric=rubric)
    deck: Any = Presentation(str(folder / "garden.pptx"))
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    deck.save(str(folder / "gold.pptx"))
    output = cli(*CHECK, "mine/bold-title", code=1).stdout
    assert "rubric item 'italic' is dead" in output
    assert "rubric item 'bold'" not in output


@pytest.mark.image
def test_task_check_passes_on_the_real_application() -> None:
    code = "from pptarena.cli import main; main()"
    task = "meridian-hide-backup"
    done = subprocess.run(
        [sys.executable, "-c", code, "tasks", "check", task, "--machine", "sandbox"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 tasks passed" in done.stdout

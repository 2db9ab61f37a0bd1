"""Tasks and suites by their paths, in every command that takes some."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

from pptarena.rollouts.store import read_meta

pytestmark = pytest.mark.slow

Cli = Callable[..., "subprocess.CompletedProcess[str]"]
WriteTask = Callable[..., Path]
FAKE = ("--machine", "fake")
RUN = ("run", *FAKE, "--agent", "demonstration", "--out", "out", "--json")


@pytest.fixture
def suite(write_task: WriteTask, tmp_path: Path) -> Path:
    """A folder with two tasks."""
    write_task("mine/bold-title", paraphrases=["Embolden it."], source="the garden club")
    write_task("mine/untried", demonstration=None)
    return tmp_path / "mine"


def test_task_folder_is_listed(cli: Cli, suite: Path) -> None:
    tasks = json.loads(cli("tasks", "list", "--suite", "mine", "--json").stdout)
    assert [(item["id"], item["suite"]) for item in tasks] == [
        ("bold-title", "mine"),
        ("untried", "mine"),
    ]
    assert tasks[0]["deck"] == str(suite / "bold-title/garden.pptx")
    assert "garden" in cli("tasks", "list", "--suite", "./mine/").stdout


def test_task_path_is_shown(cli: Cli, suite: Path) -> None:
    output = cli("tasks", "show", "mine/bold-title").stdout
    for arguments in ("or: Embolden it.", "the garden club", "garden.pptx", "* bold"):
        assert arguments in output


def test_task_folder_is_played_and_replayed(cli: Cli, suite: Path, tmp_path: Path) -> None:
    value = json.loads(cli(*RUN, "--suite", "mine", "--task", "bold-title").stdout)
    (episode,) = value["episodes"]
    assert (episode["task"], episode["score"]) == ("bold-title", 1.0)
    meta = read_meta(tmp_path / episode["path"])
    assert meta.task_place == str(suite / "bold-title/task.json")
    replayed = json.loads(cli("runs", "replay", "out", "--json").stdout)
    assert (replayed["same"], replayed["total"]) == (1, 1)
    suite.rename(tmp_path / "moved")
    done = cli("runs", "replay", "out", code=2)
    assert "the task 'bold-title' is no longer in" in done.stderr
    assert "is no longer in" in done.stderr


def test_task_paths_are_played(cli: Cli, suite: Path) -> None:
    with_all = cli(*RUN, "--task", "mine/bold-title", "--task", "mine/untried/task.json", code=1)
    assert "1 of 2 tasks have no recorded demonstration (untried)" in with_all.stderr
    value = json.loads(cli(*RUN, "--task", "mine/bold-title/task.json").stdout)
    assert [(one["task"], one["score"]) for one in value["episodes"]] == [("bold-title", 1.0)]


def test_task_folder_is_played_by_several_workers(cli: Cli, suite: Path) -> None:
    arguments = ("run", *FAKE, "--agent", "random", "--max-steps", "2", "--out", "out", "--json")
    value = json.loads(cli(*arguments, "--suite", "mine", "--workers", "2").stdout)
    assert (len(value["episodes"]), value["complete"], value["missing"]) == (2, 2, 0)
    second = json.loads(cli(*arguments, "--suite", "mine").stdout)
    assert (second["complete"], second["new"]) == (2, 0)


def test_task_folder_is_checked(cli: Cli, suite: Path) -> None:
    value = json.loads(cli("tasks", "check", *FAKE, "--suite", "mine", "--json").stdout)
    assert value["ok"]
    results = {
        one["task"]: {p["name"]: p["status"] for p in one["proofs"]} for one in value["tasks"]
    }
    assert set(results["bold-title"].values()) == {"pass"}
    assert results["untried"]["demonstration"] == "warn"
    done = cli("tasks", "check", *FAKE, "mine/bold-title")
    assert "1 of 1 tasks passed." in done.stdout
    assert "Next: pptarena run --agent random --task mine/bold-title --machine fake" in done.stdout


def test_deck_is_scored_with_a_task_path(cli: Cli, suite: Path, tmp_path: Path) -> None:
    presentation = Presentation(str(suite / "bold-title/garden.pptx"))
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    presentation.save(str(tmp_path / "edited.pptx"))
    for task in ("mine/bold-title", "mine/bold-title/task.json"):
        done = cli("score", task, "edited.pptx", "--as-is", "--no-look", "--json")
        assert json.loads(done.stdout)["score"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("tasks", "list", "--suite", "./none"),
            "suite './none' not found: there is no file or folder './none'",
        ),
        (("run", "--agent", "random", "--task", "./none"), "no such file or folder"),
        (("score", "./none", "x.pptx"), "no such file or folder"),
    ],
)
def test_missing_path_is_a_usage_error(cli: Cli, arguments: tuple[str, ...], message: str) -> None:
    assert message in " ".join(cli(*arguments, code=2).stderr.split())


def test_malformed_task_is_named(cli: Cli, suite: Path) -> None:
    (suite / "untried/task.json").write_text('{"version": 2, "id": 3}')
    done = cli("tasks", "list", "--suite", "mine", code=1)
    text = " ".join(done.stderr.split())
    assert (
        "untried/task.json: 3 problems: id: expected a string, got 3 instruction: missing" in text
    )

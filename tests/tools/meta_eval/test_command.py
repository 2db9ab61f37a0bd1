import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pptarena.errors import ConfigError, UnknownTaskError
from pptarena.tasks import get_task
from tools.meta_eval.__main__ import meta_eval

TASK = "meridian-hide-backup"
ROOT = Path(__file__).parents[3]

app = typer.Typer()
app.command()(meta_eval)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three attempts: a correct grade, a wrong grade and a corrupt file."""
    (tmp_path / "same.pptx").write_bytes(get_task(TASK).deck_bytes())
    (tmp_path / "torn.pptx").write_bytes(b"no deck")
    entries = [
        {"task": TASK, "deck": "same.pptx", "grade": "none"},
        {"task": TASK, "deck": "same.pptx", "grade": "perfect", "id": "unfair", "why": "A joke."},
        {"task": TASK, "deck": "torn.pptx", "grade": "some"},
    ]
    (tmp_path / "manifest.json").write_text(json.dumps({"attempts": entries}), "utf-8")
    return tmp_path


def _run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_folder_is_evaluated_as_json(folder: Path) -> None:
    result = _run(folder, "--repeats", 2, "--json")
    assert result.exit_code == 0, result.output
    output = json.loads(result.stdout)
    assert (output["attempts"], output["unscored"], output["repeats"]) == (3, 1, 2)
    assert output["variance"] == {"mean": 0.0, "max": 0.0}
    assert output["categories"]["none"]["accuracy"] == 1
    assert output["categories"]["perfect"]["accuracy"] == 0
    assert output["confusion"]["perfect"]["none"] == 1
    assert output["tau_b"] is None  # one score only
    assert [each["score"] for each in output["outcomes"]] == [0.0, 0.0, None]


def test_folder_is_evaluated_as_tables(folder: Path) -> None:
    result = _run(folder, "--repeats", 2)
    assert result.exit_code == 0, result.output
    assert "|█           |" in result.stdout
    assert "variance over 2 repeats: mean 0, largest 0" in result.stdout
    assert f"{TASK} unfair: perfect, 0.00" in result.stdout
    assert "grade: A joke." in result.stdout
    assert f"{TASK} torn: some, no score" in result.stdout


@pytest.mark.slow
def test_task_option_selects_tasks() -> None:
    result = _run("--task", TASK, "--json")
    assert result.exit_code == 0, result.output
    output = json.loads(result.stdout)
    assert list(output["tasks"]) == [TASK]
    assert output["attempts"] >= 9
    assert output["tau_b"] > 0.8


def test_invalid_arguments_are_errors(folder: Path) -> None:
    assert isinstance(_run("--task", "nothing-like-this").exception, UnknownTaskError)
    other = _run(folder, "--task", "meridian-rename-tent")
    assert isinstance(other.exception, ConfigError)
    assert _run("--repeats", 0).exit_code == 2


@pytest.mark.slow
def test_scores_do_not_depend_on_the_process() -> None:
    command = [sys.executable, "-m", "tools.meta_eval", "--task", TASK, "--json"]
    outputs = [
        subprocess.run(
            command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True
        ).stdout
        for seed in "12"
    ]
    assert b"tau_b" in outputs[0]
    assert outputs[0] == outputs[1]

"""Tasks may refer to files of their own folder and of folders that the user allows."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import WriteTask

from pptarena.errors import TaskError
from pptarena.tasks import allow_outside, list_tasks, load_task
from pptarena.tasks.allowed_folders import VARIABLE


def test_deck_outside_the_task_folder_must_be_allowed(
    write_task: WriteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    folder = write_task("mine/bold-title", deck="../../decks/Any thing.pptx")
    (tmp_path / "decks").mkdir()
    (folder / "garden.pptx").rename(tmp_path / "decks/Any thing.pptx")
    with pytest.raises(TaskError, match=r"deck: .* is outside, .* --allow-outside"):
        load_task(folder)
    allow_outside(tmp_path / "decks")
    task = load_task(folder)
    assert task.deck == tmp_path / "decks/Any thing.pptx"
    assert task.file_name == "Any thing.pptx"


def _outside(folder: Path, elsewhere: Path) -> dict[str, dict[str, Any]]:
    """Return fields that refer to a file outside the folder, by the way they do so."""
    (folder / "link.pptx").symlink_to(elsewhere / "garden.pptx")
    (folder / "chain.pptx").symlink_to(folder / "link.pptx")
    (folder / "inner").symlink_to(elsewhere)
    (folder / "costs.csv").symlink_to(elsewhere / "costs.csv")
    (folder / "ring.pptx").symlink_to(folder / "ring.pptx")
    turn = {"instruction": "Bold.", "gold": "../elsewhere/garden.pptx"}
    return {
        "above": {"deck": "../elsewhere/garden.pptx"},
        "through": {"deck": "../bold-title/../elsewhere/garden.pptx"},
        "absolute": {"deck": str(elsewhere / "garden.pptx")},
        "link": {"deck": "link.pptx"},
        "link to a link": {"deck": "chain.pptx"},
        "linked folder": {"deck": "inner/garden.pptx"},
        "gold": {"gold": "../elsewhere/garden.pptx"},
        "gold by a link": {"gold": "link.pptx"},
        "gold of a turn": {"turns": [turn]},
        "file": {"files": ["../elsewhere/costs.csv"]},
        "file by a link": {"files": ["costs.csv"]},
        "absolute file": {"files": [str(elsewhere / "costs.csv")]},
        "ring of links": {"deck": "ring.pptx"},
    }


@pytest.mark.parametrize("name", [
    "above", "through", "absolute", "link", "link to a link", "linked folder", "gold",
    "gold by a link", "gold of a turn", "file", "file by a link", "absolute file", "ring of links",
])  # fmt: skip
def test_files_outside_the_task_folder_are_rejected(
    write_task: WriteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    folder, elsewhere = write_task("bold-title"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(folder / "garden.pptx", elsewhere / "garden.pptx")
    (elsewhere / "costs.csv").write_text("a,b", "utf-8")
    fields = _outside(folder, elsewhere)[name]
    file = folder / "task.json"
    value = json.loads(file.read_text("utf-8")) | fields
    file.write_text(json.dumps(value), "utf-8")
    with pytest.raises(TaskError, match=r"is outside|expected the path"):
        load_task(folder)
    suite = folder / "suite.jsonl"
    suite.write_text(json.dumps(value) + "\n", "utf-8")
    with pytest.raises(TaskError, match=r"suite.jsonl: line 1: .*(is outside|expected the path)"):
        list_tasks(suite)

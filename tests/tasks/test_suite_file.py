"""Suites in one file: read row by row, found by id, divided into splits."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.errors import TaskError, UnknownTaskError
from pptarena.tasks import SuiteFile, draw_from, find_task, get_task, list_tasks, pick_tasks


def row(number: int, split: str = "train", **fields: Any) -> str:
    leaf = {"name": "title", "check": "title_is", "args": {"slide": 2, "text": f"Plan {number}"}}
    task = {
        "version": 2,
        "id": f"grow-{number}",
        "difficulty": "easy",
        "level": "L1",
        "edit_types": ["text"],
        "deck": "meridian",
        "instruction": f'Call slide 2 "Plan {number}".',
        "max_steps": 20,
        "rubric": {"version": 1, "root": {"name": "all", "children": [leaf]}},
        "scope": {"parts": [{"slides": [2], "aspects": ["text"]}]},
        **fields,
        "grown": {"operators": ["retitle"], "depth": 1, "split": split},
    }
    return json.dumps(task)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.jsonl"
    splits = ["train", "test-deck", "train", "test-words"]
    path.write_text("".join(f"{row(n, split)}\n" for n, split in enumerate(splits)), "utf-8")
    return path


def test_tasks_keep_the_order_of_the_file(suite: Path) -> None:
    file = SuiteFile(suite)
    assert [task.id for task in file] == ["grow-0", "grow-1", "grow-2", "grow-3"]
    assert [task.id for task in file[1:3]] == ["grow-1", "grow-2"]
    assert file.splits == {"": 0, "train": 2, "test-deck": 1, "test-words": 1}


def test_splits_are_suites(suite: Path) -> None:
    assert [task.id for task in SuiteFile(f"{suite}#train")] == ["grow-0", "grow-2"]
    assert [task.id for task in list_tasks(f"{suite}#test-deck")] == ["grow-1"]
    with pytest.raises(TaskError, match="expected a split of train, test-deck, test-words, got"):
        SuiteFile(f"{suite}#test")
    with pytest.raises(UnknownTaskError):
        list_tasks("nowhere.jsonl#train")


def test_tasks_are_found_by_id(suite: Path) -> None:
    file = SuiteFile(f"{suite}#train")
    task = file.find("grow-2")
    assert task is not None
    assert task.instruction == 'Call slide 2 "Plan 2".'
    assert file.find("grow-1") is None  # belongs to another split
    assert find_task("grow-1", task.place).id == "grow-1"
    assert [task.id for task in pick_tasks(["grow-3"], suite)] == ["grow-3"]
    with pytest.raises(UnknownTaskError, match="is no longer in"):
        find_task("grow-9", task.place)


def test_changed_file_is_indexed_again(suite: Path, home: Path) -> None:
    assert len(SuiteFile(suite)) == 4
    with suite.open("a") as file:
        file.write(f"{row(4)}\n\n{row(5)}")
    assert [task.id for task in SuiteFile(suite)][4:] == ["grow-4", "grow-5"]
    assert len(list((home / "suites").iterdir())) == 1


def test_file_changed_while_open_is_an_error(suite: Path) -> None:
    file = SuiteFile(suite)
    suite.write_text(f"{row(7)}\n{row(8)}\n", "utf-8")
    with pytest.raises(TaskError, match="has changed since it was opened"):
        file[1]


def test_escaped_id_is_found(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text(row(1).replace("grow-1", "gr\\u006fw-1"), "utf-8")
    task = SuiteFile(path).find("grow-1")
    assert task is not None
    assert task.id == "grow-1"


def test_damaged_index_is_rebuilt(suite: Path, home: Path) -> None:
    SuiteFile(suite)
    for index in (home / "suites").iterdir():
        index.write_bytes(b"no index")
    assert len(SuiteFile(suite)) == 4


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["", "  "], "expected a task a line, got an empty file"),
        ([row(1), "{"], "line 2: Expecting"),
        ([row(1), "[]"], "line 2: expected a task with an id"),
        ([row(1), row(2), row(1)], "two tasks have one id: .*line 1 and .*line 3"),
    ],
)
def test_invalid_suites_are_rejected(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(TaskError, match=message):
        SuiteFile(path)


def test_invalid_row_is_an_error_on_access(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    path.write_text(f"{row(1)}\n{row(2, rubric={})}\n", "utf-8")
    file = SuiteFile(path)
    assert file[0].id == "grow-1"
    with pytest.raises(TaskError, match="line 2"):
        file[1]


@pytest.mark.slow
def test_long_suite_is_not_loaded_entirely(tmp_path: Path) -> None:
    path = tmp_path / "suite.jsonl"
    with path.open("w") as out:
        out.writelines(f"{row(number)}\n" for number in range(20_000))
    SuiteFile(path)
    tracemalloc.start()
    file = SuiteFile(path)
    assert file[19_999].id == "grow-19999"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < path.stat().st_size / 10


@pytest.mark.slow
def test_environments_sample_tasks_by_seed(suite: Path) -> None:
    with gym.make("PPTArena-v0", suite=f"{suite}#train", machine="fake") as env:
        ids = [env.reset(seed=seed)[1]["task_id"] for seed in range(8)]
        assert set(ids) == {"grow-0", "grow-2"}
        assert ids == [env.reset(seed=seed)[1]["task_id"] for seed in range(8)]
        assert env.reset(options={"task": "grow-2"})[1]["task_id"] == "grow-2"
    assert len(draw_from(suite)) == 4
    assert get_task("meridian-hide-backup").suite == "bench"

"""Attachments of tasks: accepted and rejected files, limits, digests."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.conftest import WriteTask

from pptarena.errors import TaskError
from pptarena.rollouts.task_digest import task_digest
from pptarena.tasks import Task, load_task
from pptarena.tasks.task_files import MAX_FILES, MAX_FILES_BYTES, TaskFile


@pytest.fixture
def folder(write_task: WriteTask) -> Path:
    task_folder = write_task("mine/bold-title")
    (task_folder / "data").mkdir()
    (task_folder / "data" / "costs.csv").write_bytes(b"a,b\n")
    (task_folder / "logo.png").write_bytes(b"png")
    (task_folder.parent / "secret.txt").write_bytes(b"secret")
    return task_folder


@pytest.fixture
def with_files(folder: Path) -> Callable[..., Task]:
    def load(*files: object) -> Task:
        path = folder / "task.json"
        value = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps({**value, "files": files}), "utf-8")
        return load_task(folder)

    return load


def test_files_are_loaded_from_the_task_folder(with_files: Callable[..., Task]) -> None:
    task = with_files("logo.png", "data/costs.csv")
    assert task.files_bytes() == {"logo.png": b"png", "costs.csv": b"a,b\n"}
    assert task.to_json()["files"] == ["logo.png", "costs.csv"]
    assert task.at(1).files == task.files
    assert "files" not in replace(task, files=()).to_json()


def test_paths_must_stay_in_the_task_folder(folder: Path, with_files: Callable[..., Task]) -> None:
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    for path in ("../secret.txt", str(folder.parent / "secret.txt"), "link.txt", "no.txt", "."):
        with pytest.raises(TaskError, match="files/0: expected a file in the folder"):
            with_files(path)
    for value in (7, "", None):
        with pytest.raises(TaskError, match="files/0: expected the path"):
            with_files(value)
    with pytest.raises(TaskError, match="files/0"):
        with_files("a\0b")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../x.png", "expected a name"),
        (".hidden", "expected a name"),
        ("a/b.png", "expected a name"),
        ("x" * 81, "expected a name"),
        ("café.png", "expected a name"),
        ("ends.", "expected a name"),
        ("GARDEN.pptx", "the deck"),
    ],
)
def test_unusable_names_are_rejected(folder: Path, name: str, reason: str) -> None:
    with pytest.raises(TaskError, match=reason):
        replace(load_task(folder), files=(TaskFile(name, b""),))


@pytest.mark.slow
def test_number_and_size_are_limited(folder: Path) -> None:
    task = load_task(folder)
    with pytest.raises(TaskError, match="files/0, too"):
        replace(task, files=(TaskFile("a.png", b""), TaskFile("A.PNG", b"")))
    many = tuple(TaskFile(f"{number}.txt", b"") for number in range(MAX_FILES + 1))
    assert len(replace(task, files=many[1:]).files_bytes()) == MAX_FILES
    with pytest.raises(TaskError, match="at most 16"):
        replace(task, files=many)
    with (folder / "large.bin").open("wb") as file:
        file.truncate(MAX_FILES_BYTES)
    large = TaskFile("large.bin", folder / "large.bin")
    assert len(replace(task, files=(large,)).files_bytes()["large.bin"]) == MAX_FILES_BYTES
    with pytest.raises(TaskError, match="bytes together"):
        replace(task, files=(large, TaskFile("1.bin", b"x"))).files_bytes()
    with pytest.raises(TaskError, match="cannot be read"):
        replace(task, files=(TaskFile("no.bin", folder / "no.bin"),)).files_bytes()


def test_digest_covers_files(folder: Path) -> None:
    task = load_task(folder)
    with_one, other_name, other_bytes = (
        task_digest(replace(task, files=(file,)))
        for file in (TaskFile("1.csv", b"1"), TaskFile("2.csv", b"1"), TaskFile("1.csv", b"2"))
    )
    assert len({task_digest(task), with_one, other_name, other_bytes}) == 4

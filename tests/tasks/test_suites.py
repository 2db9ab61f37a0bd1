"""Suites from folders, files and installed packages; tasks are found again by their place."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.conftest import WriteTask

from pptarena.errors import ConfigError, TaskError, UnknownTaskError
from pptarena.tasks import (
    Task,
    find_task,
    get_task,
    list_tasks,
    pick_tasks,
    siblings,
    suite_loading,
    suites,
)


def _ids(tasks: tuple[Task, ...]) -> list[str]:
    return [task.id for task in tasks]


def test_folder_is_a_suite(write_task: WriteTask, tmp_path: Path) -> None:
    write_task("mine/b-task")
    write_task("mine/c-task", difficulty="easy")
    single = write_task("mine/decks/a-task")  # too deep to belong to the folder's suite
    value = json.loads((single / "task.json").read_text("utf-8"))
    (tmp_path / "mine/a-task.json").write_text(
        json.dumps({**value, "deck": "decks/a-task/garden.pptx"}), "utf-8"
    )
    (tmp_path / "mine/.hidden.json").write_text("{", "utf-8")
    (tmp_path / "mine/README.md").write_text("my tasks", "utf-8")
    tasks = list_tasks(tmp_path / "mine")
    assert _ids(tasks) == ["c-task", "a-task", "b-task"]
    assert {task.suite for task in tasks} == {"mine"}
    assert all(task.deck_bytes() for task in tasks)
    assert list_tasks(str(tmp_path / "mine")) == tasks
    assert _ids(list_tasks(single)) == ["a-task"]


def test_labels_are_tags(write_task: WriteTask, tmp_path: Path) -> None:
    write_task("mine/a-task", labels={"topic": ["budget", "q3"]})
    write_task("mine/b-task", labels={"topic": ["budget"]})
    assert _ids(list_tasks(f"{tmp_path}/mine#budget")) == ["a-task", "b-task"]
    assert _ids(list_tasks(f"{tmp_path}/mine#budget#q3")) == ["a-task"]


def test_jsonl_file_is_a_suite(write_task: WriteTask, tmp_path: Path) -> None:
    folder = write_task("a-task")
    value = json.loads((folder / "task.json").read_text("utf-8"))
    lines = [json.dumps({**value, "id": id}) for id in ("b", "a")]
    file = folder / "many.jsonl"
    file.write_text("\n\n".join(lines) + "\n", "utf-8")
    tasks = list_tasks(file)
    assert _ids(tasks) == ["a", "b"]
    assert {(task.suite, task.place) for task in tasks} == {("many", str(file))}
    assert find_task("b", str(file)) == tasks[1]
    assert siblings(tasks[0]) == tasks
    file.write_text(f"{lines[0]}\n{{\n", "utf-8")
    with pytest.raises(TaskError, match=r"many\.jsonl: line 2: Expecting"):
        list_tasks(file)


def test_duplicate_ids_are_rejected(write_task: WriteTask, tmp_path: Path) -> None:
    write_task("mine/a-task")
    write_task("mine/b-task", id="a-task")
    with pytest.raises(TaskError, match=r"two tasks have the id 'a-task': .*a-task.* and .*b-task"):
        list_tasks(tmp_path / "mine")


def test_malformed_file_is_reported(write_task: WriteTask, tmp_path: Path) -> None:
    write_task("mine/a-task")
    (tmp_path / "mine/b-task.json").write_text("{", "utf-8")
    with pytest.raises(TaskError, match=r"b-task\.json: Expecting"):
        list_tasks(tmp_path / "mine")


def test_folder_without_tasks_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"expected task files \(\.json, .* got none"):
        list_tasks(tmp_path)
    with pytest.raises(
        UnknownTaskError, match=r"suite '\./none' not found: there is no file or folder"
    ):
        list_tasks("./none")


def test_task_is_found_by_its_path(
    write_task: WriteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = get_task(write_task("mine/a-task"))
    monkeypatch.chdir(tmp_path / "mine")
    assert get_task("a-task") == get_task("./a-task") == get_task("a-task/task.json") == task
    with pytest.raises(UnknownTaskError, match=r"no task '\./none': no such file or folder"):
        get_task("./none")


def test_task_is_found_by_its_place(write_task: WriteTask, tmp_path: Path) -> None:
    folder = write_task("mine/a-task")
    task = get_task(folder)
    assert find_task("a-task", task.place) == task
    packaged = list_tasks("starter")[0]
    assert packaged.place == ""
    assert replace(find_task(packaged.id, packaged.place), suite="starter") == packaged
    for name in ("other", "gone"):
        with pytest.raises(UnknownTaskError, match=f"the task '{name}' is no longer in"):
            find_task(name, task.place if name == "other" else str(tmp_path / "gone.json"))


def test_tasks_are_picked_by_id_from_a_folder(write_task: WriteTask, tmp_path: Path) -> None:
    write_task("mine/a-task")
    other = write_task("mine/b-task")
    mine = tmp_path / "mine"
    assert _ids(pick_tasks(["b-task", "meridian-hide-backup", "b-task"], mine)) == [
        "b-task",
        "meridian-hide-backup",
    ]
    assert _ids(pick_tasks((), mine)) == ["a-task", "b-task"]
    assert _ids(pick_tasks([other])) == ["b-task"]
    with pytest.raises(UnknownTaskError, match="task 'c-task' not found"):
        pick_tasks(["c-task"], mine)
    twin = write_task("theirs/b-task")
    with pytest.raises(ConfigError, match=r"two tasks have the id .b-task.: .*mine.*, .*theirs"):
        pick_tasks(["b-task", twin], mine)


def test_siblings_are_the_tasks_of_the_same_folder(write_task: WriteTask, tmp_path: Path) -> None:
    task = get_task(write_task("mine/a-task"))
    assert siblings(task) == (task,)
    write_task("mine/b-task")
    assert _ids(siblings(task)) == ["a-task", "b-task"]
    (tmp_path / "mine/notes.json").write_text("[]", "utf-8")
    assert siblings(task) == (task,)
    assert siblings(list_tasks("starter")[0]) == list_tasks("bench")


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that registers suites as an installed package does."""

    def register_suites(**places: str) -> None:
        entries = [
            EntryPoint(name.replace("_", "-"), place, suite_loading.GROUP)
            for name, place in places.items()
        ]
        monkeypatch.setattr(suite_loading, "entry_points", lambda group: entries)
        suite_loading.load_installed.cache_clear()

    return register_suites


def test_installed_packages_provide_suites(
    register: Callable[..., None],
    write_task: WriteTask,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write_task("mine/a-task")
    module = tmp_path / "garden_tasks.py"
    module.write_text(
        "from pptarena.tasks import list_tasks\n"
        f"FOLDER = {str(tmp_path / 'mine')!r}\n"
        "def make():\n    return list_tasks(FOLDER)\n"
        "def broken():\n    raise OSError('no network')\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    register(garden_folder="garden_tasks:FOLDER", garden_made="garden_tasks:make")
    assert {"bench", "garden-folder", "garden-made"} <= set(suites())
    assert _ids(list_tasks("garden-folder")) == _ids(list_tasks("garden-made")) == ["a-task"]
    assert get_task("a-task") is list_tasks("garden-folder")[0]
    register(broken="garden_tasks:broken", missing="garden_tasks:none")
    with pytest.raises(TaskError, match=r"'broken' \(garden_tasks:broken\): OSError: no network"):
        list_tasks("broken")
    with pytest.raises(TaskError, match=r"'missing' \(garden_tasks:none\): AttributeError"):
        list_tasks("missing")


def test_registered_objects_must_be_suites(register: Callable[..., None]) -> None:
    register(wrong="math:pi", bench="math:tau")
    with pytest.raises(TaskError, match=r"'wrong' \(math:pi\): expected a folder or tasks, got 3"):
        list_tasks("wrong")
    assert len(list_tasks("bench")) == 120  # the packaged suite takes precedence


def test_first_of_two_packages_with_one_suite_name_wins(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    entries = [EntryPoint("garden", place, suite_loading.GROUP) for place in ("b:X", "a:X", "a:X")]
    monkeypatch.setattr(suite_loading, "entry_points", lambda group: entries)
    assert suite_loading.installed_suites()["garden"].value == "a:X"
    assert caplog.text.count("two packages have a suite 'garden'; b:X is left out") == 1

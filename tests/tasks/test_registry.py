import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.each_case import each_case

import pptarena.tasks
from pptarena.envs.actions import KINDS, POINTER_KINDS
from pptarena.errors import ConfigError, TaskError, UnknownTaskError
from pptarena.tasks import Task, get_task, list_tasks, registry, suites
from pptarena.tasks.demonstration import POINTER_STEP_KINDS, STEP_KINDS
from pptarena.tasks.registry import draw_from, pick_tasks

FILES = sorted((Path(pptarena.tasks.__file__).parent / "specs").glob("*/*.json"))
TASKS = list_tasks("starter")


def test_default_suite_is_a_small_part_of_bench() -> None:
    assert {"bench", "starter"} <= set(suites())
    assert list_tasks() == TASKS
    assert {task.id for task in TASKS} < {task.id for task in list_tasks("bench")}


def test_starter_has_eight_tasks_on_two_decks() -> None:
    assert [task.difficulty for task in TASKS] == ["easy"] * 3 + ["medium"] * 3 + ["hard"] * 2
    assert {task.deck for task in TASKS} == {"meridian", "resistance"}


@each_case("path", FILES, ids=lambda path: path.stem)
def test_every_packaged_file_is_a_registered_task(path: Path) -> None:
    task = get_task(path.stem)
    assert task.id == path.stem
    assert task.suite == path.parent.name
    assert task in list_tasks("all")
    assert f"PPTArena/{task.id}-v0" in gym.registry


@each_case("task", TASKS, ids=lambda task: task.id)
def test_starter_tasks_follow_the_conventions(task: Task) -> None:
    assert task.feasible
    assert task.demonstration
    assert task.max_steps >= max(15, 2.5 * len(task.demonstration))
    assert len(task.instruction.split()) >= 15
    assert task.scope is not None
    children = task.rubric.root.children
    assert [child.name for child in children if not child.critical] == ["nothing else changed"]
    assert any(child.critical for child in children)
    for step in task.demonstration:
        if step.kind in POINTER_STEP_KINDS:
            assert step.target is not None
            assert step.target.get("name") or step.target.get("within")


def test_step_kinds_are_action_kinds() -> None:
    assert set(STEP_KINDS) < set(KINDS)
    assert POINTER_STEP_KINDS == POINTER_KINDS


def test_unknown_task_suggests_similar_ids() -> None:
    with pytest.raises(UnknownTaskError, match=r"Did you mean 'meridian-hide-backup'"):
        get_task("meridian-hide-bakup")
    with pytest.raises(UnknownTaskError, match=re.escape("task '???' not found. Available: ")):
        get_task("???")


def test_unknown_suite_lists_the_available_ones() -> None:
    with pytest.raises(UnknownTaskError, match=r"suite 'none' not found\. Available: all, bench, "):
        list_tasks("none")


@each_case("find", [get_task, list_tasks, draw_from, lambda name: pick_tasks([name])])
@each_case("name", [3, None, b"name", [], {}])
def test_names_must_be_strings_or_paths(find: Callable[[Any], object], name: Any) -> None:
    with pytest.raises(ConfigError, match=re.escape(f"got {name!r}")):
        find(name)


@each_case("find", [get_task, list_tasks, draw_from])
@each_case(
    "name, message",
    [
        ("", "not found: the name is empty"),
        ("#charts", "not found"),
        ("n" * 5000, "not found: File name too long"),
        ("~no-such-user/tasks", "not found: Could not determine home directory"),
        ("null\0.jsonl", "not found"),
    ],
)
def test_unusable_names_are_not_found(
    find: Callable[[Any], object], name: str, message: str
) -> None:
    with pytest.raises(UnknownTaskError, match=message):
        find(name)


def test_tags_filter_a_suite() -> None:
    bench = list_tasks("bench")
    assert list_tasks("bench#charts") == tuple(t for t in bench if "charts" in t.edit_types)
    assert list_tasks("bench#turns#hard") == tuple(
        t for t in bench if t.turns and t.difficulty == "hard"
    )
    assert list_tasks("bench#infeasible#L1") == tuple(
        t for t in bench if not t.feasible and t.level == "L1"
    )
    with pytest.raises(UnknownTaskError, match=r"tag 'chart' not found\. Did you mean 'charts'"):
        list_tasks("bench#chart")
    with pytest.raises(UnknownTaskError, match=r"suite 'benhc' not found\. Did you mean 'bench'"):
        list_tasks("benhc#charts")


@pytest.mark.parametrize(
    ("old", "count"),
    [("ask", 10), ("office", 126), ("turns", 13), ("first-steps", 51), ("two-steps", 40)],
)
def test_former_suites_are_tags(old: str, count: int, caplog: pytest.LogCaptureFixture) -> None:
    tasks = list_tasks(old)
    assert len(tasks) == count
    assert caplog.messages == [f"the suite {old!r} is a tag now: use the suite 'all#{old}'"]
    assert list_tasks(f"all#{old}") == tasks
    assert len(caplog.messages) == 1
    assert old not in suites()


def test_duplicate_ids_across_suites_are_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for suite in ("one", "two"):
        (tmp_path / suite).mkdir()
        (tmp_path / suite / "same.json").write_text("{}")
    monkeypatch.setattr(registry, "_SPECS", tmp_path)
    registry._paths.cache_clear()
    try:
        with pytest.raises(TaskError, match=r"same\.json: two suites"):
            registry._paths()
    finally:
        registry._paths.cache_clear()

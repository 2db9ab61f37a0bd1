import json
from pathlib import Path
from typing import Any

import pytest

from pptarena.errors import TaskError
from pptarena.tasks import load_task


def spec(**changes: Any) -> dict[str, Any]:
    """Return a valid task with some fields changed; None omits a field."""
    leaf = {"name": "deleted slide", "check": "slide_deleted", "args": {"slide": 2}}
    value: dict[str, Any] = {
        "version": 2,
        "id": "a-task",
        "difficulty": "easy",
        "level": "L1",
        "edit_types": ["slides"],
        "deck": "meridian",
        "instruction": "Delete slide 2.",
        "max_steps": 15,
        "rubric": {
            "version": 1,
            "strategy": "weighted",
            "root": {"name": "deleted", "critical": True, "children": [leaf]},
        },
        "scope": {"slides": [2]},
        "demonstration": [
            {"kind": "click", "target": {"role": "menu", "name": "Slide"}},
            {"kind": "key", "keys": "Delete"},
        ],
    }
    value |= changes
    return {name: field for name, field in value.items() if field is not None}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


def write(folder: Path, value: Any) -> Path:
    path = folder / "a-task.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def test_task_is_loaded(folder: Path) -> None:
    task = load_task(write(folder, spec()))
    assert (task.id, task.suite, task.difficulty, task.level) == ("a-task", "mine", "easy", "L1")
    assert task.edit_types == ("slides",)
    assert task.feasible
    assert [step.kind for step in task.demonstration] == ["click", "key"]
    assert task.demonstration[0].target == {"role": "menu", "name": "Slide"}
    assert task.scope is not None
    assert task.deck_bytes()[:2] == b"PK"
    assert task.deck_bytes() is task.deck_bytes()
    assert load_task(write(folder, spec(demonstration=None))).demonstration == ()


def test_infeasible_task_may_have_an_empty_scope(folder: Path) -> None:
    task = load_task(write(folder, spec(scope={}, feasible=False)))
    assert task.scope is not None
    assert task.scope.allows_nothing


def test_to_json_contains_the_printed_fields(folder: Path) -> None:
    assert load_task(write(folder, spec())).to_json() == {
        "id": "a-task",
        "suite": "mine",
        "difficulty": "easy",
        "level": "L1",
        "edit_types": ["slides"],
        "deck": "meridian",
        "instruction": "Delete slide 2.",
    }


STEP = {"kind": "click", "target": {"name": "Bold"}}
MALFORMED = {
    "not JSON": ("{", "Expecting property name"),
    "no object": ([], "the task: expected an object, got []"),
    "version": (spec(version=3), "version: expected 2, got 3"),
    "missing": (spec(instruction=None), "instruction: missing; expected a string"),
    "blank": (spec(instruction="  "), "instruction: expected a text, got none"),
    "unknown": (spec(colour="red"), "the task: unknown fields: 'colour'"),
    "bad id": (spec(id="A task"), "id: expected lower-case words joined by '-', got 'A task'"),
    "difficulty": (spec(difficulty="nice"), "difficulty: expected one of easy, medium, hard"),
    "level": (spec(level="L9"), "level: expected one of L1, L2, L3, L4, got 'L9'"),
    "edit type": (spec(edit_types=["text", "magic"]), "edit_types/1: expected one of text"),
    "edit types": (spec(edit_types="text"), "edit_types: expected a list, got 'text'"),
    "deck": (
        spec(deck="none"),
        "deck: expected one of aurora, clinic, field, harbor, kanto, ledger, meridian, negev, ",
    ),
    "steps": (spec(max_steps=2), "max_steps: expected more than the 2 steps"),
    "steps text": (spec(max_steps="9"), "max_steps: expected a whole number, got '9'"),
    "steps bool": (spec(max_steps=True), "max_steps: expected a whole number, got True"),
    "feasible": (spec(feasible=1), "feasible: expected true or false, got 1"),
    "rubric": (spec(rubric={"version": 1}), "rubric/"),
    "scope": (spec(scope={"slides": 3}), "a-task.json: scope/slides: "),
    "no scope": (spec(scope=None), "scope: missing; expected an object"),
    "empty scope": (spec(scope={}), "scope: expected the part of the deck that the task may touch"),
    "empty part": (spec(scope={"parts": [{"aspects": ["text"]}]}), "scope: expected the part"),
    "scope part": (
        spec(scope={"parts": [{"slides": [0]}]}),
        "a-task.json: scope/parts/0: slide positions start at 1",
    ),
    "step": (spec(demonstration=["click"]), "demonstration/0: expected an object, got 'click'"),
    "kind": (spec(demonstration=[STEP | {"kind": "jump"}]), "demonstration/0/kind: expected one"),
    "kind type": (
        spec(demonstration=[STEP | {"kind": []}]),
        "demonstration/0/kind: expected a str",
    ),
    "no target": (
        spec(demonstration=[STEP, {"kind": "click"}]),
        "demonstration/1: a step of kind 'click' needs target",
    ),
    "target": (
        spec(demonstration=[{"kind": "key", "keys": "F2", "target": {"name": "Bold"}}]),
        "demonstration/0: a step of kind 'key' takes no target",
    ),
    "target keys": (
        spec(demonstration=[STEP | {"target": {"name": "Bold", "id": "x"}}]),
        "demonstration/0/target: unknown fields: 'id'",
    ),
    "target empty": (
        spec(demonstration=[STEP | {"target": {"nth": 1}}]),
        "demonstration/0/target: expected a role or a name",
    ),
    "nth": (
        spec(demonstration=[STEP | {"target": {"name": "Bold", "nth": -1}}]),
        "demonstration/0/target/nth: expected 0 or more, got -1",
    ),
    "within": (
        spec(demonstration=[STEP | {"target": {"name": "Bold", "within": {"name": 3}}}]),
        "demonstration/0/target/within/name: expected a string, got 3",
    ),
    "keys": (spec(demonstration=[{"kind": "key"}]), "a step of kind 'key' needs keys"),
    "text": (spec(demonstration=[{"kind": "type"}]), "a step of kind 'type' needs text"),
    "end": (
        spec(demonstration=[STEP | {"kind": "drag"}]),
        "demonstration/0: end_target and kind 'drag' go together",
    ),
    "at": (
        spec(demonstration=[STEP | {"at": [0.5, 1.5]}]),
        "demonstration/0/at: expected two numbers in [0, 1], got [0.5, 1.5]",
    ),
    "at without target": (
        spec(demonstration=[{"kind": "key", "keys": "F2", "at": [0, 0]}]),
        "demonstration/0: at is a point in a target, and the step has none",
    ),
}


@pytest.mark.parametrize(("value", "message"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_task_is_reported_with_file_and_location(
    folder: Path, value: Any, message: str
) -> None:
    with pytest.raises(TaskError) as excinfo:
        load_task(write(folder, value))
    assert str(excinfo.value).startswith("a-task.json: ")
    assert message in str(excinfo.value)


def test_missing_file_is_reported(folder: Path) -> None:
    with pytest.raises(TaskError, match=r"^none\.json: "):
        load_task(folder / "none.json")

"""The canary: in every packaged task file, and no part of a task."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import pptarena.tasks
from pptarena.errors import TaskError
from pptarena.tasks import load_task
from pptarena.tasks.canary import CANARY

WriteTask = Callable[..., Path]
SPECS = Path(pptarena.tasks.__file__).parent / "specs"


def test_every_packaged_task_file_has_the_canary() -> None:
    files = sorted(SPECS.rglob("*.json"))
    assert len(files) > 50
    lack = [file.name for file in files if json.loads(file.read_text()).get("canary") != CANARY]
    assert not lack, f"add a field 'canary' with the text {CANARY!r} to {lack}"


def test_a_task_is_the_same_with_it_and_shows_nothing_of_it(write_task: WriteTask) -> None:
    file = write_task("mine/bold-title") / "task.json"
    plain = load_task(file)
    file.write_text(json.dumps(json.loads(file.read_text()) | {"canary": CANARY}))
    marked = load_task(file)
    assert marked == plain
    assert CANARY not in json.dumps(marked.to_json())


def test_a_canary_is_a_text(write_task: WriteTask) -> None:
    with pytest.raises(TaskError, match="canary: expected a string, got 7"):
        load_task(write_task("mine/bold-title", canary=7))

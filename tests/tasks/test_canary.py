"""The canary is in every packaged task file but not in loaded tasks."""

import json
from pathlib import Path

import pytest
from tests.conftest import WriteTask

import pptarena.tasks
from pptarena.errors import TaskError
from pptarena.tasks import load_task
from pptarena.tasks.canary import CANARY

SPECS = Path(pptarena.tasks.__file__).parent / "specs"


def test_every_packaged_task_file_contains_the_canary() -> None:
    files = sorted(SPECS.rglob("*.json"))
    assert len(files) > 50
    missing = [file.name for file in files if json.loads(file.read_text()).get("canary") != CANARY]
    assert not missing, f"add a field 'canary' with the text {CANARY!r} to {missing}"


def test_canary_is_ignored_when_a_task_is_loaded(write_task: WriteTask) -> None:
    file = write_task("mine/bold-title") / "task.json"
    plain = load_task(file)
    file.write_text(json.dumps(json.loads(file.read_text()) | {"canary": CANARY}))
    marked = load_task(file)
    assert marked == plain
    assert CANARY not in json.dumps(marked.to_json())


def test_canary_must_be_a_string(write_task: WriteTask) -> None:
    with pytest.raises(TaskError, match="canary: expected a string, got 7"):
        load_task(write_task("mine/bold-title", canary=7))

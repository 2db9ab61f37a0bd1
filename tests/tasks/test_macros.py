from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import TaskError
from pptarena.tasks import MacroCall, list_tasks
from pptarena.tasks.macros import load_macros
from pptarena.tasks.solution_macros import macros_of


def test_macro_is_loaded_with_its_arguments() -> None:
    value = {"macro": "edit_text", "slide": 7, "shape": "@title", "text": "Tents"}
    (call,) = load_macros([value])
    assert call == MacroCall("edit_text", {"slide": 7, "shape": "@title", "text": "Tents"})
    assert call.to_json() == value


@each_case(
    "value, message",
    [
        ("show_slide", "macros/0: expected an object"),
        ({"slide": 1}, "macros/0/macro: expected the name of a macro, got None"),
        ({"macro": ["x"]}, "macros/0/macro: expected the name of a macro"),
    ],
)
def test_malformed_macros_are_rejected_with_their_location(value: Any, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_macros([value])


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", ["starter", "all#first-steps", "all#first-steps-unseen", "all#two-steps"]
)
def test_macros_of_packaged_tasks_fit_the_step_budget(suite: str) -> None:
    tasks = list_tasks(suite)
    assert tasks
    for task in tasks:
        assert 1 <= len(macros_of(task)) < task.max_steps, task.id


def test_second_step_follows_the_slide_moved_by_the_first() -> None:
    tasks = {task.id: task for task in list_tasks("all#two-steps")}
    insertion = tasks["two-steps-new-slide-2-italic-title-3"]
    assert [call.arguments.get("slide") for call in macros_of(insertion)] == [None, 4]
    deletion = tasks["two-steps-right-title-4-delete-slide-3"]
    assert [call.arguments["slide"] for call in macros_of(deletion)] == [4, 3]

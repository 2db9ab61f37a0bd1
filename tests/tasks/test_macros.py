from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import TaskError
from pptarena.tasks import MacroCall, list_tasks
from pptarena.tasks.macros import load_macros
from pptarena.tasks.solution_macros import macros_of


def test_a_macro_is_read_with_its_arguments() -> None:
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
def test_a_malformed_macro_is_refused_with_its_place(value: Any, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_macros([value])


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", ["starter", "all#first-steps", "all#first-steps-unseen", "all#two-steps"]
)
def test_every_task_of_the_package_has_macros_within_its_budget(suite: str) -> None:
    tasks = list_tasks(suite)
    assert tasks
    for task in tasks:
        assert 1 <= len(macros_of(task)) < task.max_steps, task.id


def test_the_second_half_of_two_steps_knows_where_its_slide_went() -> None:
    tasks = {task.id: task for task in list_tasks("all#two-steps")}
    moved = tasks["two-steps-new-slide-2-italic-title-3"]
    assert [call.arguments.get("slide") for call in macros_of(moved)] == [None, 4]
    gone = tasks["two-steps-right-title-4-delete-slide-3"]
    assert [call.arguments["slide"] for call in macros_of(gone)] == [4, 3]

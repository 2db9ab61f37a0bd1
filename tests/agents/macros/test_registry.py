from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.agents.macros import bind_macro
from pptarena.errors import MacroError
from pptarena.tasks import MacroCall, list_tasks
from pptarena.tasks.solution_macros import macros_of


def test_arguments_are_bound_with_defaults() -> None:
    call = MacroCall("edit_text", {"slide": 7, "shape": "@title", "text": "Tents"})
    expected = {"slide": 7, "shape": "@title", "text": "Tents", "paragraph": None}
    assert bind_macro(call) == expected
    other = MacroCall("transition", {"slide": 1, "kind": "blinds"})
    assert bind_macro(other)["kind"] == "venetian"


@each_case(
    "name, arguments, message",
    [
        ("show", {}, "macro 1: macro 'show' not found. Did you mean 'show_slide'"),
        ("show_slide", {}, r"show_slide\.slide: the argument is missing"),
        ("show_slide", {"slide": 0}, r"show_slide\.slide: .*greater than or equal to 1, got 0"),
        ("show_slide", {"slide": True}, r"show_slide\.slide: .*integer, got True"),
        ("show_slide", {"slide": 1, "to": 2}, "show_slide: argument 'to' not found"),
        ("delete_shape", {"slide": 1, "shape": "@tite"}, r"delete_shape\.shape: .*@tite"),
        ("resize", {"slide": 1, "shape": "a", "width_cm": -1}, r"resize\.width_cm: .*greater"),
        ("transition", {"slide": 1, "kind": "fad"}, "Did you mean 'fade'"),
        ("menu", {"path": []}, r"menu\.path: .*at least 1 item"),
        ("fill_color", {"slide": 1, "shape": "a", "color": "red"}, r"fill_color\.color: .*'red'"),
        ("order", {"slide": 1, "shape": "a", "to": "top"}, r"order\.to: .*'front' or 'back'"),
        ("insert_media", {"slide": 1, "file": "../a.mp4"}, r"insert_media\.file: "),
    ],
)
def test_invalid_arguments_are_refused(name: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MacroError, match=message):
        bind_macro(MacroCall(name, arguments))


def test_macros_of_packaged_tasks_are_valid() -> None:
    calls = [call for task in list_tasks("all") for call in task.macros or ()]
    calls += [call for task in list_tasks("starter") for call in macros_of(task)]
    assert len(calls) > 100
    for call in calls:
        bind_macro(call)

"""Risky actions need confirmation; the agent receives the reason of a refusal."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import gymnasium as gym
import pytest
from tests.each_case import each_case

import pptarena
from pptarena.envs import actions
from pptarena.envs.document import ToolCall
from pptarena.errors import ConfigError
from pptarena.wrappers import ConfirmRisky
from pptarena.wrappers.risks import CLOSE, DELETE, OVERWRITE, risk_of_action, risk_of_call

SCREEN = (200, 100)


def node(index: int, name: str, parent: int = -1, **more: Any) -> dict[str, Any]:
    box = [0, 10 * index, 100, 10]
    return {"index": index, "parent": parent, "role": "button", "name": name, "element": index + 1,
            "box": box, "states": [], **more}  # fmt: skip


NODES = [
    node(0, "Delete Slide"),
    node(1, "Don\u2019t Save"),
    node(2, "Save"),
    node(3, "Bold"),
    node(4, "Slides View"),
    node(5, "Agenda", parent=4),
    node(6, "Title 1"),
]


@each_case(
    "action, risk",
    [
        (actions.click(element=1), DELETE),
        (actions.click(xy=(0.1, 0.05)), DELETE),
        (actions.click(element=2), CLOSE),
        (actions.double_click(element=3), OVERWRITE),
        (actions.key("CTRL+W"), CLOSE),
        (actions.key("alt+F4"), CLOSE),
        (actions.key("ctrl+s"), OVERWRITE),
        (actions.click(element=4), ""),
        (actions.click(xy=(0.9, 0.9)), ""),
        (actions.right_click(element=1), ""),
        (actions.key("ctrl+shift+s"), ""),
        (actions.key("Delete"), ""),
        (actions.type_text("Delete Slide"), ""),
        ({"kind": "no such action"}, ""),
        ("nonsense", ""),
    ],
)
def test_risk_of_an_action_on_the_screen(action: Any, risk: str) -> None:
    assert risk_of_action(action, NODES, SCREEN) == risk


@each_case(
    "keys, focused, risk",
    [
        *((keys, 5, DELETE) for keys in ("Delete", "BackSpace", "ctrl+x")),
        *((keys, 6, "") for keys in ("Delete", "BackSpace", "ctrl+x")),
        *((keys, 1, CLOSE) for keys in ("Return", "space")),
    ],
)
def test_risk_of_a_key_depends_on_the_focused_element(keys: str, focused: int, risk: str) -> None:
    nodes = [{**each, "states": ["focused"] * (each["index"] == focused)} for each in NODES]
    assert risk_of_action(actions.key(keys), nodes, SCREEN) == risk


@each_case(
    "call, risk",
    [
        (ToolCall.of("delete_slide", slide=256), DELETE),
        (ToolCall.of("run_program", code="presentation.slides._sldIdLst.remove(x)"), DELETE),
        (ToolCall.of("replace_part", name="ppt/presentation.xml", xml="<a/>"), DELETE),
        (ToolCall.of("run_program", code="print(1)"), ""),
        (ToolCall.of("replace_part", name="ppt/slides/slide1.xml", xml="<a/>"), ""),
        (ToolCall.of("delete_shape", slide=256, shape=2), ""),
        ("nonsense", ""),
    ],
)
def test_risk_of_a_document_tool_call(call: Any, risk: str) -> None:
    assert risk_of_call(call) == risk


@pytest.fixture
def env() -> Iterator[gym.Env[Any, Any]]:
    """An environment on a document."""
    with closing(gym.make("PPTArenaDoc-v0", task="meridian-hide-backup")) as env:
        yield env


def delete(env: gym.Env[Any, Any], confirm: Any, **options: Any) -> tuple[Any, dict[str, Any]]:
    """Delete the last slide; return the observation and info."""
    with closing(ConfirmRisky(env, confirm, **options)) as wrapped:
        wrapped.reset(seed=0)
        observation, _, _, _, info = wrapped.step(ToolCall.of("delete_slide", slide=272))
        return observation, info


def test_refused_call_changes_nothing_and_reports_the_reason(env: gym.Env[Any, Any]) -> None:
    questions = []

    def confirm(task: pptarena.Task, question: str) -> str:
        questions.append((task.id, question))
        return "hide it instead"

    observation, info = delete(env, confirm)
    assert questions == [("meridian-hide-backup", 'deletes slides: delete_slide {"slide": 272}')]
    assert info["action_error"] == "refused by script: hide it instead"
    assert "hide it instead" in observation["result"]
    assert info["document"]["revision"] == 0
    confirmation = info["confirmation"]
    assert confirmation.pop("seconds") >= 0
    assert confirmation == {
        "risk": DELETE, "by": "script", "allowed": False, "reason": "hide it instead"
    }  # fmt: skip


def test_allowed_call_is_executed(env: gym.Env[Any, Any]) -> None:
    _, info = delete(env, lambda task, question: True, by="tester")
    assert info["action_error"] is None
    assert info["document"]["revision"] == 1
    assert info["confirmation"]["by"] == "tester"


def test_exempt_actions_need_no_confirmation(env: gym.Env[Any, Any]) -> None:
    _, info = delete(env, lambda task, question: False, exempt=lambda: True)
    assert "confirmation" not in info
    assert info["document"]["revision"] == 1


def test_confirm_function_must_decide(env: gym.Env[Any, Any]) -> None:
    decide: Callable[..., Any] = lambda task, question: None  # noqa: E731
    with pytest.raises(ConfigError, match="expected True, False or a reason"):
        delete(env, decide)


def test_confirm_must_be_a_function(make: Any) -> None:
    with pytest.raises(ConfigError, match="confirm: expected a function, got 3"):
        ConfirmRisky(make(), 3)  # type: ignore[arg-type]

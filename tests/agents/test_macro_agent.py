from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pptarena.agents.macro_agent import MacroAgent
from pptarena.envs import actions
from pptarena.errors import AgentError, MacroError
from pptarena.tasks import MacroCall, get_task

OBSERVATION = {"screenshot": np.zeros((720, 1280, 3), np.uint8)}
INFO: dict[str, Any] = {
    "task_id": "a-task",
    "a11y": {"nodes": []},
    "document": {"slide": 1, "slide_count": 17, "editing": False},
    "clipboard": "",
    "action_error": None,
    "observation_id": 3,
}


def agent(*calls: MacroCall) -> MacroAgent:
    deck = get_task("meridian-hide-backup").deck_bytes
    task: Any = SimpleNamespace(id="a-task", macros=calls, deck_bytes=deck)
    made = MacroAgent(lambda id: task)
    made.reset(INFO, 0)
    return made


def test_episode_ends_after_the_last_macro() -> None:
    assert agent(MacroCall("show_slide", {"slide": 1})).act(OBSERVATION, INFO) == actions.done()


def test_macro_fails_if_its_action_has_no_effect() -> None:
    player = agent(MacroCall("find_replace", {"find": "a", "replace": "b"}))
    assert player.act(OBSERVATION, INFO) == actions.key("ctrl+h", 1)
    for _ in range(3):
        assert player.act(OBSERVATION, INFO).kind == "wait"
    with pytest.raises(
        MacroError, match=r"macro 1 \(find_replace\): timed out waiting for the dialog"
    ):
        player.act(OBSERVATION, INFO)


def test_error_names_the_task_without_macros() -> None:
    with pytest.raises(AgentError, match="the task 'a-task' has no macros"):
        agent()


def test_error_names_the_edit_without_a_macro() -> None:
    with pytest.raises(AgentError, match=r"solution/2: add_table_like: no macro makes this edit"):
        MacroAgent().reset({**INFO, "task_id": "clinic-falls-table"}, 0)


def test_act_before_reset_is_refused() -> None:
    with pytest.raises(AgentError, match="call reset first"):
        MacroAgent().act(OBSERVATION, INFO)

"""Every edit is a tool with the same effect, and a rejected call changes nothing."""

from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.each_case import each_case
from tests.edits.cases import CASES, FILES, Case
from tests.envs.document import more_cases
from tests.envs.document.more_cases import deck_with_media
from tests.envs.document.plain_task import plain_task

from pptarena.agents.goal_agent import goal_calls
from pptarena.decks.validity import new_problems
from pptarena.edits import EDITS
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.toolbox import toolbox
from pptarena.tasks.deck_files import read_deck_file
from pptarena.tasks.task_files import TaskFile

FIRST, SECOND = 256, 257
TITLE, BODY, TABLE, CHART = 2, 3, 3, 4
BOX = {"left_cm": 1, "top_cm": 2, "width_cm": 3.5, "height_cm": 4}

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("set_text", {"slide": 1, "shape": TITLE, "text": "x"}, "no slide has the id 1"),
    ("set_text", {"slide": FIRST, "shape": 99, "text": "x"}, "no shape with the id 99"),
    ("set_text", {"slide": SECOND, "shape": CHART, "text": "x"}, "holds no text"),
    ("set_text", {"slide": FIRST, "shape": TITLE, "text": "\x00"}, "control characters"),
    ("set_text", {"slide": FIRST, "shape": TITLE, "text": "x" * 20_001}, "20000 characters"),
    ("set_text", {"slide": FIRST, "shape": BODY, "text": "x", "paragraph": 3}, "from 1 to 2"),
    ("set_text", {"slide": "256", "shape": TITLE, "text": "x"}, "valid integer"),
    ("set_text", {"slide": FIRST, "shape": TITLE, "text": "x", "y": 1}, "argument 'y' not found"),
    ("replace_text", {"old": "boat", "new": "x"}, "no run of text"),
    ("set_run_format", {"slide": FIRST, "shape": TITLE, "size_pt": 0.5}, "from 1 to 4000"),
    ("set_run_format", {"slide": FIRST, "shape": TITLE, "color": "red"}, "pattern"),
    ("move_shape", {"slide": FIRST, "shape": TITLE, "width_cm": -1}, "from 0"),
    ("move_shape", {"slide": FIRST, "shape": TITLE, "width_cm": 1e9}, "less than or equal"),
    ("move_shape", {"slide": SECOND, "shape": TABLE, "rotation_deg": 9}, "cannot be turned"),
    ("set_fill", {"slide": SECOND, "shape": TABLE, "color": None}, "cannot be filled"),
    ("set_link", {"slide": FIRST, "shape": TITLE, "address": "x", "to_slide": FIRST}, "got both"),
    ("add_slide", {"layout": "No such"}, "no layout is called"),
    ("move_slide", {"slide": FIRST, "position": 3}, "from 1 to 2"),
    ("set_cell", {"slide": SECOND, "shape": TABLE, "row": 3, "column": 1, "text": ""}, "2 x 2"),
    ("set_cell", {"slide": SECOND, "shape": CHART, "row": 1, "column": 1, "text": ""}, "no table"),
    ("add_table", {"slide": FIRST, "cells": [["a"], ["b", "c"]], **BOX}, "one length"),
    (
        "set_chart_data",
        {"slide": SECOND, "shape": CHART, "categories": ["A"], "series": []},
        "at least 1 item",
    ),
    ("no_such_tool", {}, "tool 'no_such_tool' not found"),
]


def test_every_edit_is_a_tool() -> None:
    assert {each.name for each in toolbox(["edit"]).values() if each.changes} == set(EDITS)


@cache
def deck_of(name: str) -> bytes:
    return deck_with_media() if name == "everything" else read_deck_file(name)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1]["edit"])
def test_tool_applies_its_edit(case: Case, tmp_path: Path) -> None:
    name, entry, inspect_deck, expected = case
    for file, content in FILES.items():
        (tmp_path / file).write_bytes(content)
    files = tuple(TaskFile(file, tmp_path / file) for file in FILES)
    task = replace(plain_task(name, deck_of(name)), solution=(entry,), files=files)
    env = PPTArenaDocEnv(task=task, judge=None, score_when="end")
    env.reset(seed=0)
    calls = goal_calls(task)
    assert {call.tool for call in calls} == {entry["edit"]}
    for call in calls:
        observation, _, _, _, info = env.step(call)
        assert info["action_error"] is None
        if "the id " in observation["result"]:
            number = observation["result"].rpartition(" ")[2]
            outline = observation["outline"]
            assert f"[{number}]" in outline or f"id {number}" in outline
    after = env.deck_bytes()
    assert inspect_deck(Presentation(BytesIO(after))) == expected
    assert new_problems(task.deck_bytes(), after) == ()
    (fork,) = env.fork(1)
    assert fork.deck_bytes() == after
    fork.close()
    env.close()


@pytest.mark.parametrize(("tool", "arguments", "reason"), REFUSED, ids=lambda v: str(v)[:20])
def test_invalid_calls_are_rejected(
    env: PPTArenaDocEnv, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    require_rejection(env, tool, arguments, reason)


@pytest.mark.slow
@each_case("tool, arguments, reason", more_cases.REFUSED, ids=lambda v: str(v)[:20])
def test_invalid_calls_on_a_rich_deck_are_rejected(
    tool: str, arguments: dict[str, Any], reason: str
) -> None:
    env = PPTArenaDocEnv(task=plain_task("rich", deck_of("everything")), judge=None)
    env.reset(seed=0)
    require_rejection(env, tool, arguments, reason)
    env.close()


def require_rejection(
    env: PPTArenaDocEnv, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    before = env.deck_bytes()
    observation, reward, terminated, _, info = env.step(ToolCall(tool, arguments))
    assert reason in info["action_error"]
    assert observation["result"].startswith("refused: ")
    assert (reward, terminated, info["document"]["revision"]) == (0.0, False, 0)
    assert env.deck_bytes() == before


def test_failure_during_an_edit_changes_nothing(
    env: PPTArenaDocEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    env.step(ToolCall.of("set_text", slide=FIRST, shape=TITLE, text="Kept"))
    before = env.deck_bytes()
    monkeypatch.setattr("pptx.shapes.autoshape.Shape.height", property())
    _, _, _, _, info = env.step(ToolCall.of("move_shape", slide=FIRST, shape=TITLE, **BOX))
    assert "the deck does not allow it" in info["action_error"]
    assert env.deck_bytes() == before


def test_ids_are_stable_when_slides_move(env: PPTArenaDocEnv) -> None:
    env.step(ToolCall.of("add_slide", layout="Blank", position=1))
    env.step(ToolCall.of("delete_slide", slide=258))
    env.step(ToolCall.of("duplicate_slide", slide=FIRST))
    observation, _, _, _, info = env.step(ToolCall.of("hide_slide", slide=SECOND))
    assert info["action_error"] is None
    headings = [line for line in observation["outline"].splitlines() if line.startswith("slide")]
    assert [heading.split(",")[1] for heading in headings] == [" id 256", " id 258", " id 257"]
    assert headings[2].endswith(", hidden")

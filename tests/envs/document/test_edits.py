"""Every typed tool does what it says, and one that is refused changes nothing."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from tests.envs.document import more_cases

from pptarena.decks.validity import new_problems
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.toolbox import toolbox

FIRST, SECOND = 256, 257
TITLE, BODY, TABLE, CHART = 2, 3, 3, 4
BOX = {"left_cm": 1, "top_cm": 2, "width_cm": 3.5, "height_cm": 4}

Seen = Callable[[Any], object]


def slide(deck: Any, number: int) -> Any:
    return deck.slides[number - 1]


def shape(deck: Any, number: int, shape_id: int) -> Any:
    return next(each for each in slide(deck, number).shapes if each.shape_id == shape_id)


def run(deck: Any) -> Any:
    return shape(deck, 1, BODY).text_frame.paragraphs[1].runs[0].font


CASES: list[tuple[str, dict[str, Any], Seen, object]] = [
    (
        "set_text",
        {"slide": FIRST, "shape": BODY, "text": "Three", "paragraph": 2},
        lambda d: shape(d, 1, BODY).text_frame.text,
        "One tent\nThree",
    ),
    (
        "replace_text",
        {"old": "tent", "new": "yurt"},
        lambda d: shape(d, 1, BODY).text_frame.text,
        "One yurt\nTwo yurts",
    ),
    (
        "set_run_format",
        {
            **{"slide": FIRST, "shape": BODY, "paragraph": 2, "run": 1, "bold": True},
            **{"size_pt": 20, "font": "Arial", "color": "#1f4e79", "underline": True},
        },
        lambda d: (run(d).bold, run(d).size.pt, run(d).name, str(run(d).color.rgb)),
        (True, 20.0, "Arial", "1F4E79"),
    ),
    (
        "set_paragraph_format",
        {"slide": FIRST, "shape": BODY, "level": 1, "align": "center", "line_spacing": 1.5},
        lambda d: [p.level for p in shape(d, 1, BODY).text_frame.paragraphs],
        [1, 1],
    ),
    (
        "set_notes",
        {"slide": FIRST, "text": "Say hello."},
        lambda d: slide(d, 1).notes_slide.notes_text_frame.text,
        "Say hello.",
    ),
    (
        "add_text_box",
        {"slide": FIRST, "text": "New", **BOX},
        lambda d: (slide(d, 1).shapes[-1].text_frame.text, slide(d, 1).shapes[-1].width.cm),
        ("New", 3.5),
    ),
    (
        "move_shape",
        {"slide": FIRST, "shape": TITLE, **BOX, "rotation_deg": 90},
        lambda d: (shape(d, 1, TITLE).top.cm, shape(d, 1, TITLE).rotation),
        (2.0, 90.0),
    ),
    (
        "delete_shape",
        {"slide": FIRST, "shape": BODY},
        lambda d: [each.shape_id for each in slide(d, 1).shapes],
        [TITLE],
    ),
    (
        "reorder_shape",
        {"slide": SECOND, "shape": TABLE, "to": "front"},
        lambda d: [each.shape_id for each in slide(d, 2).shapes],
        [TITLE, CHART, TABLE],
    ),
    (
        "set_fill",
        {"slide": FIRST, "shape": TITLE, "color": "#00FF00"},
        lambda d: str(shape(d, 1, TITLE).fill.fore_color.rgb),
        "00FF00",
    ),
    (
        "set_line",
        {"slide": FIRST, "shape": TITLE, "color": "#00FF00", "width_pt": 2},
        lambda d: shape(d, 1, TITLE).line.width.pt,
        2.0,
    ),
    (
        "set_alt_text",
        {"slide": SECOND, "shape": CHART, "text": "Tents sold"},
        lambda d: shape(d, 2, CHART)._element._nvXxPr.cNvPr.get("descr"),
        "Tents sold",
    ),
    (
        "set_link",
        {"slide": FIRST, "shape": TITLE, "to_slide": SECOND},
        lambda d: shape(d, 1, TITLE).click_action.target_slide.slide_id,
        SECOND,
    ),
    (
        "add_slide",
        {"layout": "Title Only", "position": 1},
        lambda d: [each.slide_id for each in d.slides],
        [258, FIRST, SECOND],
    ),
    (
        "duplicate_slide",
        {"slide": FIRST},
        lambda d: [each.shapes.title.text for each in d.slides],
        ["Tents", "Tents", ""],
    ),
    (
        "move_slide",
        {"slide": SECOND, "position": 1},
        lambda d: [each.slide_id for each in d.slides],
        [SECOND, FIRST],
    ),
    ("delete_slide", {"slide": FIRST}, lambda d: [each.slide_id for each in d.slides], [SECOND]),
    ("hide_slide", {"slide": FIRST}, lambda d: slide(d, 1)._element.get("show"), "0"),
    (
        "set_transition",
        {"slide": FIRST, "kind": "fade"},
        lambda d: [each.tag.rpartition("}")[2] for each in slide(d, 1)._element],
        ["cSld", "clrMapOvr", "transition"],
    ),
    ("remove_animations", {"slide": FIRST}, lambda d: len(slide(d, 1)._element), 2),
    (
        "set_background",
        {"slide": FIRST, "color": "#FF0000"},
        lambda d: str(slide(d, 1).background.fill.fore_color.rgb),
        "FF0000",
    ),
    (
        "set_cell",
        {"slide": SECOND, "shape": TABLE, "row": 2, "column": 1, "text": "x"},
        lambda d: shape(d, 2, TABLE).table.cell(1, 0).text,
        "x",
    ),
    (
        "add_table",
        {"slide": FIRST, "cells": [["a", "b"]], **BOX},
        lambda d: [cell.text for cell in slide(d, 1).shapes[-1].table.iter_cells()],
        ["a", "b"],
    ),
    (
        "set_chart_data",
        {
            **{"slide": SECOND, "shape": CHART, "categories": ["A", "B", "C"]},
            "series": [{"name": "N", "values": [1, None, 3.5]}],
        },
        lambda d: list(shape(d, 2, CHART).chart.plots[0].series[0].values),
        [1.0, None, 3.5],
    ),
    (
        "set_chart_title",
        {"slide": SECOND, "shape": CHART, "text": "Sales"},
        lambda d: shape(d, 2, CHART).chart.chart_title.text_frame.text,
        "Sales",
    ),
]

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


def test_every_tool_has_a_case() -> None:
    tools = toolbox(["edit"]).values()
    cases = {case[0] for case in (*CASES, *more_cases.CASES)}
    assert {each.name for each in tools if each.changes} == cases


@pytest.mark.parametrize(
    ("tool", "arguments", "seen", "expected"), CASES, ids=lambda v: str(v)[:20]
)
def test_a_tool_edits(
    env: PPTArenaDocEnv, tool: str, arguments: dict[str, Any], seen: Seen, expected: object
) -> None:
    before = env.deck_bytes()
    _, _, _, _, info = env.step(ToolCall(tool, arguments))
    assert info["action_error"] is None
    assert info["document"]["revision"] == 1
    saved = Presentation(BytesIO(env.deck_bytes()))
    assert seen(saved) == expected
    assert new_problems(before, env.deck_bytes()) == ()
    assert (env.deck_bytes() != before) == (tool != "remove_animations")


@pytest.mark.parametrize(("tool", "arguments", "reason"), REFUSED, ids=lambda v: str(v)[:20])
def test_what_does_not_fit_is_refused(
    env: PPTArenaDocEnv, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    before = env.deck_bytes()
    observation, reward, terminated, _, info = env.step(ToolCall(tool, arguments))
    assert reason in info["action_error"]
    assert observation["result"].startswith("refused: ")
    assert (reward, terminated, info["document"]["revision"]) == (0.0, False, 0)
    assert env.deck_bytes() == before


def test_a_failure_half_way_through_changes_nothing(
    env: PPTArenaDocEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    env.step(ToolCall.of("set_text", slide=FIRST, shape=TITLE, text="Kept"))
    before = env.deck_bytes()
    monkeypatch.setattr("pptx.shapes.autoshape.Shape.height", property())
    _, _, _, _, info = env.step(ToolCall.of("move_shape", slide=FIRST, shape=TITLE, **BOX))
    assert "the deck does not allow it" in info["action_error"]
    assert env.deck_bytes() == before


def test_ids_stay_when_slides_move_and_go(env: PPTArenaDocEnv) -> None:
    env.step(ToolCall.of("add_slide", layout="Blank", position=1))
    env.step(ToolCall.of("delete_slide", slide=258))
    env.step(ToolCall.of("duplicate_slide", slide=FIRST))
    observation, _, _, _, info = env.step(ToolCall.of("hide_slide", slide=SECOND))
    assert info["action_error"] is None
    heads = [line for line in observation["outline"].splitlines() if line.startswith("slide")]
    assert [head.split(",")[1] for head in heads] == [" id 256", " id 258", " id 257"]
    assert heads[2].endswith(", hidden")

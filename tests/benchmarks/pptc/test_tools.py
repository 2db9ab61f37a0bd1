"""The calls as tools of the document environment."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.benchmarks.pptc import APIS, Executor, parse_calls
from pptarena.benchmarks.pptc.pptx_match import match_turn
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall, doc_env
from pptarena.errors import ConfigError
from pptarena.tasks.task import INTACT_RUBRIC, Task

TASK = Task(
    id="calls",
    suite="here",
    difficulty="easy",
    level="L1",
    edit_types=(),
    deck=Executor().to_bytes(),
    instruction="Do as you like.",
    max_steps=100,
    rubric=INTACT_RUBRIC,
)


@pytest.fixture(autouse=True)
def doc_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's baselines untouched."""
    monkeypatch.setattr(doc_env, "_BASELINES", BaselineStore(tmp_path))


def make_env(**more: Any) -> PPTArenaDocEnv:
    return PPTArenaDocEnv(
        task=TASK, judge=None, score_when="end", **{"tools": ("pptc",), "view": "pptc", **more}
    )


@pytest.fixture
def env() -> Iterator[PPTArenaDocEnv]:
    with closing(make_env()) as opened:
        opened.reset(seed=0)
        yield opened


def call(env: PPTArenaDocEnv, tool: str, /, **arguments: Any) -> tuple[str, str | None]:
    observation, *_, info = env.step(ToolCall(tool, arguments))
    return str(observation["result"]), info["action_error"]


def test_every_api_is_a_tool_with_a_schema(env: PPTArenaDocEnv) -> None:
    tools = {each["name"]: each for each in env.tools()}
    assert set(APIS) <= set(tools)
    assert {"run_calls", "get_content", "done", "fail"} <= set(tools)
    for name, api in APIS.items():
        schema = tools[name]["parameters"]
        assert set(schema["properties"]) == {each.name for each in api.parameters}
        assert schema.get("required", []) == [e.name for e in api.parameters if not e.optional]
        assert tools[name]["description"]
        assert all(each["description"] for each in schema["properties"].values())


def test_tool_calls_and_text_calls_have_the_same_effect(env: PPTArenaDocEnv) -> None:
    text = (
        'choose_title();insert_text("Tents");insert_table(2, 2);choose_table_cell(1, 0);'
        'insert_text("a");insert_table_row(["x", 3]);insert_star();set_left(100);set_top(2e6);'
        'set_left("star", "table");insert_bar_chart([1, 2], ["A", "B"]);set_chart_title("T");'
        "create_slide();choose_content();insert_bullet_point('One');set_font_color('dark blue')"
    )
    assert call(env, "run_calls", calls=text) == ("You are at page 1. Chosen: content.", None)
    text_deck = env.deck_bytes()
    env.reset(seed=0)
    for each in parse_calls(text):
        names = [parameter.name for parameter in APIS[each.name].parameters]
        values = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in zip(names, each.args, strict=False)
        }
        assert call(env, each.name, **values)[1] is None
    expected = Executor()
    expected.run(parse_calls(text))
    for deck in (text_deck, env.deck_bytes()):
        assert match_turn(deck, expected.to_bytes(), strict=True).reasons == ()


def test_selection_is_reported_and_restored(env: PPTArenaDocEnv) -> None:
    result, problem = call(env, "insert_text", text="x")
    assert (result, problem) == (
        "refused: insert_text(text='x'): expected a chosen object, but nothing is: call a choose "
        "API first",
        result.removeprefix("refused: "),
    )
    call(env, "choose_title")
    assert call(env, "insert_text", text="x")[0] == "You are at page 0. Chosen: title."
    checkpoint = env.checkpoint()
    call(env, "create_slide")
    observation, _ = env.restore(checkpoint)
    assert observation["outline"].startswith("You are at page 0. Chosen: title.\nThere are 1 sl")
    assert call(env, "insert_text", text="y")[1] is None
    assert "Text:\nxy" in env.last()[0]["outline"]


def test_failed_calls_in_text_are_skipped(env: PPTArenaDocEnv) -> None:
    result, problem = call(env, "run_calls", calls="choose_title()\ninsert_text('a')\nfly()")
    assert problem is None
    assert result == "passed over: fly(): there is no API 'fly'\nYou are at page 0. Chosen: title."
    for text, message in (
        ("fly()", "there is no API 'fly'"),
        ("import os", "it cannot be read"),
        ("create_slide();" * 101, "expected 1 to 100 calls, got 101"),
    ):
        assert message in str(call(env, "run_calls", calls=text)[1])


@pytest.mark.slow
def test_table_size_is_limited(env: PPTArenaDocEnv) -> None:
    result, _ = call(env, "run_calls", calls="insert_table(100, 100);insert_table(1, 1)")
    assert "expected at most 5000 cells of tables, the deck has 10000" in result


def test_get_content_shows_requested_parts(env: PPTArenaDocEnv) -> None:
    call(env, "run_calls", calls="choose_title();insert_text('Tents');insert_star()")
    content = call(env, "get_content")[0]
    assert all(each in content for each in ("[Title]", "[Content]", "[Star]", "Size: ", "Tents"))
    content = call(env, "get_content", need_title=False, need_position=False, need_content=False)[0]
    assert "[Star]" in content
    assert not any(each in content for each in ("[Title]", "[Content]", "Size: "))


@pytest.mark.slow
def test_calls_combine_with_other_tools() -> None:
    with closing(make_env(tools=("xml", "pptc"))) as env:
        env.reset(seed=0)
        call(env, "run_calls", calls="create_slide();choose_title()")
        name = "ppt/presentation.xml"
        part = call(env, "read_part", name=name)[0]
        entry = part[part.rindex("<p:sldId ") :].partition("/>")[0] + "/>"
        assert call(env, "replace_in_part", name=name, old=entry, new="")[1] is None
        assert call(env, "insert_star")[0] == "You are at page 0. Chosen: star."


def test_conflicting_and_unknown_tool_families_are_rejected() -> None:
    with pytest.raises(ConfigError, match="'edit' and 'pptc' both have a tool insert_picture"):
        make_env(tools=("edit", "pptc"))
    with pytest.raises(ConfigError, match="expected some of edit, program, xml, pptc"):
        make_env(tools=("paper",))
    with pytest.raises(ConfigError, match="cannot import 'nowhere:X'"):
        make_env(tools=("nowhere:X",))
    assert make_env(tools=("pptarena.benchmarks.pptc.tools:FAMILY",)).tools()

"""A language model that edits decks by calling tools, against a server on this computer."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model import ModelSettings
from pptarena.agents.model.compact_calls import first_messages
from pptarena.agents.model.document_agent import DocumentModelAgent
from pptarena.errors import ConfigError, EndpointClosedError
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.exporters import episodes_of, why_not_in
from pptarena.rollouts.exporters.in_dialect import conversation_in
from pptarena.rollouts.messages import read_messages, read_model
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import find_episodes, read_steps
from pptarena.tasks import get_task

TASK = "meridian-hide-backup"
HIDE: tuple[str, Any] = ("hide_slide", {"slide": 272})
DONE: tuple[str, Any] = ("done", {})


def function_calls(*calls: tuple[str, Any], text: str = "") -> dict[str, Any]:
    """Return a server reply with function calls."""
    tool_calls = [
        {"id": f"c{index}", "type": "function", "function": {"name": name, "arguments": encoded}}
        for index, (name, arguments) in enumerate(calls)
        for encoded in [arguments if isinstance(arguments, str) else json.dumps(arguments)]
    ]
    message = {"role": "assistant", "content": text, "tool_calls": tool_calls}
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    reply = {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}
    return {"body": json.dumps(reply)}


@pytest.fixture
def env() -> Iterator[Any]:
    with closing(make_document_env(max_steps=12)) as made:
        yield made


def settings(server: Any, **options: Any) -> ModelSettings:
    return ModelSettings(model="m", base_url=server.url, **{"retries": 0, **options})


def play(
    server: Any, env: Any, root: Path, task: str = TASK, **options: Any
) -> tuple[EpisodeMeta, Path]:
    with closing(DocumentModelAgent(settings(server, **options))) as agent:
        (episode,) = run_job(Job("m", get_task(task), 0), env, agent, root, 0)
    return episode.meta, episode.folder


@pytest.mark.slow
def test_function_calls_are_executed(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(HIDE), function_calls(DONE)]
    meta, folder = play(server, env, tmp_path)
    assert (meta.score, meta.end, meta.steps) == (1.0, "done", 2)
    first, second = server.requests
    names = {each["function"]["name"] for each in first["tools"]}
    assert {"hide_slide", "set_text", "run_program", "done"} <= names
    assert "slide 17, id 272" in first["messages"][-1]["content"]
    assert get_task(TASK).instruction in first["messages"][0]["content"]
    assert second["messages"][-1]["content"].startswith("hidden\n\nThe deck now:")
    assert "The deck now" not in second["messages"][1]["content"]
    model = read_model(folder)
    assert model is not None
    assert (model.see, model.usage.requests, model.usage.input_tokens) == ("outline", 2, 180)
    messages = read_messages(folder, read_steps(folder))
    assert [each.calls[0]["name"] for each in messages] == ["hide_slide", "done"]
    assert [(each.first, each.steps) for each in messages] == [(0, 1), (1, 1)]


@pytest.mark.slow
def test_model_asks_the_user_for_missing_facts(server: Any, env: Any, tmp_path: Path) -> None:
    """The tool is there if the task has answers, and only then."""
    server.script = [
        function_calls(("ask", {"question": "Which color do you mean?"})),
        function_calls(DONE),
    ]
    meta, folder = play(server, env, tmp_path, "aurora-ask-color")
    assert meta.questions == 1
    answer = get_task("aurora-ask-color").answers[0].answer
    assert "ask" in {each["name"] for each in env.unwrapped.tools()}
    assert server.requests[1]["messages"][-1]["content"].startswith(f"{answer}\n\n")
    assert (read_steps(folder)[0].call or {})["result"] == answer
    server.script = [function_calls(("ask", {"question": "Which slide?"})), function_calls(DONE)]
    meta, _ = play(server, env, tmp_path / "other")
    assert (meta.questions, meta.refused) == (0, 1)
    offered = [{each["function"]["name"] for each in r["tools"]} for r in server.requests]
    assert ["ask" in names for names in offered] == [True, True, False, False]


def test_several_calls_in_one_answer(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(("read_slide", {"slide": 272}), HIDE, DONE)]
    meta, _ = play(server, env, tmp_path)
    assert (meta.score, meta.steps) == (1.0, 3)
    assert len(server.requests) == 1


@pytest.mark.slow
def test_refused_call_cancels_later_calls(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(("hide_slide", {"slide": 1}), DONE), function_calls(HIDE, DONE)]
    meta, _ = play(server, env, tmp_path)
    assert (meta.score, meta.steps) == (1.0, 3)
    shown = server.requests[1]["messages"][-1]["content"]
    assert shown.startswith("refused: ")
    assert "nor were the 1 calls after it carried out" in shown


@pytest.mark.parametrize("dialect", ["tools", "json"])
def test_calls_in_text(server: Any, env: Any, tmp_path: Path, dialect: str) -> None:
    server.script = [
        '<think>{"name": "delete_slide"}</think> I hide it. '
        '<tool_call>{"name": "hide_slide", "arguments": {"slide": 272}}</tool_call>',
        '{"name": "done"}',
    ]
    meta, _ = play(server, env, tmp_path, dialect=dialect)
    assert meta.score == 1.0
    (system, *_), tools = server.requests[0]["messages"], server.requests[0].get("tools")
    assert ("hide_slide" in system["content"], bool(tools)) == (
        dialect == "json",
        dialect != "json",
    )


@pytest.mark.slow
def test_invalid_answers_are_reported_and_limited(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = ["hm", function_calls(("hide_slide", "no json")), "well", function_calls(DONE)]
    meta, folder = play(server, env, tmp_path / "a", bad_answers=5)
    assert (meta.score, meta.end) == (0.0, "done")
    assert "refused: expected a JSON object" in server.requests[1]["messages"][-1]["content"]
    model = read_model(folder)
    assert model is not None
    assert model.usage.malformed == 2
    server.script = ["hm"] * 9
    meta, _ = play(server, env, tmp_path / "b", bad_answers=3)
    assert meta.end == "agent_error"
    assert "3 answers in a row had no valid action" in str(meta.agent_error)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["tools", "json"])
@pytest.mark.parametrize("name", ["hide_slides", "fly", "", "HIDE_SLIDE", "open \U00020bb7"])
def test_call_of_an_unknown_tool_is_an_invalid_answer(
    server: Any, env: Any, tmp_path: Path, dialect: str, name: str
) -> None:
    wrong: Any = function_calls((name, {"slide": 272}))
    if dialect == "json":
        wrong = json.dumps({"name": name, "arguments": {"slide": 272}})
    server.script = [wrong] * 9
    meta, folder = play(server, env, tmp_path, dialect=dialect, bad_answers=3)
    assert meta.end == "agent_error"
    problem = f"3 answers in a row had no valid action: tool {name!r} not found"
    assert problem in str(meta.agent_error)
    assert (meta.steps, meta.refused) == (4, 3)
    model = read_model(folder)
    assert model is not None
    assert model.usage.malformed == 3
    if name == "hide_slides":
        assert "Did you mean 'hide_slide'" in server.requests[1]["messages"][-1]["content"]


def test_unknown_tool_after_a_known_tool_is_a_refused_step(
    server: Any, env: Any, tmp_path: Path
) -> None:
    server.script = [function_calls(HIDE, ("fly", {})), function_calls(DONE)]
    meta, folder = play(server, env, tmp_path)
    assert (meta.score, meta.steps, meta.refused) == (1.0, 3, 1)
    model = read_model(folder)
    assert model is not None
    assert model.usage.malformed == 0


def test_failing_service_leaves_the_episode_unscored(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(HIDE), {"status": 500, "body": "{}"}]
    meta, _ = play(server, env, tmp_path)
    assert (meta.score, meta.end) == (None, "infra")
    assert str(meta.infra_error).startswith("EndpointError")


def test_closed_service_ends_the_run(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [{"status": 401, "body": "{}"}]
    with pytest.raises(EndpointClosedError):
        play(server, env, tmp_path)
    assert list(find_episodes(tmp_path)) == []


@pytest.mark.slow
def test_every_turn_is_sent(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(DONE)] * 3
    task = get_task("ledger-corrections")
    meta, _ = play(server, env, tmp_path, task.id)
    assert (meta.end, meta.steps) == ("done", 3)
    shown = [request["messages"][-1]["content"] for request in server.requests]
    assert [turn.instruction in words for turn, words in zip(task.turns, shown[1:], strict=True)]
    assert "Next task, on the same deck: " in shown[1]
    assert "Next task, on the same deck: " in shown[2]


def test_long_outline_is_truncated(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(DONE)]
    play(server, env, tmp_path, text_tokens=50)
    shown = server.requests[0]["messages"][-1]["content"].partition("The deck now:\n")[2]
    assert len(shown) < 250
    assert shown.endswith("(more slides: read_slide)")


def test_cards_are_sent_with_the_task(server: Any, env: Any, tmp_path: Path) -> None:
    (tmp_path / "hide.md").write_text("# Hide\nCall hide_slide.", "utf-8")
    server.script = [function_calls(HIDE), function_calls(DONE)]
    play(server, env, tmp_path / "store", knowledge=str(tmp_path))
    system = server.requests[0]["messages"][0]["content"]
    assert "How the application is used:\n\n# Hide\nCall hide_slide." in system


def test_remaining_steps_are_shown_on_request(server: Any, env: Any, tmp_path: Path) -> None:
    server.script = [function_calls(HIDE), function_calls(DONE)]
    _, folder = play(server, env, tmp_path, see="budget")
    first, second = (each["messages"][-1]["content"] for each in server.requests)
    assert "steps left: 12\n\nThe deck now:" in first
    assert "hidden\nsteps left: 11\n\nThe deck now:" in second
    model = read_model(folder)
    assert model is not None
    assert model.see == "outline,budget"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "qwen3-vl"}, "expected a dialect of tools, json"),
        ({"see": "budget,marks"}, "cannot show marks"),
    ],
)
def test_screen_settings_are_refused(server: Any, options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        DocumentModelAgent(settings(server, **options))


def test_compact_dialect_uses_short_calls_in_requests_and_replies(
    server: Any, tmp_path: Path
) -> None:
    call = "hide_slide(slide=272)\ndone()"
    server.script = [function_calls(text=call)]
    with closing(make_document_env(max_steps=12, view="compact", tools=("edit",))) as env:
        agent = DocumentModelAgent(settings(server, dialect="compact"), tools=("edit",))
        with closing(agent):
            (stored,) = run_job(Job("m", get_task(TASK), 0), env, agent, tmp_path, 0)
        observation = env.reset(seed=0, options={"task": TASK})[0]
        tools = env.unwrapped.tools()  # type: ignore[attr-defined]
    assert (stored.meta.score, stored.meta.end) == (1.0, "done")
    (request,) = server.requests
    expected = first_messages(tools, observation["instruction"], observation["outline"])
    assert [(message["role"], _texts(message)) for message in request["messages"]] == [
        (message["role"], message["content"]) for message in expected
    ]
    assert "tools" not in request
    (episode,) = episodes_of(tmp_path)
    compact = get_dialect("compact")
    assert why_not_in(compact, episode) == ""
    messages = conversation_in(compact, episode).messages
    assert [_texts(message) for message in messages] == [
        *(message["content"] for message in expected),
        call,
    ]


def _texts(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)

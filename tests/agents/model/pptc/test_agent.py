"""Complete episodes of PPTC's baselines with a local server."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.model import ModelSettings
from pptarena.agents.model.pptc import METHODS, PptcAgent
from pptarena.benchmarks.pptc.importing import import_sessions
from pptarena.errors import ConfigError
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.messages import read_messages, read_model
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task, load_task

pytestmark = pytest.mark.slow

# The label of the first session, turn by turn, as a model would answer.
CALLS = (
    "choose_title();\ninsert_text('Tents');",
    "insert_star();\nset_left(600000);",
    "choose_shape('star');\nset_fill_color('red');",
)
RIGHT = tuple(f"I see.\n<code>\n{calls}\n</code>" for calls in CALLS)
WRONG = "<code>\ncreate_slide();\n</code>"


@pytest.fixture
def env() -> Iterator[Any]:
    with closing(make_document_env(tools=("pptc",), view="pptc")) as made:
        yield made


@pytest.fixture
def session(pptc_copy: Path) -> Task:
    list(import_sessions(pptc_copy, pptc_copy.parent / "session"))
    return load_task(pptc_copy.parent / "session" / "pptc-create-3.json")


@pytest.fixture
def turn(pptc_copy: Path) -> Task:
    list(import_sessions(pptc_copy, pptc_copy.parent / "turn", "turn"))
    return load_task(pptc_copy.parent / "turn" / "pptc-create-3-turn-3.json")


def play(
    server: Any, env: Any, task: Task, method: str, root: Path, **options: Any
) -> tuple[EpisodeMeta, Path]:
    settings = ModelSettings(model="m", base_url=server.url, **{"retries": 0, **options})
    with closing(PptcAgent(settings, method)) as agent:
        (episode,) = run_job(Job(method, task, 0), env, agent, root, 0)
    return episode.meta, episode.folder


def prompts_of(server: Any) -> list[str]:
    return [request["messages"][-1]["content"] for request in server.requests]


@pytest.mark.parametrize("method", ["zero-shot", "cot"])
def test_session_runs_turn_by_turn(
    server: Any, env: Any, session: Task, tmp_path: Path, method: str
) -> None:
    server.script = list(RIGHT)
    meta, folder = play(server, env, session, method, tmp_path / "runs")
    assert (meta.end, meta.steps, meta.agent_error) == ("done", 6, None)
    assert meta.score is not None
    assert meta.score > 0.8
    first, second, third = prompts_of(server)
    assert "You are at page 0. Chosen: nothing.\nThere are 1 slides" in first
    assert "set_font_bold(): Make the chosen text bold." in first
    assert "set_left(left): " in first
    assert not any(name in first for name in ("align_slide", "set_bottom", "run_calls", "beside"))
    assert "Before:" not in first
    assert ("Let's think step by step." in first) == (method == "cot")
    assert f"User: Name the slide Tents.\nYou: <code>\n{CALLS[0]}\n</code>" in second
    assert "Text:\nTents" in second
    assert "User: Make it red." in third
    model = read_model(folder)
    assert model is not None
    assert (model.see, model.usage.requests, model.usage.malformed) == ("pptc", 3, 0)
    messages = read_messages(folder, read_steps(folder))
    assert [message.calls for message in messages] == [(), (), ()]


def test_turn_receives_earlier_labels(server: Any, env: Any, turn: Task, tmp_path: Path) -> None:
    server.script = [RIGHT[2]]
    meta, _ = play(server, env, turn, "zero-shot", tmp_path / "runs")
    assert (meta.score, meta.end, meta.steps) == (1.0, "done", 2)
    (only,) = prompts_of(server)
    label = "<code>\nmove_to_slide(0);\ninsert_star();\nalign_slide_left()\n</code>"
    assert f"User: Stay here, please.\nAdd a star on the left.\nYou: {label}" in only


def test_conversation_can_be_omitted(server: Any, env: Any, turn: Task, tmp_path: Path) -> None:
    server.script = [RIGHT[2]]
    play(server, env, turn, "zero-shot", tmp_path / "runs", history=0)
    (only,) = prompts_of(server)
    assert "Before:" not in only
    assert "Add a star" not in only
    assert "User: Make it red." in only


def test_failed_calls_are_recorded(server: Any, env: Any, turn: Task, tmp_path: Path) -> None:
    server.script = ["<code>paint_red();\nchoose_chart()\n</code>"]
    _, folder = play(server, env, turn, "zero-shot", tmp_path / "runs")
    first = read_steps(folder)[0]
    assert "there is no API 'paint_red'" in str(first.action_error)
    assert first.call is not None
    assert first.call["asked"] == {
        "tool": "run_calls",
        "arguments": json.dumps({"calls": "paint_red();\nchoose_chart()"}),
    }


def test_answer_without_calls_has_no_effect(
    server: Any, env: Any, turn: Task, tmp_path: Path
) -> None:
    server.script = ["I would rather not."]
    meta, folder = play(server, env, turn, "zero-shot", tmp_path / "runs")
    assert (meta.score, meta.end, meta.steps) == (0.0, "done", 1)
    model = read_model(folder)
    assert model is not None
    assert model.usage.malformed == 1


def test_only_needed_content_is_sent(server: Any, env: Any, turn: Task, tmp_path: Path) -> None:
    needs = "get_content(need_text=0, need_style=1, need_position=0, need_title=0, need_shape=1)"
    server.script = [needs, RIGHT[2]]
    meta, _ = play(server, env, turn, "content", tmp_path / "runs")
    assert (meta.score, meta.steps) == (1.0, 3)
    needs_prompt, edit_prompt = prompts_of(server)
    assert "Which parts of the presentation must you see" in needs_prompt
    assert "[Star]" in edit_prompt
    assert "[Title]" not in edit_prompt
    assert "Tents" not in edit_prompt.partition("Before:")[0]


@pytest.mark.parametrize("embeddings", ["", "near"])
def test_only_the_nearest_apis_are_sent(
    server: Any, env: Any, turn: Task, tmp_path: Path, embeddings: str
) -> None:
    def embed(request: dict[str, Any]) -> dict[str, Any]:
        assert (server.requests[-1]["path"], request["model"]) == ("/v1/embeddings", "near")
        rows = [
            {"index": index, "object": "embedding", "embedding": [1.0, float("fill" in text), 0.5]}
            for index, text in enumerate(request["input"][:-1])
        ]
        rows.append({"index": len(rows), "object": "embedding", "embedding": [0.0, 1.0, 0.0]})
        usage = {"prompt_tokens": 7, "total_tokens": 7}
        body = {"object": "list", "data": rows, "model": "near", "usage": usage}
        return {"body": json.dumps(body)}

    server.script = [embed] if embeddings else []
    server.script += [RIGHT[2]]
    meta, folder = play(
        server, env, turn, "api", tmp_path / "runs", embeddings=embeddings, api_top=12
    )
    assert (meta.score, meta.infra_error) == (1.0, None)
    api_lines = last_prompt_of(server).partition("The presentation:")[0].strip().splitlines()[1:]
    names = {line.partition("(")[0] for line in api_lines}
    assert len(names) == 12
    assert {"choose_shape", "insert_text", "create_slide"} <= names
    assert not embeddings or "set_fill_color" in names
    model = read_model(folder)
    assert model is not None
    assert model.usage.input_tokens == (97 if embeddings else 90)


def last_prompt_of(server: Any) -> str:
    return str(server.requests[-1]["messages"][-1]["content"])


def test_tree_of_thoughts_samples_and_votes(
    server: Any, env: Any, turn: Task, tmp_path: Path
) -> None:
    server.script = [
        *("plan A", "plan B", "The first one is vague.\nThe best choice is 2", "I cannot say."),
        *(WRONG, RIGHT[2], "The best choice is 2", "The best choice is 2"),
    ]
    meta, folder = play(server, env, turn, "tot", tmp_path / "runs", samples=2)
    assert (meta.score, meta.steps) == (1.0, 2)
    prompts = prompts_of(server)
    assert "Do not write calls yet" in prompts[0]
    assert "Choice 2:\nplan B" in prompts[2]
    assert prompts[2] == prompts[3]
    assert "Your plan:\nplan B" in prompts[4]
    assert f"Choice 1:\n{WRONG}" in prompts[6]
    model = read_model(folder)
    assert model is not None
    assert (model.usage.requests, model.usage.malformed) == (8, 0)


def test_most_frequent_answer_wins(server: Any, env: Any, turn: Task, tmp_path: Path) -> None:
    spaced = RIGHT[2].replace(";", " ;").replace("I see.", "So:")
    server.script = [WRONG, RIGHT[2], "no idea", spaced, "no idea"]
    meta, _ = play(server, env, turn, "self-consistency", tmp_path / "runs", samples=5)
    assert (meta.score, len(server.requests)) == (1.0, 5)


@pytest.mark.parametrize("method", METHODS)
def test_failing_service_leaves_the_episode_unscored(
    server: Any, env: Any, turn: Task, tmp_path: Path, method: str
) -> None:
    server.default = {"status": 500, "body": "{}"}
    meta, _ = play(server, env, turn, method, tmp_path / "runs")
    assert (meta.score, meta.end) == (None, "infra")


def test_unknown_method_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"expected one of zero-shot, cot, .*got 'magic'"):
        PptcAgent(ModelSettings(model="m", base_url="http://localhost:1/v1"), "magic")

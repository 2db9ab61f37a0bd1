"""Model episodes through all parts: HTTP, service, dialect, environment, score and store."""

import asyncio
import json
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.dialects import dialect_names, get_dialect
from pptarena.agents.model import ModelAgent, ModelSettings, RunBudget
from pptarena.errors import ConfigError, EndpointClosedError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.live import LiveEnv
from pptarena.rollouts.messages import read_messages
from pptarena.rollouts.model_episode import run_episode, run_episode_async
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Answer, Task, Turn, get_task, list_tasks

pytestmark = pytest.mark.slow

Env = gym.Env[Any, Any]
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, server: Any) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, server.key)


Play = Callable[..., EpisodeMeta]


@pytest.mark.parametrize("name", dialect_names())
def test_demonstration_scores_1_in_every_dialect(
    name: str, episode: Play, env: Env, task: Task, tmp_path: Path
) -> None:
    meta = episode(env, name, task)
    assert (meta.infra_error, meta.agent_error, meta.score, meta.end) == (None, None, 1.0, "done")
    record = json.loads((tmp_path / name / "good/model.json").read_text())
    assert record["usage"]["requests"] == meta.steps == 3
    assert record["usage"]["input_tokens"] == 270
    assert record["usage"]["malformed"] == 0


def test_toolset_calls_get_toolset_results(
    episode: Play, env: Env, task: Task, server: Any
) -> None:
    episode(env, "anthropic-20260801", task)
    assert [request.get("betas") for request in server.requests] == [None] * 3
    prompt, answer, result = server.requests[1]["messages"]
    assert prompt["content"][0]["source"]["media_type"] == "image/png"
    assert answer["content"][-1]["toolset_name"] == "computer"
    (part,) = result["content"]
    assert (part["tool_use_id"], part["toolset_name"]) == ("call-0", "computer")
    assert [part["type"] for part in part["content"]] == ["image", "text"]


BROKEN_ANSWERS = {
    0: {"text": "Let me think about this first."},
    1: {"text": '{"kind": "click", "element": 9', "finish": "length"},
    2: {"text": None, "finish": "content_filter"},
}


def test_broken_answers_are_reported_to_the_model_and_counted(
    episode: Play, env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    task = replace(task, max_steps=10)
    meta = episode(env, "json", task, BROKEN_ANSWERS)
    assert (meta.infra_error, meta.agent_error, meta.score) == (None, None, 1.0)
    assert meta.steps == 6
    usage = json.loads((tmp_path / "json/good/model.json").read_text())["usage"]
    assert (usage["malformed"], usage["cut_off"], usage["refused"]) == (3, 1, 1)
    prompts = [request["messages"][-1]["content"] for request in server.requests]
    assert "That was not done: expected a JSON object, got 'Let me think" in prompts[1]
    assert "cut off at 4096 tokens" in prompts[3]
    assert "it was refused" in prompts[5]
    steps = read_steps(tmp_path / "json/good")
    assert [step.action_error is not None for step in steps] == [True, False] * 3
    lines = (tmp_path / "json/good/messages.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"] is not None for line in lines] == [True, False] * 3


@pytest.mark.parametrize(
    "name", ["json", "openai-computer", "anthropic-20260801", "gemini-computer"]
)
def test_lost_requests_are_retried(
    name: str, episode: Play, env: Env, task: Task, server: Any
) -> None:
    failures = [{"status": 503, "headers": {"retry-after-ms": "1"}}, {"hang_up": True}]
    server.script.extend(failures)
    meta = episode(env, name, task, retries=3)
    assert (meta.infra_error, meta.score) == (None, 1.0)
    assert len(server.requests) == 5


@pytest.mark.parametrize("name", ["json", "gemini-computer"])
def test_retries_are_limited(name: str, episode: Play, env: Env, task: Task, server: Any) -> None:
    server.script.extend([{"hang_up": True}] * 2)
    meta = episode(env, name, task, retries=1)
    assert meta.score is None
    assert str(meta.infra_error).startswith(
        "EndpointError: the service did not answer in 2 tries: "
    )


def test_slow_service_is_an_infrastructure_error(episode: Play, env: Env, task: Task) -> None:
    meta = episode(
        env, "json", task, {1: {"text": "{}", "sleep_sec": 30}}, timeout_sec=0.5, retries=0
    )
    assert meta.score is None
    assert str(meta.infra_error).startswith("EndpointError: the service did not answer: ")


def test_agent_gives_up_after_consecutive_bad_answers(
    episode: Play, env: Env, task: Task, server: Any
) -> None:
    server.script.extend(["no"] * 3)
    meta = episode(env, "json", task, bad_answers=2)
    assert (meta.end, meta.score) == ("agent_error", 0.0)
    assert "2 answers in a row had no valid action" in str(meta.agent_error)


@pytest.mark.parametrize("status", [401, 404])
def test_refused_key_ends_the_run_and_is_not_printed(
    episode: Play, env: Env, task: Task, server: Any, status: int, tmp_path: Path
) -> None:
    server.script.append({"status": status, "body": json.dumps({"error": f"no: {server.key}"})})
    with pytest.raises(EndpointClosedError) as error:
        episode(env, "json", task)
    assert server.key not in str(error.value)
    assert not list(tmp_path.rglob("meta.json"))


def test_exhausted_budget_ends_the_run(episode: Play, env: Env, task: Task) -> None:
    with pytest.raises(EndpointClosedError, match=r"used 200 tokens of 150; raise max_tokens"):
        episode(env, "json", task, max_tokens=150)
    settings = ModelSettings(
        model="m", input_price_usd=1000.0, max_cost_usd=0.1, base_url="http://x"
    )
    budget = RunBudget(settings)
    budget.require_remaining()
    with pytest.raises(ConfigError, match="expected neither on a cluster"):
        pickle.dumps(budget)
    unlimited = RunBudget(ModelSettings(model="m", base_url="http://x"))
    pickle.loads(pickle.dumps(unlimited)).require_remaining()


def test_several_actions_of_an_answer_are_executed_in_order(
    server: Any, task: Task, env: Env
) -> None:
    def answer(request: dict[str, Any]) -> str:
        prompt = request["messages"][-1]["content"]
        title = next(line for line in prompt.splitlines() if "'Title 1'" in line)
        number = int(title[1 : title.index("]")])
        actions = [{"kind": "click", "element": number}, {"kind": "key", "keys": "ctrl+b"}]
        return json.dumps({"actions": [*actions, {"kind": "done"}]})

    server.default = answer
    result = run_episode(task, "m", "json", server.url, env=env)
    assert (result.score, result.reward, result.usage.requests) == (1.0, 1.0, 1)
    assert result.meta.steps == 3
    assert result.rubric is not None
    assert result.folder is None
    assert [len(line["actions"]) for line in result.messages] == [3]
    assert result.environment_sec > 0


def test_next_turn_and_answers_reach_the_model(env: Env, task: Task, server: Any) -> None:
    wait = {"kind": "wait", "amount": 0}
    several = replace(
        task,
        turns=(Turn("Now make it italic.", task.rubric),),
        answers=(Answer("which title", "The first one."),),
        max_steps=9,
    )
    replies = [
        [{"kind": "ask", "text": "Which title?"}, wait],  # actions after a question are dropped
        [{"kind": "done"}, wait],  # and after the end of a turn
        [{"kind": "done"}],
    ]
    server.script.extend({"text": json.dumps({"actions": each})} for each in replies)
    result = run_episode(several, "m", "json", server.url, env=env)
    assert (result.meta.agent_error, result.meta.end, result.meta.steps) == (None, "done", 3)
    prompts = [json.dumps(request["messages"]) for request in server.requests]
    assert "The answer to your question: The first one." in prompts[1]
    assert "Next task, on the same deck: Now make it italic." in prompts[2]
    assert "Now make it italic." not in prompts[1]


def test_question_in_the_reasoning_is_asked(env: Env, task: Task, server: Any) -> None:
    with_answer = replace(task, answers=(Answer("which title", "The first one."),))
    message = {"content": "Action: call_user()", "reasoning_content": "Which title is it?"}
    body = {"id": "1", "object": "chat.completion", "usage": None,
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip
    server.script.append({"body": json.dumps(body)})
    server.default = "Thought: It is clear.\nAction: finished(content='')"
    result = run_episode(with_answer, "m", "uitars", server.url, env=env)
    assert result.messages[0]["actions"] == [{"kind": "ask", "text": "Which title is it?"}]
    assert "The answer to your question: The first one." in result.messages[1]["shown"]


def test_actions_of_a_person_are_reported_to_the_model(
    env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    """Earlier planned actions are dropped, and messages keep their own actions."""
    live = LiveEnv(env)

    def hand_back() -> None:
        while live.station.status()["help"].get("human_steps", 0) == 0:
            time.sleep(0.01)
        live.station.control({"what": "hand_back"})

    helper = threading.Thread(target=hand_back)

    def plan_after_takeover(request: dict[str, Any]) -> str:
        live.station.control({"what": "take"})
        event = {"kind": "key", "keys": "End"}
        live.station.control({"what": "input", "event": event})
        helper.start()
        return json.dumps({"actions": [{"kind": "wait"}, {"kind": "key", "keys": "Home"}]})

    server.script.append(plan_after_takeover)
    server.default = json.dumps({"actions": [{"kind": "done"}]})
    result = run_episode(task, "m", "json", server.url, env=live, out=tmp_path / "store")
    helper.join()
    live.close()
    assert result.folder is not None
    steps = read_steps(result.folder)
    assert [(step.action.kind, step.by) for step in steps] == [
        ("wait", "agent"), ("key", "person"), ("done", "agent")
    ]  # fmt: skip
    messages = read_messages(result.folder, steps)
    assert [(each.first, each.steps) for each in messages] == [(0, 1), (2, 1)]
    prompts = [json.dumps(request["messages"]) for request in server.requests]
    assert "A note from the user: A person acted instead: your last action was not" in prompts[1]
    assert "A person has acted in the meantime" in prompts[1]
    assert "A note from the user" not in prompts[0]


def test_key_and_images_are_stored_nowhere(
    episode: Play, env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    episode(env, "qwen3-vl", task)
    assert server.keys == [f"Bearer {server.key}"] * 3
    image_counts = [
        json.dumps(request).count("data:image/png;base64,") for request in server.requests
    ]
    assert image_counts == [1, 2, 3]
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or server.key.encode() not in file.read_bytes()
    assert b"base64" not in (tmp_path / "qwen3-vl/good/messages.jsonl").read_bytes()


def test_settings_are_read_from_options() -> None:
    settings = ModelSettings.from_options(
        ["history=3", "temperature=0.5", "view=both", "max_tokens=none"], model="a/b", dialect="waa"
    )
    assert (settings.history, settings.temperature, settings.see) == (3, 0.5, "both")
    assert settings.label == "b--waa--both"
    assert ModelSettings(model="b", dialect="waa").label == "b--waa"
    for options, message in (
        (["histry=3"], "Did you mean 'history'"),
        (["history=many"], "history: expected a whole number, got 'many'"),
        (["view=ears"], "view: view 'ears' not found"),
        (["see=elemnts"], "see: source 'elemnts' not found. Did you mean 'elements'"),
        (["base_url=http://me:secret@x/v1"], "expected no user, password"),
        (["max_cost_usd=1"], "expected input_price_usd"),
    ):
        with pytest.raises(ConfigError, match=message):
            ModelSettings.from_options(options, model="m")


def test_missing_key_and_missing_package_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ConfigError, match="environment variable OPENAI_API_KEY"):
        ModelAgent(ModelSettings(model="m"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"the package 'anthropic'.*'\.\[models\]'"):
        ModelAgent(ModelSettings(model="m", dialect="anthropic-20250124"))


def test_refused_action_drops_the_following_ones(server: Any, task: Task, env: Env) -> None:
    server.script.append('{"actions": [{"kind": "click", "element": 99}, {"kind": "done"}]}')
    server.default = '{"kind": "fail"}'
    result = asyncio.run(run_episode_async(task, "m", "json", server.url, env=env))
    assert (result.meta.steps, result.meta.end) == (2, "fail")
    assert "; nor were the 1 actions after it\n" in result.messages[1]["shown"]
    assert result.usage.malformed == 0


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Env]:
    env = make_env("sandbox")
    yield env
    env.close()


# One dialect for each service and each coordinate system; the fake machine plays all dialects.
SELECTED = tuple(
    (name, "meridian-retitle-products")
    for name in ("json", "anthropic-20251124", "openai-computer", "gemini-computer", "uitars-1.5")
)
# All tasks of the bench in all dialects: `make test-dialects`.
ALL = tuple((name, task.id) for name in dialect_names() for task in list_tasks("starter"))
# In this order before the second, third and fourth valid answer; the third one is slow.
PROBLEMS = ("nothing", "cut off", "refused")
LOST_REQUESTS = ({"hang_up": True}, {"status": 503, "headers": {"retry-after-ms": "1"}})


@pytest.mark.image
@pytest.mark.parametrize(
    ("name", "task_id"), ALL if os.environ.get("PPTARENA_ALL_DIALECTS") == "1" else SELECTED
)
def test_demonstration_scores_1_in_the_real_application(
    name: str,
    task_id: str,
    episode: Play,
    broken_body: Callable[[str, str], dict[str, Any]],
    sandbox: Env,
    server: Any,
    tmp_path: Path,
) -> None:
    task = get_task(task_id)
    task = replace(task, max_steps=task.max_steps + len(PROBLEMS))
    server.script.extend(LOST_REQUESTS)
    bodies = [json.dumps(broken_body(get_dialect(name).api, problem)) for problem in PROBLEMS]
    broken = {
        number: {"body": body, "sleep_sec": 0.5 if number == 3 else 0}
        for number, body in enumerate(bodies, 1)
    }
    meta = episode(sandbox, name, task, broken, retries=3)
    assert (meta.infra_error, meta.agent_error, meta.score, meta.end) == (None, None, 1.0, "done")
    usage = json.loads((tmp_path / name / "good/model.json").read_text())["usage"]
    assert usage["requests"] == meta.steps
    assert (usage["malformed"], usage["cut_off"], usage["refused"]) == (3, 1, 1)

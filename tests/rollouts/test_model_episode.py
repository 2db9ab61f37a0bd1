"""Models through the whole stack: HTTP, service, dialect, environment, score, store."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.agents.dialects import Reply, Screen, dialect_names, get_dialect
from pptarena.agents.model import ModelAgent, ModelSettings, RunBudget
from pptarena.envs.actions import Action
from pptarena.errors import ConfigError, DialectError, EndpointClosedError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.model_episode import run_episode
from pptarena.rollouts.play import play
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.tasks import Task, get_task

Env = gym.Env[Any, Any]
PACKAGES = {"anthropic": "anthropic", "gemini": "google.genai"}
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, server: Any) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, server.key)


def chat_body(reply: Reply) -> dict[str, Any]:
    calls = [
        {
            "id": f"call-{number}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
        }
        for number, call in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text, "tool_calls": calls or None}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice],
            "usage": usage}  # fmt: skip


def responses_body(reply: Reply) -> dict[str, Any]:
    text = {"type": "output_text", "text": reply.text, "annotations": []}
    output: list[dict[str, Any]] = [
        {"type": "message", "id": "m", "role": "assistant", "status": "completed",
         "content": [text]},
        *(
            {"type": "computer_call", "id": "c", "call_id": f"call-{number}",
             "status": "completed", "pending_safety_checks": [], **call.arguments}
            for number, call in enumerate(reply.calls)
        ),
    ]  # fmt: skip
    usage = {"input_tokens": 90, "output_tokens": 10, "total_tokens": 100}
    return {"id": "1", "object": "response", "created_at": 1, "model": "m", "output": output,
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "usage": usage}  # fmt: skip


def anthropic_body(reply: Reply) -> dict[str, Any]:
    words = [{"type": "text", "text": reply.text}] if reply.text else []
    calls = [
        {"type": "tool_use", "id": f"call-{number}", "name": call.name, "input": call.arguments}
        for number, call in enumerate(reply.calls)
    ]
    return {"id": "1", "type": "message", "role": "assistant", "model": "m",
            "content": [*words, *calls], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 90, "output_tokens": 10}}  # fmt: skip


def gemini_body(reply: Reply) -> dict[str, Any]:
    words = [{"text": reply.text}] if reply.text else []
    calls = [{"functionCall": {"name": c.name, "args": dict(c.arguments)}} for c in reply.calls]
    content = {"role": "model", "parts": [*words, *calls]}
    usage = {"promptTokenCount": 90, "candidatesTokenCount": 10}
    return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}


BODIES: dict[str, Callable[[Reply], dict[str, Any]]] = {
    "chat": chat_body,
    "responses": responses_body,
    "anthropic": anthropic_body,
    "gemini": gemini_body,
}


class Prompter:
    """Puts the next answer into the mouth of the service, then lets the model's agent ask for it.

    The answers are those of a demonstration, said in the dialect; before number i of them comes
    what `broken` has for i.
    """

    def __init__(
        self, agent: ModelAgent, name: str, server: Any, task: Task, broken: Mapping[int, Any]
    ) -> None:
        self.agent, self._dialect, self._server = agent, get_dialect(name), server
        self._demonstration = DemonstrationAgent(lambda _: task)
        self._broken = dict(broken)
        self._count = 0

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self.agent.reset(info, seed)
        self._demonstration.reset(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        if self._count in self._broken:
            self._server.script.append(self._broken.pop(self._count))
        else:
            self._count += 1
            fine = {**info, "action_error": None}
            action = replace(self._demonstration.act(observation, fine), observation_id=0)
            body = BODIES[self._dialect.api](self._said(action, observation))
            self._server.script.append({"body": json.dumps(body)})
        return self.agent.act(observation, info)

    def record(self) -> Mapping[str, bytes]:
        return self.agent.record()

    def _said(self, action: Action, observation: Mapping[str, Any]) -> Reply:
        boxes = observation["elements"][: observation["element_count"], :4]
        centres = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes.tolist()]
        high, wide, _ = observation["screenshot"].shape
        screen = Screen(self._dialect.picture_size((wide, high)), centres)
        if action.kind == "wait":  # not every dialect can say for how long
            return self._wait(screen)
        return self._dialect.render(action, screen, "Next step.")

    def _wait(self, screen: Screen) -> Reply:
        for seconds in (0, 1, 2, 5):
            with suppress(DialectError):
                return self._dialect.render(Action("wait", amount=seconds), screen)
        raise AssertionError("this dialect cannot say wait")


Play = Callable[..., EpisodeMeta]


@pytest.fixture
def episode(server: Any, tmp_path: Path) -> Play:
    def run(
        env: Env, name: str, task: Task, broken: Mapping[int, Any] | None = None, **options: Any
    ) -> EpisodeMeta:
        api = get_dialect(name).api
        if api in PACKAGES:
            pytest.importorskip(PACKAGES[api])
        # The clients of OpenAI want the version in the address, the others add it.
        url = server.url if api in ("chat", "responses") else server.url.removesuffix("/v1")
        settings = ModelSettings(model="m", dialect=name, base_url=url, **options)
        agent: Agent = Prompter(ModelAgent(settings), name, server, task, broken or {})
        found = play(
            env, agent, agent_name=settings.label, task=task, seed=0,
            place=tmp_path / name / "good", failed_place=tmp_path / name / "bad",
        )  # fmt: skip
        assert read_meta(found.folder) == found.meta
        return found.meta

    return run


@pytest.mark.parametrize("name", dialect_names())
def test_a_demonstration_in_every_dialect_scores_1(
    name: str, episode: Play, env: Env, task: Task, tmp_path: Path
) -> None:
    meta = episode(env, name, task)
    assert (meta.infra_error, meta.agent_error, meta.score, meta.end) == (None, None, 1.0, "done")
    facts = json.loads((tmp_path / name / "good/model.json").read_text())
    assert facts["usage"]["requests"] == meta.steps == 3
    assert facts["usage"]["input_tokens"] == 270
    assert facts["usage"]["malformed"] == 0


BROKEN = {
    0: {"text": "Let me think about this first."},
    1: {"text": '{"kind": "click", "element": 9', "finish": "length"},
    2: {"text": None, "finish": "content_filter"},
}


def test_broken_answers_are_told_to_the_model_and_counted(
    episode: Play, env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    task = replace(task, max_steps=10)
    meta = episode(env, "json", task, BROKEN)
    assert (meta.infra_error, meta.agent_error, meta.score) == (None, None, 1.0)
    assert meta.steps == 6
    facts = json.loads((tmp_path / "json/good/model.json").read_text())["usage"]
    assert (facts["malformed"], facts["cut_off"], facts["refused"]) == (3, 1, 1)
    told = [request["messages"][-1]["content"] for request in server.requests]
    assert "That was not done: expected a JSON object, got 'Let me think" in told[1]
    assert "cut off at 4096 tokens" in told[3]
    assert "it was refused" in told[5]
    steps = read_steps(tmp_path / "json/good")
    assert [step.action_error is not None for step in steps] == [True, False] * 3
    lines = (tmp_path / "json/good/messages.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"] is not None for line in lines] == [True, False] * 3


def test_what_gets_lost_is_asked_for_again(
    episode: Play, env: Env, task: Task, server: Any
) -> None:
    lost = [{"status": 503, "headers": {"retry-after-ms": "1"}}, {"hang_up": True}]
    server.script.extend(lost)
    meta = episode(env, "json", task, retries=3)
    assert (meta.infra_error, meta.score) == (None, 1.0)
    assert len(server.requests) == 5


def test_a_slow_service_is_an_infrastructure_error_and_no_score(
    episode: Play, env: Env, task: Task
) -> None:
    meta = episode(
        env, "json", task, {1: {"text": "{}", "sleep_sec": 30}}, timeout_sec=0.5, retries=0
    )
    assert meta.score is None
    assert str(meta.infra_error).startswith("EndpointError: the service did not answer: ")


def test_the_agent_gives_up_after_bad_answers_in_a_row(
    episode: Play, env: Env, task: Task, server: Any
) -> None:
    server.script.extend(["no"] * 3)
    meta = episode(env, "json", task, bad_answers=2)
    assert (meta.end, meta.score) == ("agent_error", 0.0)
    assert "2 answers in a row meant no action" in str(meta.agent_error)


@pytest.mark.parametrize("status", [401, 404])
def test_a_refused_key_ends_the_run_and_is_not_shown(
    episode: Play, env: Env, task: Task, server: Any, status: int, tmp_path: Path
) -> None:
    server.script.append({"status": status, "body": json.dumps({"error": f"no: {server.key}"})})
    with pytest.raises(EndpointClosedError) as error:
        episode(env, "json", task)
    assert server.key not in str(error.value)
    assert not list(tmp_path.rglob("meta.json"))


def test_a_spent_budget_ends_the_run(episode: Play, env: Env, task: Task) -> None:
    with pytest.raises(EndpointClosedError, match=r"used 200 tokens of 150; raise max_tokens"):
        episode(env, "json", task, max_tokens=150)
    settings = ModelSettings(
        model="m", input_price_usd=1000.0, max_cost_usd=0.1, base_url="http://x"
    )
    budget = RunBudget(settings)
    budget.require_left()


def test_several_actions_of_one_answer_are_done_one_after_the_other(
    server: Any, task: Task, env: Env
) -> None:
    def answer(request: dict[str, Any]) -> str:
        shown = request["messages"][-1]["content"]
        title = next(line for line in shown.splitlines() if "'Title 1'" in line)
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


def test_the_key_and_the_pictures_are_kept_nowhere(
    episode: Play, env: Env, task: Task, server: Any, tmp_path: Path
) -> None:
    episode(env, "qwen3-vl", task)
    assert server.keys == [f"Bearer {server.key}"] * 3
    sent = [json.dumps(request).count("data:image/png;base64,") for request in server.requests]
    assert sent == [1, 2, 3]
    for file in tmp_path.rglob("*"):
        assert file.is_dir() or server.key.encode() not in file.read_bytes()
    assert b"base64" not in (tmp_path / "qwen3-vl/good/messages.jsonl").read_bytes()


def test_settings_from_options() -> None:
    settings = ModelSettings.from_options(
        ["history=3", "temperature=0.5", "view=both", "max_tokens=none"], model="a/b", dialect="waa"
    )
    assert (settings.history, settings.temperature, settings.view) == (3, 0.5, "both")
    assert settings.label == "b--waa"
    for options, words in (
        (["histry=3"], "expected a setting such as history=3"),
        (["history=many"], "history: expected a whole number, got 'many'"),
        (["view=ears"], "view: expected one of screenshot"),
        (["base_url=http://me:secret@x/v1"], "expected no user, password"),
        (["max_cost_usd=1"], "expected input_price_usd"),
    ):
        with pytest.raises(ConfigError, match=words):
            ModelSettings.from_options(options, model="m")


def test_a_missing_key_and_a_missing_package_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ConfigError, match="environment variable OPENAI_API_KEY"):
        ModelAgent(ModelSettings(model="m"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'pptarena\[models\]'"):
        ModelAgent(ModelSettings(model="m", dialect="anthropic-20250124"))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Env]:
    env = make_env("sandbox", reuse=30)
    yield env
    env.close()


# A title of a slide in the real application: clicks, keys, a text, the end.
REAL = "meridian-retitle-products"


@pytest.mark.image
@pytest.mark.parametrize("name", dialect_names())
def test_a_demonstration_in_every_dialect_scores_1_in_the_real_application(
    name: str, episode: Play, sandbox: Env
) -> None:
    meta = episode(sandbox, name, get_task(REAL), {1: {"text": " "}} if name == "json" else {})
    assert (meta.infra_error, meta.agent_error, meta.score, meta.end) == (None, None, 1.0, "done")

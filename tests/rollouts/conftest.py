"""A small task for the fake machine, agents that play it, and a model service."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation
from tests.rollouts.playing import play_into

from pptarena.agents.base import Agent
from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.agents.dialects import Reply, Screen, get_dialect
from pptarena.agents.model import ModelAgent, ModelSettings
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.ppt_arena import base_env
from pptarena.errors import DialectError
from pptarena.rewards import load_rubric
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.store import read_meta
from pptarena.tasks import DemoStep, Task

RUBRIC = {
    "version": 1,
    "strategy": "weighted",
    "root": {
        "name": "the title is bold",
        "critical": True,
        "check": "run_format",
        "args": {"slide": 1, "shape": "@title", "bold": True},
    },
}
TITLE = {"role": "panel", "name": "Title 1"}


def build_deck() -> bytes:
    presentation = Presentation()
    for title in ("Harvest", "Orchard", "Cellar"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


DECK = build_deck()
Env = gym.Env[Any, Any]
PACKAGES = {"anthropic": "anthropic", "gemini": "google.genai"}


@dataclass(frozen=True)
class SmallTask(Task):
    """A task with the deck of this module."""

    def deck_bytes(self) -> bytes:
        return DECK


class Script:
    """Plays a list of actions and repeats the last one."""

    def __init__(self, *script: Action) -> None:
        self.script = script
        self.seeds: list[int] = []
        self._next = 0

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        self.seeds.append(seed)
        self._next = 0

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        self._next += 1
        return self.script[min(self._next, len(self.script)) - 1]


@pytest.fixture
def task() -> Task:
    """The task to make the first title bold, in at most six steps."""
    return SmallTask(
        id="first-title-bold",
        suite="tests",
        difficulty="easy",
        level="L1",
        edit_types=("formatting",),
        deck="garden",
        instruction="Make the title of the first slide bold.",
        max_steps=6,
        feasible=True,
        rubric=load_rubric(RUBRIC),
        scope=None,
        demonstration=(
            DemoStep("click", target=TITLE),
            DemoStep("key", keys="ctrl+b"),
        ),
    )


@pytest.fixture
def script() -> Callable[..., Script]:
    """The class of agents that play a list of actions."""
    return Script


@pytest.fixture
def solution(env: gym.Env[Any, Any], task: Task) -> Sequence[Action]:
    """Actions that solve the task; the first one targets an element."""
    _, info = env.reset(options={"task": task})
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    return actions.click(element=title["element"]), actions.key("ctrl+b"), actions.done()


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[gym.Env[Any, Any]]:
    """A small environment on the fake machine, with a temporary PPTARENA_HOME."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    env = make_env("fake", width_px=640, height_px=360)
    yield env
    env.close()


@pytest.fixture
def machine(env: gym.Env[Any, Any]) -> FakeMachine:
    """The machine of `env`."""
    machine = base_env(env).machine
    assert isinstance(machine, FakeMachine)
    return machine


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
    text_parts = [{"type": "text", "text": reply.text}] if reply.text else []
    calls = [
        {
            "type": "tool_use",
            "id": f"call-{number}",
            "name": call.name,
            "input": call.arguments,
            **({} if call.name == "computer" else {"toolset_name": "computer"}),
        }
        for number, call in enumerate(reply.calls)
    ]
    return {"id": "1", "type": "message", "role": "assistant", "model": "m",
            "content": [*text_parts, *calls], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 90, "output_tokens": 10}}  # fmt: skip


def gemini_body(reply: Reply) -> dict[str, Any]:
    text_parts = [{"text": reply.text}] if reply.text else []
    calls = [{"functionCall": {"name": c.name, "args": dict(c.arguments)}} for c in reply.calls]
    content = {"role": "model", "parts": [*text_parts, *calls]}
    usage = {"promptTokenCount": 90, "candidatesTokenCount": 10}
    return {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}


BODIES: dict[str, Callable[[Reply], dict[str, Any]]] = {
    "chat": chat_body,
    "responses": responses_body,
    "anthropic": anthropic_body,
    "gemini": gemini_body,
}


def _broken_body(api: str, problem: str) -> dict[str, Any]:
    """Return the body of an answer without an action.

    Args:
        api: API of the service.
        problem: ``"nothing"``, ``"cut off"`` or ``"refused"``.
    """
    body = BODIES[api](Reply({"nothing": " ", "cut off": "I would", "refused": ""}[problem]))
    if problem == "nothing":
        return body
    cut_off = problem == "cut off"
    if api == "chat":
        body["choices"][0]["finish_reason"] = "length" if cut_off else "content_filter"
    elif api == "anthropic":
        body["stop_reason"] = "max_tokens" if cut_off else "refusal"
    elif api == "gemini":
        body["candidates"][0]["finishReason"] = "MAX_TOKENS" if cut_off else "SAFETY"
    else:
        reason = "max_output_tokens" if cut_off else "content_filter"
        body |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
    return body


class Prompter:
    """Scripts the service's next answer, then calls the model's agent.

    The answers are the actions of a demonstration in the dialect. Answer number i comes after the
    entry of `broken` for i.
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
            body = BODIES[self._dialect.api](self._render(action, observation))
            self._server.script.append({"body": json.dumps(body)})
        return self.agent.act(observation, info)

    def record(self) -> Mapping[str, bytes]:
        return self.agent.record()

    def _render(self, action: Action, observation: Mapping[str, Any]) -> Reply:
        boxes = observation["elements"][: observation["element_count"], :4]
        centers = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in boxes.tolist()]
        height, width, _ = observation["screenshot"].shape
        screen = Screen(self._dialect.picture_size((width, height)), centers)
        if action.kind == "wait":  # not every dialect has a duration
            return self._wait(screen)
        return self._dialect.render(action, screen, "Next step.")

    def _wait(self, screen: Screen) -> Reply:
        for seconds in (0, 1, 2, 5):
            with suppress(DialectError):
                return self._dialect.render(Action("wait", amount=seconds), screen)
        raise AssertionError("the dialect has no wait action")


@pytest.fixture
def broken_body() -> Callable[[str, str], dict[str, Any]]:
    """The function `_broken_body`."""
    return _broken_body


Play = Callable[..., EpisodeMeta]


@pytest.fixture
def episode(server: Any, tmp_path: Path) -> Play:
    def play_model(
        env: Env, name: str, task: Task, broken: Mapping[int, Any] | None = None, **options: Any
    ) -> EpisodeMeta:
        api = get_dialect(name).api
        if api in PACKAGES:
            pytest.importorskip(PACKAGES[api])
        # OpenAI's clients need the version in the address; the others add it.
        url = server.url if api in ("chat", "responses") else server.url.removesuffix("/v1")
        settings = ModelSettings(model="m", dialect=name, base_url=url, **options)
        with closing(ModelAgent(settings)) as model:
            agent: Agent = Prompter(model, name, server, task, broken or {})
            stored = play_into(tmp_path / name / "good", env, agent, task, settings.label)
        assert read_meta(stored.folder) == stored.meta
        return stored.meta

    return play_model

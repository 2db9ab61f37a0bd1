"""A model with scripted replies for every role of PPTPilot, behind a local server."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.model import ModelSettings
from pptarena.agents.pptpilot import PilotSettings, PPTPilot, prompts
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.run import Job, run_job
from pptarena.tasks import Task, get_task

_ROLES = {
    "plan": prompts.PLAN,
    "route": prompts.ROUTE,
    "program": prompts.PROGRAM,
    "xml": prompts.XML,
    "judge": prompts.CHECK,
    "look": prompts.LOOK,
}


class Model:
    """A model with scripted replies for each role: texts, JSON values or functions."""

    def __init__(self) -> None:
        self.replies: dict[str, list[Any]] = {role: [] for role in _ROLES}
        self.requests: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, request: dict[str, Any]) -> Any:
        system = request["messages"][0]["content"]
        role = next(name for name, prompt in _ROLES.items() if system.startswith(prompt))
        self.requests.append((role, request))
        reply = self.replies[role].pop(0)
        if callable(reply):
            reply = reply(request)
        if isinstance(reply, str) or (isinstance(reply, dict) and {"status", "body"} & set(reply)):
            return reply
        return json.dumps(reply)

    @property
    def roles(self) -> list[str]:
        return [role for role, _ in self.requests]

    def prompt(self, role: str, number: int = 0) -> str:
        """Return the text of a prompt in a role."""
        requests = [request for name, request in self.requests if name == role]
        content = requests[number]["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return "\n".join(part["text"] for part in content if part["type"] == "text")


def edit(what: str, kind: str = "slides", slides: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"what": what, "kind": kind, "slides": list(slides)}


def program(code: str) -> dict[str, Any]:
    return {"name": "run_program", "arguments": {"code": code}}


@pytest.fixture
def model(server: Any) -> Model:
    made = Model()
    server.default = made
    return made


@pytest.fixture
def env() -> Iterator[Any]:
    with closing(make_document_env(max_steps=40)) as made:
        yield made


Play = Callable[..., tuple[EpisodeMeta, Path]]


@pytest.fixture
def play(server: Any, env: Any, tmp_path: Path) -> Play:
    """Return a function that plays a task; it accepts settings of the model and of PPTPilot."""

    def run(task: str | Task = "meridian-hide-backup", **options: Any) -> tuple[EpisodeMeta, Path]:
        parts = {
            name: options.pop(name)
            for name in list(options)
            if name in _PARTS and not isinstance(options[name], str)
        }
        pilot_options = {name: options.pop(name) for name in list(options) if name in _PILOT}
        environment = options.pop("env", env)
        settings = ModelSettings(
            model="m", base_url=server.url, **{"retries": 0, "dialect": "json", **options}
        )
        played_task = get_task(task) if isinstance(task, str) else task
        root = tmp_path / f"store-{len(list(tmp_path.iterdir()))}"
        with closing(PPTPilot(settings, PilotSettings(**pilot_options), **parts)) as agent:
            (episode,) = run_job(Job("pilot", played_task, 0), environment, agent, root, 0)
        return episode.meta, episode.folder

    return run


_PARTS = ("planner", "router", "editor", "checker", "budget")
_PILOT = PilotSettings.__dataclass_fields__


class Words:
    edit = staticmethod(edit)
    program = staticmethod(program)


@pytest.fixture
def say() -> type[Words]:
    return Words

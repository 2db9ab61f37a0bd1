"""A model that has answers for every role of PPTPilot, behind a server on this computer."""

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
    """What the model says in each role, in order: texts, values for JSON, or functions."""

    def __init__(self) -> None:
        self.says: dict[str, list[Any]] = {role: [] for role in _ROLES}
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, request: dict[str, Any]) -> Any:
        system = request["messages"][0]["content"]
        role = next(each for each, words in _ROLES.items() if system.startswith(words))
        self.asked.append((role, request))
        said = self.says[role].pop(0)
        if callable(said):
            said = said(request)
        if isinstance(said, str) or (isinstance(said, dict) and {"status", "body"} & set(said)):
            return said
        return json.dumps(said)

    @property
    def roles(self) -> list[str]:
        return [role for role, _ in self.asked]

    def shown(self, role: str, number: int = 0) -> str:
        """Return the last words of a question in a role."""
        found = [request for each, request in self.asked if each == role]
        content = found[number]["messages"][-1]["content"]
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
    """Play a task by a model that answers; names of `PilotSettings` go there."""

    def run(task: str | Task = "meridian-hide-backup", **more: Any) -> tuple[EpisodeMeta, Path]:
        parts = {
            name: more.pop(name)
            for name in list(more)
            if name in _PARTS and not isinstance(more[name], str)
        }
        own = {name: more.pop(name) for name in list(more) if name in _PILOT}
        where = more.pop("env", env)
        settings = ModelSettings(
            model="m", base_url=server.url, **{"retries": 0, "dialect": "json", **more}
        )
        found = get_task(task) if isinstance(task, str) else task
        root = tmp_path / f"store-{len(list(tmp_path.iterdir()))}"
        with closing(PPTPilot(settings, PilotSettings(**own), **parts)) as agent:
            (episode,) = run_job(Job("pilot", found, 0), where, agent, root, 0)
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

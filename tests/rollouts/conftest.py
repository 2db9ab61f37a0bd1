"""A small task that the fake machine can play, and agents for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.ppt_arena import base_env
from pptarena.rewards import load_rubric
from pptarena.rollouts.env import make_env
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


@dataclass(frozen=True)
class SmallTask(Task):
    """A task whose deck is made here."""

    def deck_bytes(self) -> bytes:
        return DECK


class Script:
    """Plays a list of actions; the last one again and again."""

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
    """Make the first title bold, in at most six steps."""
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
    """Make an agent that plays a list of actions."""
    return Script


@pytest.fixture
def solution(env: gym.Env[Any, Any], task: Task) -> Sequence[Action]:
    """Actions that solve the task, the first aimed at an element."""
    _, info = env.reset(options={"task": task})
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    return actions.click(element=title["element"]), actions.key("ctrl+b"), actions.done()


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[gym.Env[Any, Any]]:
    """A small environment on the fake machine; baselines are kept apart from the user's."""
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

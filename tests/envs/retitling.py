"""The episodes that checkpoints and forks are tested on: a title becomes Summer."""

from typing import Any

import numpy as np

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, key, type_text
from pptarena.envs.machines.fake import FakeMachine
from pptarena.tasks import Task

Reply = tuple[dict[str, Any], dict[str, Any]]


def make_env(task: Task | None = None, machine: str | FakeMachine = "fake") -> PPTArenaEnv:
    return PPTArenaEnv(task=task, machine=machine, max_steps=100, width_px=640, height_px=360)


def element(info: dict[str, Any], name: str) -> int:
    """Return the number of the last element of that name or text."""
    found = [
        node["element"]
        for node in info["a11y"]["nodes"]
        if name in (node["name"], node["text"]) and node["element"]
    ]
    return int(found[-1])


def begin_edit(env: PPTArenaEnv, seed: int = 0) -> None:
    """Open the text edit of the title and type the beginning of the goal."""
    _, info = env.reset(seed=seed)
    env.step(Action("triple_click", element=element(info, "Harvest")))
    env.step(type_text("Sum"))


def finish_edit(env: PPTArenaEnv, text: str = "mer") -> tuple[float, dict[str, Any]]:
    env.step(type_text(text))
    _, reward, _, _, info = env.step(key("Escape"))
    return reward, info


def comparable(reply: Reply) -> dict[str, Any]:
    """Return all of a reply that must be equal, without what is measured."""
    observation, info = reply
    parts: dict[str, Any] = {
        name: np.asarray(value).tobytes() for name, value in observation.items()
    }
    return parts | {name: value for name, value in info.items() if name != "timing"}


def same(first: Reply, second: Reply) -> bool:
    return comparable(first) == comparable(second)

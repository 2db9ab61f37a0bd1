"""Steps that tests share: selecting a title, and changing its text to Summer."""

from typing import Any

import numpy as np

from pptarena.envs import PPTArenaEnv
from pptarena.envs.actions import Action, click, key, type_text
from pptarena.envs.machines.fake import FakeMachine
from pptarena.tasks import Task

Reply = tuple[dict[str, Any], dict[str, Any]]


def make_env(task: Task | None = None, machine: str | FakeMachine = "fake") -> PPTArenaEnv:
    return PPTArenaEnv(task=task, machine=machine, max_steps=100, width_px=640, height_px=360)


def element(info: dict[str, Any], name: str) -> int:
    """Return the number of the last element of that name or text."""
    elements = [
        node["element"]
        for node in info["a11y"]["nodes"]
        if name in (node["name"], node["text"]) and node["element"]
    ]
    return int(elements[-1])


def click_title(env: Any, info: dict[str, Any]) -> None:
    title = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(click(title["element"]))


def select_title(env: Any) -> None:
    click_title(env, env.reset(seed=0)[1])


def begin_edit(env: PPTArenaEnv, seed: int = 0) -> None:
    """Start editing the title and type the start of the new text."""
    _, info = env.reset(seed=seed)
    env.step(Action("triple_click", element=element(info, "Harvest")))
    env.step(type_text("Sum"))


def finish_edit(env: PPTArenaEnv, text: str = "mer") -> tuple[float, dict[str, Any]]:
    env.step(type_text(text))
    _, reward, _, _, info = env.step(key("Escape"))
    return reward, info


def comparable(reply: Reply) -> dict[str, Any]:
    """Return the parts of a reply that must be equal: all but the timing."""
    observation, info = reply
    parts: dict[str, Any] = {
        name: np.asarray(value).tobytes() for name, value in observation.items()
    }
    return parts | {name: value for name, value in info.items() if name != "timing"}


def same(first: Reply, second: Reply) -> bool:
    return comparable(first) == comparable(second)

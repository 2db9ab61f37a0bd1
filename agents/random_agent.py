"""`RandomAgent`: plausible but aimless use of the mouse and keyboard."""

import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.envs import actions
from pptarena.envs.actions import Action

__all__ = ["RandomAgent"]

# Weights of the kinds. Ending an episode is rare, so that random play spends its whole budget.
_WEIGHTS = {
    "click": 50,
    "double_click": 6,
    "right_click": 3,
    "triple_click": 1,
    "move": 2,
    "drag": 4,
    "scroll": 8,
    "key": 16,
    "type": 8,
    "wait": 1,
    "done": 0.4,
    "fail": 0.2,
    "ask": 0.4,
}

_KEYS = (
    *("Escape", "Return", "Tab", "Delete", "BackSpace", "F2", "F5", "Home", "End"),
    *("Page_Up", "Page_Down", "Left", "Right", "Up", "Down", "shift+Tab", "shift+Right"),
    *("ctrl+a", "ctrl+b", "ctrl+i", "ctrl+u", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+z", "ctrl+y"),
    *("ctrl+m", "ctrl+d", "ctrl+e", "ctrl+l", "ctrl+r", "alt+o", "alt+i", "alt+f"),
)

_WORDS = ("plan", "growth", "2026", "team", "review", "12%", "Next steps", "to do", "Q3", "draft")

_MODIFIERS = ("", "", "", "", "", "", "ctrl", "shift")


class RandomAgent:
    """Plays at random: mostly clicks on elements of the screen, some keys, text and scrolling.

    Two agents with the same seed, task and observations choose the same actions; on another task
    they choose others. It is a lower bound for other agents and a stress test for machines; it does
    not read the instruction.

    Example:
        >>> agent = RandomAgent()
        >>> agent.reset({}, seed=1)
        >>> first = agent.act({"element_count": 0}, {})
        >>> agent.reset({}, seed=1)
        >>> agent.act({"element_count": 0}, {}) == first
        True
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Begin an episode: draw from `seed` and the task's id from now on."""
        task = zlib.crc32(str(info.get("task_id", "")).encode())
        self._random = np.random.default_rng([seed, task])

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return a random action on the elements of the observation."""
        weights = np.array(list(_WEIGHTS.values()))
        kind = str(self._random.choice(list(_WEIGHTS), p=weights / weights.sum()))
        match kind:
            case "key":
                return actions.key(self._pick(_KEYS))
            case "type":
                return actions.type_text(self._pick(_WORDS))
            case "wait":
                return actions.wait(1)
            case "done" | "fail":
                return Action(kind)
            case "ask":
                return actions.ask("What should I do next?")
        return self._pointer(kind, int(observation["element_count"]))

    def _pointer(self, kind: str, element_count: int) -> Action:
        # One pointer action in ten aims at a bare point, which elements never cover fully.
        on_element = element_count > 0 and self._random.random() < 0.9
        element = int(self._random.integers(1, element_count + 1)) if on_element else 0
        return Action(
            kind,
            element=element,
            xy=(0.0, 0.0) if element else self._point(),
            end_xy=self._point() if kind == "drag" else (0.0, 0.0),
            keys=self._pick(_MODIFIERS) if kind == "click" else "",
            amount=int(self._random.choice((-5, -3, -1, 1, 3, 5))) if kind == "scroll" else 0,
        )

    def _point(self) -> tuple[float, float]:
        x, y = self._random.random(2)
        return float(x), float(y)

    def _pick(self, choices: tuple[str, ...]) -> str:
        return choices[int(self._random.integers(len(choices)))]

"""Random valid actions; most samples of the action space are refused."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.envs import actions
from pptarena.envs.actions import Action

__all__ = ["random_action"]

# Weights of the kinds. Ends are rare, so that random play uses its entire step budget.
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
}

_KEYS = (
    *("Escape", "Return", "Tab", "Delete", "BackSpace", "F2", "F5", "Home", "End"),
    *("Page_Up", "Page_Down", "Left", "Right", "Up", "Down", "shift+Tab", "shift+Right"),
    *("ctrl+a", "ctrl+b", "ctrl+i", "ctrl+u", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+z", "ctrl+y"),
    *("ctrl+m", "ctrl+d", "ctrl+e", "ctrl+l", "ctrl+r", "alt+o", "alt+i", "alt+f"),
)

_WORDS = ("plan", "growth", "2026", "team", "review", "12%", "Next steps", "to do", "Q3", "draft")

_MODIFIERS = ("", "", "", "", "", "", "ctrl", "shift")


def random_action(observation: Mapping[str, Any], rng: np.random.Generator) -> Action:
    """Return a random action that is valid for an observation.

    Mostly clicks on elements, some keys, short words, drags and scrolling; rarely ``done`` or
    ``fail``, which end the episode. In contrast, most samples of ``env.action_space`` are refused,
    because they refer to a nonexistent element or lack a field that their kind needs.

    Args:
        observation: The last observation; only its ``element_count`` is used.
        rng: Source of randomness; equal generators give equal actions.

    Example:
        >>> rng = np.random.default_rng(6)
        >>> random_action({"element_count": 20}, rng)
        Action(kind='double_click', element=19)
    """
    weights = np.array(list(_WEIGHTS.values()))
    kind = str(rng.choice(list(_WEIGHTS), p=weights / weights.sum()))
    match kind:
        case "key":
            return actions.key(_pick(_KEYS, rng))
        case "type":
            return actions.type_text(_pick(_WORDS, rng))
        case "wait":
            return actions.wait(1)
        case "done" | "fail":
            return Action(kind)
    return _pointer(kind, int(observation["element_count"]), rng)


def _pointer(kind: str, element_count: int, rng: np.random.Generator) -> Action:
    # One pointer action in ten aims at a point, since elements never cover the entire screen.
    on_element = element_count > 0 and rng.random() < 0.9
    element = int(rng.integers(1, element_count + 1)) if on_element else 0
    return Action(
        kind,
        element=element,
        xy=None if element else _point(rng),
        end_xy=_point(rng) if kind == "drag" else None,
        keys=_pick(_MODIFIERS, rng) if kind == "click" else "",
        amount=int(rng.choice((-5, -3, -1, 1, 3, 5))) if kind == "scroll" else 0,
    )


def _point(rng: np.random.Generator) -> tuple[float, float]:
    x, y = rng.random(2)
    return float(x), float(y)


def _pick(choices: tuple[str, ...], rng: np.random.Generator) -> str:
    return choices[int(rng.integers(len(choices)))]

"""Add the agent's recent actions to the observation."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from pptarena.errors import ConfigError
from pptarena.wrappers.requirements import dict_space, require_at_least
from pptarena.wrappers.som_actions import SomActions

__all__ = ["RecentActions"]


class RecentActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds ``recent``: the last actions, one row each, newest first.

    The screen does not show what was just selected or copied. A row has a 1 at the type of the
    pointer action, or at the key or text; the mark is not included. Rows are 0 before the first
    action.

    Args:
        env: `SomActions`, as the outermost wrapper.
        count: Number of actions.

    Raises:
        ConfigError: If `env` is another wrapper, or the count is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], count: int = 2) -> None:
        RecordConstructorArgs.__init__(self, count=count)
        gym.Wrapper.__init__(self, env)
        require_at_least("count", count, 1)
        if not isinstance(env, SomActions):
            raise ConfigError(f"expected SomActions, got {type(env).__name__}")
        parts = dict_space(env, "elements", spaces.Box)
        self._som = env
        self._rows = np.zeros((count, len(env.pointer) + len(env.others)), np.float32)
        box = spaces.Box(0.0, 1.0, self._rows.shape, np.float32)
        self.observation_space = spaces.Dict({**parts, "recent": box})

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask of `SomActions`."""
        return self._som.action_masks()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._rows[:] = 0
        return {**observation, "recent": self._rows.copy()}, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        kind = int(action) // self._som.marks
        pointers = len(self._som.pointer)
        if kind >= pointers:
            kind = pointers + int(action) - self._som.marks * pointers
        self._rows[1:] = self._rows[:-1].copy()
        self._rows[0] = 0
        self._rows[0, kind] = 1
        extended = {**observation, "recent": self._rows.copy()}
        return extended, reward, terminated, truncated, info

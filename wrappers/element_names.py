"""Add the names of elements to the table of elements."""

from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.hashed_words import hashed_words
from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["ElementNames"]


class ElementNames(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Adds columns to ``elements``: the name and text of each element as hashed words.

    The table alone contains the position and role of an element, so two buttons next to each other
    look the same. With the instruction as a vector of the same size, a learner can compare both.

    Args:
        env: An environment whose observation has the table ``elements``, and ``info["a11y"]``.
        size: Number of columns to add, float32 in [-1, 1].

    Raises:
        ConfigError: If there is no such table, or the size is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], size: int = 32) -> None:
        RecordConstructorArgs.__init__(self, size=size)
        gym.Wrapper.__init__(self, env)
        require_at_least("size", size, 1)
        parts = dict_space(env, "elements", spaces.Box)
        table = parts["elements"]
        assert isinstance(table, spaces.Box)
        self._size = size
        ones = np.ones((table.shape[0], size), np.float32)
        low, high = np.hstack([table.low, -ones]), np.hstack([table.high, ones])
        self.observation_space = spaces.Dict(
            {**parts, "elements": spaces.Box(low, high, dtype=np.float32)}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._with_names(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_names(observation, info), reward, terminated, truncated, info

    def _with_names(self, observation: dict[str, Any], info: Mapping[str, Any]) -> dict[str, Any]:
        table = observation["elements"]
        names = np.zeros((table.shape[0], self._size), np.float32)
        for node in info["a11y"]["nodes"]:
            row = node["element"] - 1
            if 0 <= row < table.shape[0]:
                names[row] = hashed_words(f"{node['name']} {node['text']}", self._size)
        return {**observation, "elements": np.hstack([table, names])}

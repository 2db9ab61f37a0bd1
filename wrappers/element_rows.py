"""Shorten the table of elements."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["ElementRows"]


class ElementRows(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Keeps the first rows of ``elements`` and caps ``element_count`` at their number.

    Args:
        env: An environment whose observation has the table ``elements``.
        rows: Number of rows to keep.

    Raises:
        ConfigError: If there is no such table or ``element_count``, or it has fewer rows.
    """

    def __init__(self, env: gym.Env[Any, Any], rows: int = 128) -> None:
        RecordConstructorArgs.__init__(self, rows=rows)
        gym.ObservationWrapper.__init__(self, env)
        require_at_least("rows", rows, 1)
        dict_space(env, "element_count", spaces.Discrete)
        parts = dict_space(env, "elements", spaces.Box)
        table = parts["elements"]
        assert isinstance(table, spaces.Box)
        require_at_least("rows of the table", table.shape[0], rows)
        self._rows = rows
        self.observation_space = spaces.Dict(
            {
                **parts,
                "elements": spaces.Box(table.low[:rows], table.high[:rows], dtype=np.float32),
                "element_count": spaces.Discrete(rows + 1),
            }
        )

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return a new observation with the shorter table."""
        return {
            **observation,
            "elements": observation["elements"][: self._rows].copy(),
            "element_count": min(int(observation["element_count"]), self._rows),
        }

"""Observations without some of their parts."""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.require import dict_space

__all__ = ["DropParts"]


class DropParts(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Leaves parts of the observation out, such as ``screenshot`` or ``instruction``.

    Args:
        env: An environment whose observation is a Dict.
        parts: The names of the parts.

    Raises:
        ConfigError: If the observation has no such part.
    """

    def __init__(self, env: gym.Env[Any, Any], parts: Sequence[str]) -> None:
        RecordConstructorArgs.__init__(self, parts=tuple(parts))
        gym.ObservationWrapper.__init__(self, env)
        for name in parts:
            dict_space(env, name, spaces.Space)
        self._dropped = frozenset(parts)
        self.observation_space = spaces.Dict(self._kept(dict(env.observation_space.items())))  # type: ignore[attr-defined]

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return the observation without these parts."""
        return self._kept(observation)

    def _kept(self, parts: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in parts.items() if name not in self._dropped}

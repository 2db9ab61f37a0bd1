"""Encode the instruction as a vector."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.wrappers.hashed_words import hashed_words
from pptarena.wrappers.requirements import dict_space, require_at_least

__all__ = ["InstructionVector"]


class InstructionVector(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Replaces the text of ``instruction`` with a vector of hashed words.

    Args:
        env: An environment whose observation has the text ``instruction``.
        size: Length of the vector, float32 in [-1, 1].

    Raises:
        ConfigError: If there is no such text, or the size is below 1.
    """

    def __init__(self, env: gym.Env[Any, Any], size: int = 64) -> None:
        RecordConstructorArgs.__init__(self, size=size)
        gym.ObservationWrapper.__init__(self, env)
        require_at_least("size", size, 1)
        parts = dict_space(env, "instruction", spaces.Text)
        self._size = size
        box = spaces.Box(-1.0, 1.0, (size,), np.float32)
        self.observation_space = spaces.Dict({**parts, "instruction": box})

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return the observation with the vector in place of the text."""
        vector = hashed_words(observation["instruction"], self._size)
        return {**observation, "instruction": vector}

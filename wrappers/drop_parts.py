"""Drop parts of the observation."""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs

from pptarena.errors import ConfigError
from pptarena.wrappers.requirements import dict_space

__all__ = ["DropParts"]


class DropParts(gym.ObservationWrapper[Any, Any, Any], RecordConstructorArgs):
    """Removes parts of the observation, such as ``screenshot`` or ``instruction``.

    Args:
        env: An environment with a Dict observation.
        parts: The keys to remove.

    Raises:
        ConfigError: If the observation lacks one of these keys, or `parts` is a text.
    """

    def __init__(self, env: gym.Env[Any, Any], parts: Sequence[str]) -> None:
        if isinstance(parts, str):
            raise ConfigError(f"expected parts to be a sequence such as [{parts!r}], got a text")
        RecordConstructorArgs.__init__(self, parts=tuple(parts))
        gym.ObservationWrapper.__init__(self, env)
        for name in parts:
            dict_space(env, name, spaces.Space)
        self._dropped = frozenset(parts)
        parts_by_name = dict(env.observation_space.items())  # type: ignore[attr-defined]
        self.observation_space = spaces.Dict(self._remaining_parts(parts_by_name))

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Return the observation without these parts."""
        return self._remaining_parts(observation)

    def _remaining_parts(self, parts: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in parts.items() if name not in self._dropped}

"""Check the environment that a wrapper is applied to."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces

from pptarena.errors import ConfigError

__all__ = ["dict_space", "require_at_least"]


def dict_space(
    env: gym.Env[Any, Any], key: str, kind: type[spaces.Space[Any]]
) -> dict[str, spaces.Space[Any]]:
    """Return the parts of a Dict observation space that has a part of this name and type.

    Raises:
        ConfigError: If the space is not a Dict or has no such part.
    """
    space = env.observation_space
    parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {}
    if not isinstance(parts.get(key), kind):
        has = ", ".join(f"{name}: {type(part).__name__}" for name, part in parts.items())
        raise ConfigError(
            f"expected an observation with a {kind.__name__} {key!r}, got {has or space}; "
            "the order of wrappers may be wrong"
        )
    return parts


def require_at_least(name: str, value: int, low: int) -> None:
    """Check that a number is an integer and not too small.

    Raises:
        ConfigError: If it is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise ConfigError(f"expected {name} to be a whole number from {low}, got {value!r}")

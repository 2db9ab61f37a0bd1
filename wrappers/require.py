"""What wrappers require of the environment they are put around."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces

from pptarena.errors import ConfigError

__all__ = ["dict_space", "require_at_least"]


def dict_space(
    env: gym.Env[Any, Any], key: str, kind: type[spaces.Space[Any]]
) -> dict[str, spaces.Space[Any]]:
    """Return the parts of a Dict observation space, which must have one of that name and kind.

    Raises:
        ConfigError: If it is no Dict, or has no such part.
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
    """Refuse a number that is no whole number or too small.

    Raises:
        ConfigError: If it is.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise ConfigError(f"expected {name} to be a whole number from {low}, got {value!r}")

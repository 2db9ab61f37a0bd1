"""Check the environment that a wrapper is applied to."""

from typing import Any

import gymnasium as gym
from gymnasium import spaces

from pptarena.errors import ConfigError

__all__ = ["dict_space", "require_actions", "require_at_least", "require_fraction"]

_DIMENSIONS = {"screenshot": 3, "elements": 2}


def dict_space(
    env: gym.Env[Any, Any], key: str, kind: type[spaces.Space[Any]]
) -> dict[str, spaces.Space[Any]]:
    """Return the parts of a Dict observation space that has a part of this name and type.

    Raises:
        ConfigError: If the space is not a Dict or has no such part, or if its frames are stacked.
    """
    space = env.observation_space
    parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {}
    if not isinstance(parts.get(key), kind):
        available = ", ".join(f"{name}: {type(part).__name__}" for name, part in parts.items())
        raise ConfigError(
            f"expected an observation with a {kind.__name__} {key!r}, got {available or space}; "
            "the order of wrappers may be wrong"
        )
    dimensions = _DIMENSIONS.get(key, 0)
    shape = parts[key].shape if dimensions else None
    if shape is not None and len(shape) != dimensions:
        raise ConfigError(
            f"expected {key!r} with {dimensions} dimensions, got the shape {shape}; "
            "apply wrappers that stack observations last"
        )
    return parts


def require_actions(env: gym.Env[Any, Any]) -> None:
    """Check that an environment takes elements of the action space of `PPTArenaEnv`.

    Raises:
        ConfigError: If it has another action space.
    """
    space = env.action_space
    if not isinstance(space, spaces.Dict) or "kind" not in space.spaces:
        raise ConfigError(
            f"expected an environment with the actions of PPTArena-v0, got {space}; "
            "the order of wrappers may be wrong"
        )


def require_fraction(name: str, value: object) -> None:
    """Check that a number is above 0 and at most 1.

    Raises:
        ConfigError: If it is not.
    """
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
    if not 0.0 < number <= 1.0:
        raise ConfigError(f"expected {name} to be above 0 and at most 1, got {value!r}")


def require_at_least(name: str, value: int, low: int) -> None:
    """Check that a number is an integer and not too small.

    Raises:
        ConfigError: If it is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise ConfigError(f"expected {name} to be a whole number from {low}, got {value!r}")

"""What the next draws of a sub-environment depend on: taken, and given to another one."""

import copy
from typing import Any

import gymnasium as gym

from pptarena.envs.checkpoint import Luck
from pptarena.envs.ppt_arena import PPTArenaEnv
from pptarena.errors import ConfigError

__all__ = ["base_env", "give_luck", "take_luck"]


def base_env(env: gym.Env[Any, Any]) -> PPTArenaEnv:
    """Return the pptarena environment below all wrappers.

    Raises:
        ConfigError: If it is another environment.
    """
    base = env.unwrapped
    if not isinstance(base, PPTArenaEnv):
        raise ConfigError(f"expected a PPTArena environment, got {type(base).__name__}")
    return base


def take_luck(env: gym.Env[Any, Any]) -> Luck:
    """Return the luck of an environment, in memory of its own; no reset may run meanwhile."""
    base = base_env(env)
    return Luck(copy.deepcopy(base.np_random), base.np_random_seed, base._draw.ahead)


def give_luck(env: gym.Env[Any, Any], luck: Luck) -> None:
    """Let an environment draw what the one would have drawn that the luck is from."""
    base_env(env)._take_luck(luck)

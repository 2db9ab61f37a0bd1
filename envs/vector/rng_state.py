"""What the next draws of a sub-environment depend on: taken, and given to another one."""

import copy
from typing import Any

import gymnasium as gym

from pptarena.envs.checkpoint import RngState
from pptarena.envs.ppt_arena import base_env

__all__ = ["get_rng_state", "set_rng_state"]


def get_rng_state(env: gym.Env[Any, Any]) -> RngState:
    """Return what the draws of an environment depend on, as a copy; no reset may run meanwhile."""
    base = base_env(env)
    return RngState(copy.deepcopy(base.np_random), base.np_random_seed, base._draw.ahead)


def set_rng_state(env: gym.Env[Any, Any], rng_state: RngState) -> None:
    """Let an environment draw what the one would have drawn that the state is from."""
    base_env(env)._set_rng_state(rng_state)

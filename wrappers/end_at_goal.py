"""Episodes that end when the goal is reached."""

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.errors import ConfigError

__all__ = ["EndAtGoal"]


class EndAtGoal(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Terminates an episode as soon as ``info["score"]`` reaches the goal.

    For the first stages of training: the learner need not find out when to say ``done``. What is
    measured under it is not comparable with what is measured without.

    Args:
        env: A pptarena environment.
        score: The goal, above 0 and at most 1.

    Raises:
        ConfigError: If the goal is outside that range.
    """

    def __init__(self, env: gym.Env[Any, Any], score: float = 1.0) -> None:
        RecordConstructorArgs.__init__(self, score=score)
        gym.Wrapper.__init__(self, env)
        if not 0.0 < score <= 1.0:
            raise ConfigError(f"expected a score above 0 and at most 1, got {score!r}")
        self._goal = score

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Carry out one action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if not info["infra_error"] and info["score"] >= self._goal:
            terminated, truncated = True, False
        return observation, reward, terminated, truncated, info

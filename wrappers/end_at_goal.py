"""Episodes that end when the goal is reached."""

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.envs.actions import done, to_space
from pptarena.errors import ConfigError

__all__ = ["EndAtGoal"]


class EndAtGoal(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Says ``done`` as soon as ``info["score"]`` reaches the goal.

    For the first stages of training: the learner need not find out when to say it. The step that
    reaches the goal ends the episode as ``done`` does: the document is saved, looked at and scored
    for good, which may leave less than the goal, and that is the score that counts. What is
    measured under it is not comparable with what is measured without.

    Args:
        env: A pptarena environment; it must take elements of its own action space.
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
        """Carry out one action, and end the episode if it reaches the goal.

        What the last observation and ``info`` say is from then on; the reward is that of both.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        reached = not info["infra_error"] and info["score"] >= self._goal
        if terminated or truncated or not reached:
            ended = terminated or reached  # by its budget too: reaching the goal is no mere cut
            return observation, reward, ended, truncated and not ended, info
        observation, more, terminated, truncated, info = self.env.step(to_space(done()))
        # A lost machine pays nothing, whatever was reached before it was lost.
        paid = 0.0 if info["infra_error"] else float(reward) + float(more)
        return observation, paid, terminated, truncated, info

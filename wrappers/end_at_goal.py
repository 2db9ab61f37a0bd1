"""End the episode when the score reaches the goal."""

from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.envs.actions import done, to_space
from pptarena.errors import ConfigError

__all__ = ["EndAtGoal"]


class EndAtGoal(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Sends ``done`` as soon as ``info["score"]`` reaches the goal.

    Use it in the first stages of training, where the learner need not learn when to send ``done``.
    The step that reaches the goal ends the episode as ``done`` does: the document is saved,
    rendered and scored. That final score counts, even if it is below the goal. Results with this
    wrapper are not comparable with results without it.

    Args:
        env: A pptarena environment; it must accept elements of its own action space.
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
        """Execute one action, and end the episode if it reaches the goal.

        In that case the last observation and ``info`` come from ``done``, and the reward is the sum
        of both steps.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        reached = not info["infra_error"] and info["score"] >= self._goal
        if terminated or truncated or not reached:
            ended = terminated or reached  # also if truncated by its budget
            return observation, reward, ended, truncated and not ended, info
        observation, more, terminated, truncated, info = self.env.step(to_space(done()))
        # A lost machine pays nothing, regardless of the previous score.
        paid = 0.0 if info["infra_error"] else float(reward) + float(more)
        return observation, paid, terminated, truncated, info

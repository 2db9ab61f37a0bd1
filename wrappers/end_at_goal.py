"""End the episode when the score reaches the goal."""

import json
from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.envs.actions import done, to_space
from pptarena.envs.document.call import CallSpace, ToolCall
from pptarena.wrappers.requirements import require_actions, require_fraction

__all__ = ["EndAtGoal"]


class EndAtGoal(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Sends ``done`` as soon as ``info["score"]`` reaches the goal.

    Use it in the first stages of training, where the learner need not learn when to send ``done``.
    The step that reaches the goal ends the episode as ``done`` does: the document is saved,
    rendered and scored. That final score counts, even if it is below the goal. Results with this
    wrapper are not comparable with results without it.

    Args:
        env: A `PPTArenaEnv` or `PPTArenaDocEnv`. Apply wrappers of the action space, such as
            `SomActions`, after this one.
        score: The goal, above 0 and at most 1.

    Raises:
        ConfigError: If the goal is outside that range, or `env` takes other actions.
    """

    def __init__(self, env: gym.Env[Any, Any], score: float = 1.0) -> None:
        RecordConstructorArgs.__init__(self, score=score)
        gym.Wrapper.__init__(self, env)
        require_fraction("score", score)
        self._goal = score
        if isinstance(env.action_space, CallSpace):
            self._done: Any = json.dumps(ToolCall.of("done").to_json())
        else:
            require_actions(env)
            self._done = to_space(done())

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute one action, and end the episode if it reaches the goal.

        In that case the last observation and ``info`` come from ``done``, and the reward is the sum
        of both steps.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        reached = not info["infra_error"] and info["score"] >= self._goal
        if terminated or truncated or not reached:
            is_done = terminated or reached  # also if truncated by its budget
            return observation, reward, is_done, truncated and not is_done, info
        observation, last_reward, terminated, truncated, info = self.env.step(self._done)
        # A lost machine pays nothing, regardless of the previous score.
        total = 0.0 if info["infra_error"] else float(reward) + float(last_reward)
        return observation, total, terminated, truncated, info

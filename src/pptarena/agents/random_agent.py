"""`RandomAgent` and `RandomCaller`: plausible but aimless actions and edits."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.agents.base import episode_rng
from pptarena.envs import random_action
from pptarena.envs.actions import Action
from pptarena.envs.document.call import ToolCall
from pptarena.envs.document.random_call import random_call

__all__ = ["RandomAgent", "RandomCaller"]


class RandomAgent:
    """Acts at random (`pptarena.envs.random_action`): mostly clicks on elements of the screen.

    Two agents with the same seed, task and observations choose the same actions; on another task
    the actions differ. The agent is a lower bound for other agents and a stress test for machines.
    It does not read the instruction.

    Example:
        >>> agent = RandomAgent()
        >>> agent.reset({}, seed=1)
        >>> first = agent.act({"element_count": 0}, {})
        >>> agent.reset({}, seed=1)
        >>> agent.act({"element_count": 0}, {}) == first
        True
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode; the generator depends on `seed` and the task's id."""
        self._random = episode_rng(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Return a random action on the elements of the observation."""
        return random_action(observation, self._random)

    def propose(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], count: int
    ) -> list[Action]:
        """Return several random actions."""
        return [self.act(observation, info) for _ in range(count)]

    def choose(self, index: int) -> None:
        """Do nothing: the agent has no memory."""


class RandomCaller:
    """Edits documents at random (`pptarena.envs.document.random_call`), like `RandomAgent`."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode; the generator depends on `seed` and the task's id."""
        self._random = episode_rng(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return a random call on slides and shapes of the observation's outline."""
        return random_call(observation, self._random)

"""`RandomCaller`: plausible but aimless edits of a document."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pptarena.agents.base import episode_rng
from pptarena.envs.document.call import ToolCall
from pptarena.envs.document.random_call import random_call

__all__ = ["RandomCaller"]


class RandomCaller:
    """Acts at random on documents (`pptarena.envs.document.random_call`), like `RandomAgent`.

    Two agents with the same seed, task and observations make the same calls; on another task the
    calls differ. The agent does not read the instruction.

    Example:
        >>> agent = RandomCaller()
        >>> agent.reset({}, seed=1)
        >>> first = agent.act({"outline": "slide 1, id 256, layout 'Blank'"}, {})
        >>> agent.reset({}, seed=1)
        >>> agent.act({"outline": "slide 1, id 256, layout 'Blank'"}, {}) == first
        True
    """

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode; the generator depends on `seed` and the task's id."""
        self._random = episode_rng(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return a random call on slides and shapes of the observation's outline."""
        return random_call(observation, self._random)

"""The interface between an agent and the code that runs it."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pptarena.envs.actions import Action

__all__ = ["Agent", "ProposingAgent", "RecordingAgent", "episode_rng"]


class Agent(Protocol):
    """Chooses the actions of an episode.

    An agent receives only the values that the environment returns. All its randomness must come
    from the seed passed to `reset`, so that runs are reproducible.
    """

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Args:
            info: The info of the environment's `reset`, including ``task_id`` and ``instruction``.
            seed: Seed of the episode.

        Raises:
            AgentError: If the agent does not support this task.
        """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Choose the next action.

        Args:
            observation: The last observation.
            info: The info of the same step; ``info["a11y"]`` is the accessibility tree.

        Raises:
            AgentError: If the agent cannot continue; the episode is then scored in its current
                state.
        """
        ...


@runtime_checkable
class RecordingAgent(Protocol):
    """An agent that records more than its actions, such as its requests to a model."""

    def record(self) -> Mapping[str, bytes]:
        """Return files to store with the episode, by name."""
        ...


@runtime_checkable
class ProposingAgent(Protocol):
    """An agent that can propose several actions for an observation; one of them is executed."""

    def propose(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], count: int
    ) -> Sequence[Any]:
        """Return one to `count` proposals, each in the form that `Agent.act` returns."""
        ...

    def choose(self, index: int) -> None:
        """Continue as if the proposal with this index had been the only one."""
        ...


def episode_rng(info: Mapping[str, Any], seed: int) -> np.random.Generator:
    """Return the generator of one episode; it depends on the seed and the task.

    Args:
        info: The info that `reset` of the environment returned, including ``task_id``.
        seed: The seed of the episode, 0 or more.
    """
    return np.random.default_rng([seed, zlib.crc32(str(info.get("task_id", "")).encode())])

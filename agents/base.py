"""The interface between an agent and the code that runs it."""

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pptarena.envs.actions import Action

__all__ = ["Agent", "ProposingAgent", "RecordingAgent", "episode_rng"]


class Agent(Protocol):
    """What chooses the actions of an episode.

    An agent sees what the environment returns and nothing else. Whatever it draws at random must
    come from the seed that `reset` gets, so that a run can be repeated.
    """

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Begin an episode.

        Args:
            info: The info of the environment's `reset`; holds ``task_id`` and ``instruction``.
            seed: Seed of the episode.

        Raises:
            AgentError: If the agent cannot play this task.
        """

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Action:
        """Choose the next action.

        Args:
            observation: The last observation.
            info: The info that came with it; ``info["a11y"]`` is the accessibility tree.

        Raises:
            AgentError: If the agent cannot go on; the episode is then scored as it stands.
        """
        ...


@runtime_checkable
class RecordingAgent(Protocol):
    """An agent that leaves more than its actions, such as what it asked a model."""

    def record(self) -> Mapping[str, bytes]:
        """Return files to be kept with the episode that was played, by name."""
        ...


@runtime_checkable
class ProposingAgent(Protocol):
    """An agent that can name several actions for one observation, one of which is carried out."""

    def propose(
        self, observation: Mapping[str, Any], info: Mapping[str, Any], count: int
    ) -> Sequence[Any]:
        """Return at most `count` answers, each as `Agent.act` would give it, at least one."""
        ...

    def choose(self, index: int) -> None:
        """Go on as if the answer with this index had been the only one."""
        ...


def episode_rng(info: Mapping[str, Any], seed: int) -> np.random.Generator:
    """Return the generator of one episode: equal for equal seeds and tasks, else another.

    Args:
        info: What `reset` of the environment returned; of it, ``task_id``.
        seed: The seed of the episode, 0 or more.
    """
    return np.random.default_rng([seed, zlib.crc32(str(info.get("task_id", "")).encode())])

"""Groups of rollouts from one state, for group-relative learners.

`group_rollouts` forks a running episode and plays every fork to its end. All members start from the
same memory, pixels and score, so only the agent's choices differ.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from statistics import fmean, pstdev
from typing import TypeVar

from pptarena.agents.base import Agent
from pptarena.envs import Checkpoint, PPTArenaEnv
from pptarena.envs.actions import Action
from pptarena.errors import AgentError, ConfigError, EndpointError

__all__ = ["Member", "group_advantages", "group_rollouts"]

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Member:
    """One rollout of a group.

    Attributes:
        actions: The agent's actions, from the common state on.
        rewards: Reward of each action.
        score: Final score; None if machine or agent failed, or the rollout is unscored.
        infra_error: Failure of the infrastructure or of the model's service; None if there was
            none.
        agent_error: Why the agent could not continue; None if it could.
    """

    actions: tuple[Action, ...]
    rewards: tuple[float, ...]
    score: float | None
    infra_error: str | None
    agent_error: str | None = None

    @property
    def total_reward(self) -> float | None:
        """Sum of the rewards from the common state on; None if there is no score."""
        return None if self.score is None else sum(self.rewards)


def group_rollouts(
    env: PPTArenaEnv,
    make_agent: Callable[[], Agent],
    size: int,
    seed: int = 0,
    checkpoint: Checkpoint | None = None,
) -> tuple[Member, ...]:
    """Play `size` rollouts from one state concurrently; the episode of `env` does not change.

    Args:
        env: An environment on a machine that can fork (``qemu``, ``fake``).
        make_agent: Creates the agent of one member, which is closed at the end if it can be. An
            agent that raises ends only its own rollout, which then has no score.
        size: Number of rollouts.
        seed: The agent of member i is reset with ``seed + i``.
        checkpoint: The state to start from; None for the current state of the episode.

    Raises:
        ConfigError: If the machine cannot fork, or `size` is below 1.
        ResetNeeded: If there is neither a running episode nor a checkpoint.
        MachineError: If a fork did not start; all forks are closed then.
    """
    with ExitStack() as stack:
        forks = env.fork(size, checkpoint)
        for fork in forks:
            stack.callback(fork.close)
        pool = stack.enter_context(ThreadPoolExecutor(size, "pptarena-group"))
        seeds = range(seed, seed + size)
        return tuple(pool.map(partial(_member, make_agent), forks, seeds))


def group_advantages(rewards: Sequence[float | None], epsilon: float = 1e-6) -> list[float | None]:
    """Return the advantage of each member over its group.

    ``(reward - mean) / (standard deviation + epsilon)``, the advantage of GRPO (DeepSeekMath, arXiv
    2402.03300). Members without a reward are ignored and have no advantage; in a group of equal
    rewards it is 0.

    Args:
        rewards: One per member, None if the infrastructure failed.
        epsilon: Keeps the quotient finite.

    Raises:
        ConfigError: If epsilon is not above 0.
    """
    if not epsilon > 0:
        raise ConfigError(f"epsilon: expected more than 0, got {epsilon}")
    known_rewards = [reward for reward in rewards if reward is not None]
    if not known_rewards:
        return [None] * len(rewards)
    mean, spread = fmean(known_rewards), pstdev(known_rewards)
    return [None if each is None else (each - mean) / (spread + epsilon) for each in rewards]


def _member(make_agent: Callable[[], Agent], env: PPTArenaEnv, seed: int) -> Member:
    actions: list[Action] = []
    rewards: list[float] = []
    with ExitStack() as stack:
        try:
            agent = _call_agent(make_agent)
            stack.callback(_close, agent, seed)
            return _play(env, agent, seed, actions, rewards)
        except EndpointError as error:
            return Member(tuple(actions), tuple(rewards), None, f"EndpointError: {error}")
        except AgentError as error:
            _log.warning("the agent of seed %d failed: %s", seed, error)
            return Member(tuple(actions), tuple(rewards), None, None, str(error))


def _close(agent: Agent, seed: int) -> None:
    try:
        getattr(agent, "close", lambda: None)()
    except Exception as error:  # noqa: BLE001 - other rollouts are still running
        _log.warning(
            "the agent of seed %d failed to close: %s: %s", seed, type(error).__name__, error
        )


def _call_agent(call: Callable[[], _T]) -> _T:
    """Return the result of a call of an agent; exceptions it raises become `AgentError`."""
    try:
        return call()
    except (AgentError, EndpointError):
        raise
    except Exception as error:
        raise AgentError(f"{type(error).__name__}: {error}") from error


def _play(
    env: PPTArenaEnv, agent: Agent, seed: int, actions: list[Action], rewards: list[float]
) -> Member:
    observation, info = env.last()
    _call_agent(partial(agent.reset, info, seed))
    is_over = False
    while not is_over:
        action = _call_agent(partial(agent.act, observation, info))
        observation, reward, terminated, truncated, info = env.step(action)
        actions.append(action)
        rewards.append(float(reward))
        is_over = terminated or truncated
    error = info["infra_error"]
    is_scored = error is None and info["rubric"].get("score") is not None
    return Member(
        tuple(actions), tuple(rewards), float(info["score"]) if is_scored else None, error
    )

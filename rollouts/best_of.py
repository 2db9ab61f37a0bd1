"""Best of n: several actions are tried in forks of the machine, and the best one is taken.

The critic is the task's own rubric, which no agent sees while it plays: what comes of it says what
a perfect critic is worth to an agent, not what the agent can do alone.
"""

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent, ProposingAgent, RecordingAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.ppt_arena import PPTArenaEnv, base_env
from pptarena.errors import ActionError, ConfigError, MachineError

__all__ = ["BestOf", "Proposals"]

_REFUSED = -1.0  # less than any score


@dataclasses.dataclass(frozen=True)
class Proposals:
    """What an agent would do, before it is tried.

    Attributes:
        answers: As an agent's `act` gives them.
        choose: Tells the agent which one was taken.
    """

    answers: tuple[object, ...]
    choose: Callable[[int], None]

    def best(self, env: gym.Env[Any, Any]) -> object:
        """Return the answer after which the deck would score most if the episode ended.

        Of several such it is the one that was proposed most often, then the first.

        Raises:
            ConfigError: If the machine has no forks.
            MachineError: If a fork failed.
        """
        actions_of: dict[Action, list[int]] = {}
        for index, answer in enumerate(self.answers):
            try:
                found = dataclasses.replace(actions.as_action(answer), observation_id=0)
            except ActionError:
                continue
            actions_of.setdefault(found, []).append(index)
        chosen = 0
        if len(actions_of) == 1:
            chosen = next(iter(actions_of.values()))[0]
        elif actions_of:
            values = dict(zip(actions_of, _tried(base_env(env), list(actions_of)), strict=True))
            best = max(actions_of, key=lambda each: (values[each], len(actions_of[each])))
            chosen = actions_of[best][0]
        self.choose(chosen)
        return self.answers[chosen]


class BestOf:
    """An agent whose actions are tried before one is taken.

    Args:
        agent: Who proposes.
        count: How many actions for each step.

    Raises:
        ConfigError: If the agent proposes none, or there are fewer than two.
    """

    def __init__(self, agent: Agent, count: int) -> None:
        if count < 2:
            raise ConfigError(f"best of: expected 2 actions or more, got {count}")
        if not isinstance(agent, ProposingAgent):
            raise ConfigError(
                "best of: expected an agent that proposes several actions (random, model, or one "
                f"with propose() and choose()), got {type(agent).__name__}"
            )
        self._agent, self._proposing, self._count = agent, agent, count

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Begin an episode."""
        self._agent.reset(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return `Proposals`, which the code that plays tries in forks."""
        found = self._proposing.propose(observation, info, self._count)
        return Proposals(tuple(found), self._proposing.choose)

    def record(self) -> Mapping[str, bytes]:
        """Return what the agent leaves, if it leaves anything."""
        return self._agent.record() if isinstance(self._agent, RecordingAgent) else {}

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        close = getattr(self._agent, "close", None)
        if callable(close):
            close()


def _tried(env: PPTArenaEnv, candidates: list[Action]) -> list[float]:
    with ExitStack() as stack:
        forks = env.fork(len(candidates))
        for fork in forks:
            stack.callback(fork.close)
        return [_value(fork, action) for fork, action in zip(forks, candidates, strict=True)]


def _value(fork: PPTArenaEnv, action: Action) -> float:
    """Return the score of an episode that ends after an action; -1 if that is refused."""
    over, info = _step(fork, action)
    if info["action_error"]:
        return _REFUSED
    while not over:
        over, info = _step(fork, actions.done())
    return _REFUSED if info["rubric"].get("score") is None else float(info["score"])


def _step(fork: PPTArenaEnv, action: Action) -> tuple[bool, dict[str, Any]]:
    _, _, terminated, truncated, info = fork.step(action)
    if info["infra_error"]:
        raise MachineError(f"a fork failed: {info['infra_error']}")
    return terminated or truncated, info

"""Best of n: execute several proposed actions in forks of the machine, and keep the best one.

The critic is the task's own rubric, which no agent has access to during an episode. The result
shows how much a perfect critic would help an agent, not the agent's own performance.
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

_REFUSED_SCORE = -1.0  # below any score


@dataclasses.dataclass(frozen=True)
class Proposals:
    """Actions that an agent proposes, before they are executed.

    Attributes:
        answers: The proposals, in the form that an agent's `act` returns.
        choose: Reports the selected proposal to the agent.
    """

    answers: tuple[object, ...]
    choose: Callable[[int], None]

    def best(self, env: gym.Env[Any, Any]) -> object:
        """Return the proposal after which the deck would score most if the episode ended there.

        Ties go to the proposal that was made most often, then to the first one.

        Raises:
            ConfigError: If the machine cannot fork.
            MachineError: If a fork failed.
        """
        indices_by_action: dict[Action, list[int]] = {}
        for index, answer in enumerate(self.answers):
            try:
                action = dataclasses.replace(actions.as_action(answer), observation_id=0)
            except ActionError:
                continue
            indices_by_action.setdefault(action, []).append(index)
        best_index = 0
        if len(indices_by_action) == 1:
            best_index = next(iter(indices_by_action.values()))[0]
        elif indices_by_action:
            candidates = list(indices_by_action)
            scores = dict(zip(candidates, _score_in_forks(base_env(env), candidates), strict=True))
            best = max(candidates, key=lambda each: (scores[each], len(indices_by_action[each])))
            best_index = indices_by_action[best][0]
        self.choose(best_index)
        return self.answers[best_index]


class BestOf:
    """An agent whose proposals are executed in forks to choose the best one.

    Args:
        agent: The agent that makes the proposals.
        count: Number of proposals per step.

    Raises:
        ConfigError: If the agent makes no proposals, or `count` is below two.
    """

    def __init__(self, agent: Agent, count: int) -> None:
        if count < 2:
            raise ConfigError(f"best of: expected at least 2 actions, got {count}")
        if not isinstance(agent, ProposingAgent):
            raise ConfigError(
                "best of: expected an agent that proposes several actions (random, model, or one "
                f"with propose() and choose()), got {type(agent).__name__}"
            )
        self._agent, self._proposing, self._count = agent, agent, count

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode."""
        self._agent.reset(info, seed)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> Any:
        """Return `Proposals`, which the runner executes in forks."""
        proposals = self._proposing.propose(observation, info, self._count)
        return Proposals(tuple(proposals), self._proposing.choose)

    def record(self) -> Mapping[str, bytes]:
        """Return the files of the agent, if any."""
        return self._agent.record() if isinstance(self._agent, RecordingAgent) else {}

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        close = getattr(self._agent, "close", None)
        if callable(close):
            close()


def _score_in_forks(env: PPTArenaEnv, candidates: list[Action]) -> list[float]:
    with ExitStack() as stack:
        forks = env.fork(len(candidates))
        for fork in forks:
            stack.callback(fork.close)
        return [_value(fork, action) for fork, action in zip(forks, candidates, strict=True)]


def _value(fork: PPTArenaEnv, action: Action) -> float:
    """Return the score if the episode ended after this action; -1 if the action is refused."""
    is_over, info = _step(fork, action)
    if info["action_error"]:
        return _REFUSED_SCORE
    while not is_over:
        is_over, info = _step(fork, actions.done())
    return _REFUSED_SCORE if info["rubric"].get("score") is None else float(info["score"])


def _step(fork: PPTArenaEnv, action: Action) -> tuple[bool, dict[str, Any]]:
    _, _, terminated, truncated, info = fork.step(action)
    if info["infra_error"]:
        raise MachineError(f"a fork failed: {info['infra_error']}")
    return terminated or truncated, info

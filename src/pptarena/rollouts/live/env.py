"""`LiveEnv`: a wrapper that shows an environment in live pages."""

from collections.abc import Callable
from typing import Any, SupportsFloat

import gymnasium as gym

from pptarena.envs.document import PPTArenaDocEnv
from pptarena.rollouts.confirmers import PERSON, confirmer_name, make_confirmer
from pptarena.rollouts.env import make_env
from pptarena.rollouts.live.publisher import publisher
from pptarena.rollouts.live.station import Station
from pptarena.tasks import Task
from pptarena.wrappers.confirm_risky import ConfirmRisky, refusal

__all__ = ["PAGE", "LiveEnv", "make_live_env", "station_of"]

Observation = dict[str, Any]
PAGE = "page"
"""Value of ``answer`` and ``confirm`` for a person in the live page."""


class LiveEnv(gym.Wrapper[Observation, Any, Observation, Any]):
    """Show the episodes of an environment to live pages; observations and rewards are unchanged.

    Only a person who has control may refuse an action of the agent; ``info["confirmation"]`` then
    describes the decision as that of `pptarena.wrappers.ConfirmRisky`.

    Wrap the environment itself, inside of wrappers that change observations. In a vector
    environment, each process shows its own environments: ``env_wrappers=(LiveEnv,)``. Start
    ``pptarena live`` on the same computer to watch. If no page is open, the wrapper only keeps a
    reference to the last observation.

    Args:
        env: A `PPTArenaEnv` or `PPTArenaDocEnv`, possibly wrapped.

    Example:
        >>> env = LiveEnv(pptarena.make("meridian-hide-backup", machine="fake"))
        >>> obs, info = env.reset(seed=0)
        >>> env.close()
    """

    def __init__(self, env: gym.Env[Observation, Any]) -> None:
        super().__init__(env)
        self._station: Station | None = None

    @property
    def station(self) -> Station:
        """The station of this environment."""
        if self._station is None:
            self._station = publisher().add()
            if isinstance(base := self.env.unwrapped, PPTArenaDocEnv):
                self._station.tools = base.tools
        return self._station

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start an episode and show its first observation."""
        observation, info = self.env.reset(seed=seed, options=options)
        self.station.begin(observation, info)
        return observation, info

    def step(self, action: Any) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Execute an action, unless a person with control overrules it, and show its result."""
        decision = self.station.overrule(action)
        executed = action if decision is None or decision["allowed"] else refusal(decision)
        observation, reward, terminated, truncated, info = self.env.step(executed)
        if decision is not None:
            info = {"confirmation": decision, **info}
        self.station.show(action, observation, float(reward), terminated or truncated, info)
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Close the environment and stop showing it."""
        if self._station is not None:
            publisher().remove(self._station)
        super().close()


def make_live_env(
    make: Callable[..., gym.Env[Any, Any]] = make_env,
    answer: Any = None,
    confirm: Any = None,
    **options: Any,
) -> LiveEnv:
    """Create an environment in a `LiveEnv`.

    Args:
        make: `make_env` or `make_document_env`.
        answer: `PAGE`, or a value that `PPTArenaEnv` accepts.
        confirm: `PAGE`, a value that `make_confirmer` accepts, or None to execute risky actions.
        options: Other arguments of `make`.
    """
    live_envs: list[LiveEnv] = []

    def ask_page(task: Task, question: str) -> str:
        return live_envs[0].station.answer(task, question)

    def confirm_on_page(task: Task, question: str) -> bool | str:
        return live_envs[0].station.confirm(task, question)

    def is_by_person() -> bool:
        return live_envs[0].station.actor == PERSON

    env = make(answer=ask_page if answer == PAGE else answer, **options)
    if confirm is not None:
        on_page = confirm == PAGE
        decide = confirm_on_page if on_page else make_confirmer(confirm)
        confirmer = PERSON if on_page else confirmer_name(confirm)
        env = ConfirmRisky(env, decide, confirmer, is_by_person)
    live_envs.append(LiveEnv(env))
    return live_envs[0]


def station_of(env: gym.Env[Any, Any]) -> Station | None:
    """Return the station of an environment; None if no wrapper of it is a `LiveEnv`."""
    layer: Any = env
    while isinstance(layer, gym.Wrapper):
        if isinstance(layer, LiveEnv):
            return layer.station
        layer = layer.env
    return None

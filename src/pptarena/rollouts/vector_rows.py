"""A common interface to time vector environments of pptarena and of other libraries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array

from pptarena.envs import PPTArenaEnv
from pptarena.envs.action import Action
from pptarena.envs.action_space import to_space
from pptarena.errors import ConfigError, missing_package

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import SubprocVecEnv

__all__ = ["VECTORS", "GymnasiumRows", "Played", "Row", "Sb3Rows", "VectorRows", "make_rows"]

VECTORS = ("pptarena", "async", "sync", "sb3")
"""pptarena's vector, gymnasium's `AsyncVectorEnv` and `SyncVectorEnv`, and stable-baselines3's
`SubprocVecEnv`, the last three with default settings except for the start method of processes.
"""

Row = tuple[dict[str, Any], dict[str, Any]]

_START_METHOD = "forkserver"  # forking a process with threads may hang; SB3's default


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one environment for one call.

    Attributes:
        row: Observation and info for choosing the next action.
        was_step: Whether the action was executed; otherwise the call only started an episode.
        ended: Whether the episode ended.
        infra_error: The infrastructure failure; None if there was none.
    """

    row: Row
    was_step: bool
    ended: bool
    infra_error: str | None


class VectorRows(Protocol):
    """A vector of environments, accessed row by row.

    Attributes:
        num_envs: Number of environments.
        calls_per_reset: Number of `step` calls that a reset takes; 0 if it shares the call that
            ends the episode.
    """

    num_envs: int
    calls_per_reset: int

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each; the first has this seed, incremented for each of the others."""
        ...

    def step(self, actions: Sequence[Action]) -> list[Played]:
        """Step each."""
        ...

    def close(self) -> None:
        """Close all of them."""
        ...


class GymnasiumRows:
    """A Gymnasium vector in the autoreset mode NEXT_STEP.

    Args:
        envs: The vector; `close` closes it.
    """

    calls_per_reset = 1

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        self._envs = envs
        self.num_envs = envs.num_envs
        self._over = np.zeros(self.num_envs, np.bool_)

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each."""
        state = self._envs.reset(seed=seed)
        self._over[:] = False
        return [_row(state, number) for number in range(self.num_envs)]

    def step(self, actions: Sequence[Action]) -> list[Played]:
        """Step each, or start the next episode where one ended."""
        space = self._envs.single_action_space
        empty: Any = create_empty_array(space, len(actions))
        batch = concatenate(space, [to_space(action) for action in actions], empty)
        observation, _, terminated, truncated, infos = self._envs.step(batch)
        ended = terminated | truncated
        rows = [_row((observation, infos), number) for number in range(self.num_envs)]
        played = [
            Played(row, not over, bool(end), row[1]["infra_error"])
            for row, over, end in zip(rows, self._over, ended, strict=True)
        ]
        self._over = ended
        return played

    def close(self) -> None:
        """Close all of them."""
        self._envs.close()


class Sb3Rows:
    """A stable-baselines3 vector, which resets in the step that ends an episode.

    Args:
        envs: The vector; `close` closes it.
    """

    calls_per_reset = 0

    def __init__(self, envs: "SubprocVecEnv") -> None:
        self._envs = envs
        self.num_envs = envs.num_envs

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each."""
        self._envs.seed(seed)
        observation = self._envs.reset()
        return [_part(observation, n, self._envs.reset_infos[n]) for n in range(self.num_envs)]

    def step(self, actions: Sequence[Action]) -> list[Played]:
        """Step each; if the episode ended, the row is the first one of the next."""
        # Typed as an array, but the environments accept one action object each.
        batch: Any = [to_space(action) for action in actions]
        observation, _, dones, infos = self._envs.step(batch)
        return [
            Played(
                _part(observation, n, self._envs.reset_infos[n] if done else info),
                was_step=True,
                ended=bool(done),
                infra_error=info["infra_error"],
            )
            for n, (done, info) in enumerate(zip(dones, infos, strict=True))
        ]

    def close(self) -> None:
        """Close all of them."""
        self._envs.close()


def make_rows(vector: str, num_envs: int, **arguments: Any) -> VectorRows:
    """Return a vector to be measured.

    Args:
        vector: One of `VECTORS`.
        num_envs: Number of environments.
        arguments: Arguments of `pptarena.envs.PPTArenaEnv`.

    Raises:
        ConfigError: If there is no such vector, an argument is not allowed, or stable-baselines3 is
            missing.
    """
    if vector == "sb3":
        try:
            from stable_baselines3.common.vec_env import SubprocVecEnv
        except ImportError as error:
            raise missing_package("this vector", "stable-baselines3", "sb3") from error
        made = [lambda: PPTArenaEnv(**arguments)] * num_envs
        return Sb3Rows(SubprocVecEnv(made, start_method=_START_METHOD))  # type: ignore[arg-type]
    if vector not in VECTORS:
        raise ConfigError(f"expected a vector out of {', '.join(VECTORS)}, got {vector!r}")
    how: dict[str, Any] = {} if vector == "pptarena" else {"vectorization_mode": vector}
    if vector == "async":
        how["vector_kwargs"] = {"context": _START_METHOD}
    # With the module name, subprocesses find the environment, too.
    return GymnasiumRows(gym.make_vec("pptarena:PPTArena-v0", num_envs, **how, **arguments))


def _part(observation: Any, number: int, info: dict[str, Any]) -> Row:
    return {name: value[number] for name, value in observation.items()}, info


def _row(state: tuple[dict[str, Any], dict[str, Any]], number: int) -> Row:
    observation, infos = state
    return _part(observation, number, _one(infos, number))


def _one(infos: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        name: _one(value, number) if isinstance(value, dict) else value[number]
        for name, value in infos.items()
        if not name.startswith("_") and infos[f"_{name}"][number]
    }

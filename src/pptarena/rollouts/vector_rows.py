"""A common interface to time vector environments of pptarena and of other libraries."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import gymnasium as gym
import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import concatenate, create_empty_array

from pptarena.envs import PPTArenaEnv
from pptarena.envs.action import Action
from pptarena.envs.action_space import to_space
from pptarena.envs.vector import PPTArenaVectorEnv
from pptarena.errors import ConfigError, missing_package

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import SubprocVecEnv

__all__ = [
    "VECTORS",
    "AsynchronousRows",
    "GymnasiumRows",
    "Played",
    "Row",
    "Sb3Rows",
    "VectorRows",
    "make_rows",
]

VECTORS = ("pptarena", "lockstep", "async", "sync", "sb3")
"""pptarena's vector by `send` and `recv` and by `step`, gymnasium's `AsyncVectorEnv` and
`SyncVectorEnv`, and stable-baselines3's `SubprocVecEnv`, the last three with default settings
except for the start method of processes.
"""

Row = tuple[dict[str, Any], dict[str, Any]]

_START_METHOD = "forkserver"  # forking a process with threads may hang; SB3's default


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one environment for one action.

    Attributes:
        row: Observation and info for choosing the next action.
        was_step: Whether the action was executed; otherwise it only started an episode.
        ended: Whether the episode ended.
        begun: Whether the row is the first one of an episode.
        infra_error: The infrastructure failure; None if there was none.
    """

    row: Row
    was_step: bool
    ended: bool
    begun: bool
    infra_error: str | None


class VectorRows(Protocol):
    """A vector of environments, accessed row by row.

    Attributes:
        num_envs: Number of environments.
    """

    num_envs: int

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each; the first has this seed, incremented for each of the others."""
        ...

    def send(self, number: int, action: Action) -> None:
        """Step an environment, in lockstep once all have been sent an action."""
        ...

    def recv(self) -> dict[int, Played]:
        """Wait for at least one result; return those that are ready."""
        ...

    def close(self) -> None:
        """Close all of them."""
        ...


class AsynchronousRows:
    """pptarena's vector, whose environments do not wait for each other.

    Args:
        envs: The vector; `close` closes it.
    """

    def __init__(self, envs: PPTArenaVectorEnv) -> None:
        self._envs = envs
        self.num_envs: int = envs.num_envs
        self._over = [False] * self.num_envs

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each."""
        state = self._envs.reset(seed=seed)
        self._over = [False] * self.num_envs
        return [_row(state, number) for number in range(self.num_envs)]

    def send(self, number: int, action: Action) -> None:
        """Step an environment, or start the next episode if one ended."""
        self._envs.send({number: action})

    def recv(self) -> dict[int, Played]:
        """Wait for at least one result."""
        found = {}
        for number, (observation, _, terminated, truncated, info) in self._envs.recv().items():
            found[number] = _played(
                (observation, info), terminated or truncated, self._over[number]
            )
            self._over[number] = found[number].ended
        return found

    def close(self) -> None:
        """Close all of them."""
        self._envs.close()


class GymnasiumRows:
    """A Gymnasium vector in the autoreset mode NEXT_STEP, in lockstep.

    Args:
        envs: The vector; `close` closes it.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        self._envs = envs
        self.num_envs = envs.num_envs
        self._over = np.zeros(self.num_envs, np.bool_)
        self._actions: dict[int, Action] = {}

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each."""
        state = self._envs.reset(seed=seed)
        self._over[:] = False
        return [_row(state, number) for number in range(self.num_envs)]

    def send(self, number: int, action: Action) -> None:
        """Keep the action."""
        self._actions[number] = action

    def recv(self) -> dict[int, Played]:
        """Step each, or start the next episode where one ended."""
        space = self._envs.single_action_space
        empty: Any = create_empty_array(space, self.num_envs)
        actions = [to_space(self._actions[number]) for number in range(self.num_envs)]
        batch = concatenate(space, actions, empty)
        observation, _, terminated, truncated, infos = self._envs.step(batch)
        ended = terminated | truncated
        found = {
            number: _played(
                _row((observation, infos), number), bool(ended[number]), bool(self._over[number])
            )
            for number in range(self.num_envs)
        }
        self._over = ended
        return found

    def close(self) -> None:
        """Close all of them."""
        self._envs.close()


class Sb3Rows:
    """A stable-baselines3 vector, which resets in the step that ends an episode; in lockstep.

    Args:
        envs: The vector; `close` closes it.
    """

    def __init__(self, envs: "SubprocVecEnv") -> None:
        self._envs = envs
        self.num_envs = envs.num_envs
        self._actions: dict[int, Action] = {}

    def reset(self, seed: int) -> list[Row]:
        """Start an episode in each."""
        self._envs.seed(seed)
        observation = self._envs.reset()
        return [_part(observation, n, self._envs.reset_infos[n]) for n in range(self.num_envs)]

    def send(self, number: int, action: Action) -> None:
        """Keep the action."""
        self._actions[number] = action

    def recv(self) -> dict[int, Played]:
        """Step each; if the episode ended, the row is the first one of the next."""
        # Typed as an array, but the environments accept one action object each.
        batch: Any = [to_space(self._actions[number]) for number in range(self.num_envs)]
        observation, _, dones, infos = self._envs.step(batch)
        return {
            n: Played(
                _part(observation, n, self._envs.reset_infos[n] if done else info),
                was_step=True,
                ended=bool(done),
                begun=bool(done),
                infra_error=info["infra_error"],
            )
            for n, (done, info) in enumerate(zip(dones, infos, strict=True))
        }

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
    if vector == "pptarena":
        return AsynchronousRows(PPTArenaVectorEnv(num_envs, **arguments))
    how: dict[str, Any] = {} if vector == "lockstep" else {"vectorization_mode": vector}
    if vector == "async":
        how["vector_kwargs"] = {"context": _START_METHOD}
    # With the module name, subprocesses find the environment, too.
    return GymnasiumRows(gym.make_vec("pptarena:PPTArena-v0", num_envs, **how, **arguments))


def _played(row: Row, ended: bool, over: bool) -> Played:
    """Return the result of an action in the autoreset mode NEXT_STEP.

    Args:
        row: Observation and info.
        ended: Whether the episode ended.
        over: Whether it had ended before the action.
    """
    return Played(row, not over, ended, over and not ended, row[1]["infra_error"])


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

"""`ParallelVectorEnv`: sub-environments that run concurrently, one thread each."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import iterate
from numpy.typing import NDArray

from pptarena.envs.vector.sub_env import SubEnv
from pptarena.envs.vector.sub_env_vector import SubEnvVectorEnv
from pptarena.envs.vector.worker import Reply, State
from pptarena.errors import MachineStartError

__all__ = ["ParallelVectorEnv"]

_KEY = "reset_mask"

Flags = NDArray[np.bool_]


class ParallelVectorEnv(SubEnvVectorEnv):
    """A vector environment whose machines run concurrently.

    With equal seeds and actions it returns the same results as `gymnasium.vector.SyncVectorEnv`, in
    all autoreset modes. It differs if machines are slow or fail; see ``docs/guides/scale_out.md``.
    It is not thread-safe: only `close` may be called while another call runs.

    In the mode NEXT_STEP the reset starts when the episode ends, not with the next step. `call`,
    `get_attr` and `set_attr` then wait for it and access the new episode, while `render` returns
    the old one.

    Args:
        env_fns: Create the sub-environments; called again to replace one that hangs.
        copy: Whether every result has new arrays; otherwise arrays are reused.
        autoreset_mode: When sub-environments are reset after an episode.
        deadlines: Deadlines; None for the defaults.

    Raises:
        ConfigError: If there are no sub-environments, or they are not pptarena environments or
            differ in their spaces.
    """

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes in all sub-environments, or in those of ``options["reset_mask"]``.

        If a machine does not start, ``infos["infra_error"]`` reports it, and its steps are
        truncated until it has started. A partial reset waits at most one second for
        sub-environments that were lost before.

        Args:
            seed: Seed of the first sub-environment, incremented for each of the others; or a list
                with one seed each.
            options: Options of every reset; ``"reset_mask"``, a bool array (num_envs,), selects the
                sub-environments.

        Raises:
            ClosedEnvironmentError: If the environment is closed.
            MachineStartError: If no machine starts.
            DeckError, UnknownTaskError: If the reset of a sub-environment raises it.
        """
        self._require_open()
        seeds = seeds_of(seed, self.num_envs)
        mask = reset_mask(options, self.num_envs)
        plain = without_mask(options)
        chosen = [sub_env for sub_env in self._sub_envs if mask[sub_env.number]]
        everywhere = bool(mask.all())
        with self._until_concluded():
            for sub_env in chosen:
                sub_env.start_reset(
                    seeds[sub_env.number],
                    plain,
                    patient=everywhere or sub_env.state is State.UNKNOWN,
                )
            self._wait(
                lambda sub_env: sub_env.reset_until(
                    patient=everywhere or sub_env.state is State.UNKNOWN
                ),
                chosen,
            )
            replies = _conclude(chosen, SubEnv.conclude_reset)
            if everywhere:
                self._require_some_machine()
        infos: dict[str, Any] = {}
        for sub_env, reply in zip(chosen, replies, strict=True):
            infos = self._add_info(infos, reply.info, sub_env.number)
        return self._batch(), infos

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Step all sub-environments concurrently; see the class and `AutoresetMode`.

        If a step exceeds ``deadlines.step_deadline_sec``, its sub-environment is truncated with
        reward 0 and ``infra_error``, and is replaced in the background. If a machine failed, its
        sub-environment is truncated the same way until it has restarted.

        Args:
            actions: An element of the batched action space; with a Dict space also a list of
                actions as accepted by `PPTArenaEnv.step`.

        Raises:
            ClosedEnvironmentError: If the environment is closed, possibly by another thread.
            MachineStartError: If no machine can be restarted.
            ResetNeeded: If a sub-environment must be reset first, or the last call was interrupted.
            ValueError: If the number of actions differs from the number of sub-environments.
        """
        self._require_open()
        rows = self._rows(actions)
        self._require_running()
        with self._until_concluded():
            for sub_env, action in zip(self._sub_envs, rows, strict=True):
                sub_env.start_step(action)
            self._wait(SubEnv.step_until, self._sub_envs)
            if not any(sub_env.stepping for sub_env in self._sub_envs):
                self._wait_for_any()
            replies = _conclude(self._sub_envs, SubEnv.conclude_step)
        infos: dict[str, Any] = {}
        for sub_env, reply in zip(self._sub_envs, replies, strict=True):
            if reply.final is not None:
                final = {"final_obs": reply.final[0], "final_info": reply.final[1]}
                infos = self._add_info(infos, final, sub_env.number)
            infos = self._add_info(infos, reply.info, sub_env.number)
        return (
            self._batch(),
            np.array([reply.reward for reply in replies], np.float64),
            np.array([reply.terminated for reply in replies], np.bool_),
            np.array([reply.truncated for reply in replies], np.bool_),
            infos,
        )

    def _wait(self, until: Callable[[SubEnv], float | None], sub_envs: Iterable[SubEnv]) -> None:
        """Wait until every sub-environment is ready or its waiting time is over."""
        self._wake_event.wait(lambda: _next(until(sub_env) for sub_env in sub_envs))

    def _wait_for_any(self) -> None:
        """Block until some sub-environment is ready or all have failed."""
        limit = time.monotonic() + self.deadlines.reset_deadline_sec
        wanted = self.autoreset_mode is not AutoresetMode.DISABLED

        def until() -> float | None:
            if any(sub_env.arrived for sub_env in self._sub_envs) or not wanted:
                return None
            if all(sub_env.gave_up for sub_env in self._sub_envs):
                return None
            return _next([limit])

        self._wake_event.wait(until)
        if all(sub_env.gave_up for sub_env in self._sub_envs):
            raise MachineStartError(f"all machines are lost: {self._sub_envs[0].error}")

    def _require_some_machine(self) -> None:
        if all(sub_env.state is State.DOWN for sub_env in self._sub_envs):
            raise MachineStartError(f"no machine came up: {self._sub_envs[0].error}")

    def _require_running(self) -> None:
        allowed = [State.RUNNING, State.DOWN]
        if self.autoreset_mode is not AutoresetMode.DISABLED:
            allowed.append(State.OVER)
        waiting = [sub_env.number for sub_env in self._sub_envs if sub_env.state not in allowed]
        if waiting:
            raise ResetNeeded(
                f"sub-environments {waiting} must be reset first; call reset(), in the mode "
                'DISABLED with options={"reset_mask": ...} for those that ended'
            )

    @contextmanager
    def _until_concluded(self) -> Iterator[None]:
        """If the call is interrupted, prevent a later call from returning its replies."""
        try:
            yield
        except BaseException:
            for sub_env in self._sub_envs:
                sub_env.interrupted()
            raise

    def _rows(self, actions: Any) -> list[Any]:
        """Return one action for each sub-environment."""
        if isinstance(self.action_space, spaces.Dict) and isinstance(actions, list | tuple):
            rows = list(actions)
        else:
            rows = list(iterate(self.action_space, actions))
        if len(rows) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} actions, got {len(rows)}")
        return rows


def _next(moments: Iterable[float | None]) -> float | None:
    """Return the earliest moment in the future; None if there is none."""
    now = time.monotonic()
    return min((moment for moment in moments if moment is not None and moment > now), default=None)


def _conclude(sub_envs: Sequence[SubEnv], how: Callable[[SubEnv], Reply]) -> list[Reply]:
    """Return all replies; the first error is raised after all sub-environments were concluded."""
    replies, errors = [], []
    for sub_env in sub_envs:
        try:
            replies.append(how(sub_env))
        except Exception as error:  # noqa: BLE001 - raised below
            errors.append(error)
    if errors:
        raise errors[0]
    return replies


def seeds_of(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """Return one seed for each of `count` sub-environments.

    Raises:
        ValueError: If a list has another length.
    """
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + number for number in range(count)]
    if len(seed) != count:
        raise ValueError(f"expected {count} seeds, one for each sub-environment, got {len(seed)}")
    return list(seed)


def reset_mask(options: dict[str, Any] | None, count: int) -> NDArray[np.bool_]:
    """Return a mask of the sub-environments to reset: ``options["reset_mask"]``, else all.

    Raises:
        TypeError: If the mask is not a bool array.
        ValueError: If its shape is not ``(count,)``, or it has no True.
    """
    if options is None or _KEY not in options:
        return np.ones(count, np.bool_)
    mask = options[_KEY]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(
            f"expected options['{_KEY}'] to be a numpy array of bool, got {type(mask).__name__} "
            f"{getattr(mask, 'dtype', '')}"
        )
    if mask.shape != (count,):
        raise ValueError(f"expected options['{_KEY}'] of shape ({count},), got {mask.shape}")
    if not mask.any():
        raise ValueError(f"expected options['{_KEY}'] to hold a True, got {mask}")
    return mask.copy()


def without_mask(options: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the options for the sub-environments."""
    if options is None:
        return None
    return {name: value for name, value in options.items() if name != _KEY}

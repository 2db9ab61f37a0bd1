"""`SubEnvVectorEnv`: a batch of sub-environments with spaces; everything but reset and step."""

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from numpy.typing import NDArray

from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector.deadlines import Deadlines
from pptarena.envs.vector.sub_env import SubEnv
from pptarena.envs.vector.wake_event import WakeEvent
from pptarena.errors import ConfigError, MachineTimeoutError

__all__ = ["SubEnvVectorEnv", "make_room"]

_WAIT_SEC = 120.0
"""Seconds to wait for a thread that is starting a machine."""

AnyEnv = gym.Env[Any, Any]


class SubEnvVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Holds the sub-environments, batches their results and forwards calls.

    Args:
        env_fns: Create the sub-environments.
        copy: Whether every result has new arrays.
        autoreset_mode: When sub-environments are reset after an episode.
        deadlines: Deadlines; None for the defaults.

    Raises:
        ConfigError: If there are no sub-environments, or they are not pptarena environments or
            differ in their spaces.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], AnyEnv]],
        *,
        copy: bool = True,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        deadlines: Deadlines | None = None,
    ) -> None:
        super().__init__()
        if not env_fns:
            raise ConfigError("expected at least one sub-environment")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = len(env_fns)
        self.copy = copy
        self.deadlines = deadlines or Deadlines()
        self._wake_event = WakeEvent()
        first = env_fns[0]()
        self._sub_envs: list[SubEnv] = []
        self._forgotten = close_when_forgotten(self, self._sub_envs)
        try:
            self._take_spaces(first)
            self._blank = next(iter(iterate(self.observation_space, self._empty(1))))
            self._buffers = None if copy else self._empty(self.num_envs)
            for number, make in enumerate(env_fns):
                self._add_sub_env(number, make, first if number == 0 else make())
        except BaseException:
            first.close()
            self.close()
            raise

    @property
    def envs(self) -> tuple[AnyEnv, ...]:
        """The current sub-environments; one that hung has been replaced."""
        return tuple(sub_env.worker.env for sub_env in self._sub_envs)

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:  # type: ignore[override]
        """The seeds of the sub-environments' generators."""
        return self.get_attr("np_random_seed")

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators of the sub-environments."""
        return self.get_attr("np_random")

    def render(self) -> tuple[Any, ...]:
        """Return the frame of every sub-environment."""
        self._require_open()
        return tuple(sub_env.render() for sub_env in self._sub_envs)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of every sub-environment in parallel, or get an attribute.

        Raises:
            MachineTimeoutError: If a sub-environment is not free in time.
        """
        return self._everywhere(lambda env, _: _call(env, name, args, kwargs))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of every sub-environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of every sub-environment; a list or tuple holds one value for each.

        Raises:
            ValueError: If the number of values differs from the number of sub-environments.
        """
        each = values if isinstance(values, list | tuple) else [values] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} values for {name}, got {len(each)}")
        for sub_env, value in zip(self._sub_envs, each, strict=True):
            sub_env.attributes[name] = value
        self._everywhere(lambda env, number: env.set_wrapper_attr(name, each[number]))

    def close_extras(self, **_: Any) -> None:
        """Close all sub-environments concurrently; called by `close`."""
        self._wake_event.close()
        self._forgotten.detach()
        close_all(self._sub_envs)

    def _everywhere(self, function: Callable[[AnyEnv, int], Any]) -> tuple[Any, ...]:
        self._require_open()
        jobs = [
            sub_env.worker.submit(partial(function, sub_env.worker.env, sub_env.number))
            for sub_env in self._sub_envs
        ]
        limit = time.monotonic() + self.deadlines.step_deadline_sec + self.deadlines.reset_wait_sec
        self._wake_event.wait(
            lambda: None if all(job.done() for job in jobs) or time.monotonic() > limit else limit
        )
        for number, job in enumerate(jobs):
            if not job.done():
                raise MachineTimeoutError(f"sub-environment {number} is not free in time")
        return tuple(job.result() for job in jobs)

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedEnvironmentError("the vector environment is closed; make a new one")

    def _batch(self) -> Any:
        shown = [sub_env.shown[0] if sub_env.shown else self._blank for sub_env in self._sub_envs]
        out = self._empty(self.num_envs) if self._buffers is None else self._buffers
        batch: Any = concatenate(self.single_observation_space, shown, out)
        if self._buffers is not None:
            self._buffers = batch
        return batch

    def _add_info(
        self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int
    ) -> dict[str, Any]:
        make_room(vector_infos, env_info)
        return super()._add_info(vector_infos, env_info, env_num)

    def _empty(self, count: int) -> Any:
        return create_empty_array(self.single_observation_space, n=count, fn=np.zeros)

    def _take_spaces(self, env: AnyEnv) -> None:
        self.metadata = {**env.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = env.render_mode
        self.single_observation_space = env.observation_space
        self.single_action_space = env.action_space
        self.observation_space = batch_space(env.observation_space, self.num_envs)
        self.action_space = batch_space(env.action_space, self.num_envs)

    def _add_sub_env(self, number: int, make: Callable[[], AnyEnv], env: AnyEnv) -> None:
        mode = self.autoreset_mode
        sub_env = SubEnv(number, make, env, self._blank, mode, self.deadlines, self._wake_event)
        self._sub_envs.append(sub_env)
        base_env(env)
        same = env.observation_space == self.single_observation_space
        if not same or env.action_space != self.single_action_space:
            raise ConfigError(f"sub-environment {number} has other spaces than the first")


def _call(env: AnyEnv, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    found = env.get_wrapper_attr(name)
    return found(*args, **kwargs) if callable(found) else found


def make_room(vector_infos: dict[str, Any], env_info: dict[str, Any]) -> None:
    """Widen the arrays of `vector_infos` so that the values of another `info` fit in.

    `gymnasium.vector.VectorEnv._add_info` uses the type of the first value for an array. A later
    None, or a float after an int, would raise or be truncated. If all values have the same type,
    nothing is changed.

    Args:
        vector_infos: The arrays so far, changed in place.
        env_info: The next ``info``.
    """
    for key, value in env_info.items():
        array = vector_infos.get(key)
        if not isinstance(array, np.ndarray) or array.dtype == object:
            continue
        if isinstance(value, bool | int | float | np.number):
            wider = np.result_type(array.dtype, type(value))
            if wider != array.dtype:
                vector_infos[key] = array.astype(wider)
        elif not (isinstance(value, np.ndarray) and value.shape == array.shape[1:]):
            boxed = np.full(len(array), None, dtype=object)
            for number in np.flatnonzero(vector_infos[f"_{key}"]):
                boxed[number] = array[number]
            vector_infos[key] = boxed


def close_all(sub_envs: list[SubEnv]) -> None:
    """Close all sub-environments and wait until they are closed."""
    threads = [_start_closing(sub_env) for sub_env in sub_envs]
    for thread in threads:
        if thread is not None:
            thread.join(_WAIT_SEC)


def close_when_forgotten(owner: object, sub_envs: list[SubEnv]) -> "weakref.finalize[Any, Any]":
    """Close the sub-environments when the owner is garbage-collected, or at exit."""
    return weakref.finalize(owner, _close_in_passing, sub_envs)


def _close_in_passing(sub_envs: list[SubEnv]) -> None:
    # The garbage collector must not wait, and may run in one of the threads to be stopped.
    for sub_env in sub_envs:
        _start_closing(sub_env)


def _start_closing(sub_env: SubEnv) -> threading.Thread | None:
    thread = threading.Thread(
        target=sub_env.close, args=(_WAIT_SEC,), name="pptarena-vector-close", daemon=True
    )
    try:
        thread.start()
    except RuntimeError:  # the interpreter is exiting and allows no new threads
        with suppress(Exception):
            sub_env.close(0.0)
        return None
    return thread

"""`PPTArenaVectorEnv`: the vector environment that `gymnasium.make_vec` creates."""

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from multiprocessing.connection import wait
from types import MappingProxyType
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError
from gymnasium.spaces import Tuple
from gymnasium.vector import AsyncVectorEnv, AutoresetMode
from gymnasium.vector.async_vector_env import AsyncState
from gymnasium.vector.utils import CloudpickleWrapper, create_empty_array, iterate
from gymnasium.wrappers import TimeLimit

from pptarena.envs.arguments import arguments_for_machine
from pptarena.envs.machines.base import Machine
from pptarena.envs.ppt_arena import PPTArenaEnv, base_env
from pptarena.envs.vector.hidden_main import hidden_main
from pptarena.envs.vector.link import Deadlines, Link, State
from pptarena.envs.vector.worker import serve
from pptarena.errors import ConfigError, MachineStartError

__all__ = ["PPTArenaVectorEnv"]

_STEP_SEC = 30.0
_JUDGE_REQUESTS = 5  # with the last step of an episode
_GRACE_SEC = 5.0  # between the deadline of a machine and that of its process
_RESTARTS = 5
_START_METHOD: Final = "forkserver"  # forking a process with threads may hang

AnyEnv = gym.Env[Any, Any]


class PPTArenaVectorEnv(AsyncVectorEnv):  # which is not generic in Gymnasium 1.2
    """Several `PPTArenaEnv`, each in a process of its own; created by `gymnasium.make_vec`.

    This is Gymnasium's `AsyncVectorEnv` with one difference. If a machine or a process is lost,
    hangs or does not start, its sub-environment is truncated with reward 0 and ``infra_error``
    until it has restarted, and the others continue. `send` and `recv` step sub-environments
    without waiting for the slowest. See ``docs/guides/scale_out.md``.

    Args:
        num_envs: Number of sub-environments.
        autoreset_mode: When sub-environments are reset; see `gymnasium.vector.AutoresetMode`.
        copy: Whether every result has new arrays; otherwise arrays are reused.
        step_deadline_sec: Most seconds for the step of one sub-environment, scoring included; None
            for 30 s, for virtual machines 120 s, plus the time of five requests if there is a
            judge.
        reset_wait_sec: Most seconds that a step waits for a sub-environment that is being reset.
        env_wrappers: Wrappers of every sub-environment, the innermost first.
        max_episode_steps: Steps after which `gymnasium.wrappers.TimeLimit` truncates. Usually
            prefer the argument ``max_steps`` of `PPTArenaEnv`, which also scores the document at
            the end.
        arguments: Arguments of `PPTArenaEnv`; ``machine`` must be a name or a class.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
        UnknownTaskError: If no task or suite has that name.

    Example:
        >>> envs = PPTArenaVectorEnv(2, machine="fake", width_px=640, height_px=360)
        >>> obs, infos = envs.reset(seed=0)
        >>> obs["screenshot"].shape, infos["score"].tolist()
        ((2, 360, 640, 3), [0.0, 0.0])
        >>> envs.close()
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        step_deadline_sec: float | None = None,
        reset_wait_sec: float = 10.0,
        env_wrappers: Sequence[Callable[[AnyEnv], AnyEnv]] = (),
        max_episode_steps: int | None = None,
        **arguments: Any,
    ) -> None:
        if not isinstance(num_envs, int) or num_envs < 1:
            raise ConfigError(f"expected num_envs to be a number from 1, got {num_envs!r}")
        if isinstance(arguments.get("machine"), Machine):
            raise ConfigError("machine: several environments need the name of a kind of machine")
        if arguments.get("answer") == "person":
            raise ConfigError("answer: only a single environment can prompt a person")
        for name, seconds in (("step", step_deadline_sec or 0.0), ("reset", reset_wait_sec)):
            if not seconds >= 0:
                raise ConfigError(f"expected the {name} deadline to be from 0 s, got {seconds!r}")
        # A machine that does not start is started again by the next step, after a pause.
        arguments = {"start_attempts": 1, **arguments}
        with closing(PPTArenaEnv(**arguments)) as probe:
            config, slow_factor = probe.config, probe.machine.slow_factor
            if probe.render_mode == "human":
                raise ConfigError(
                    "render_mode 'human' shows a single environment: use 'rgb_array' in a vector"
                )
            # Resolve "auto" only once.
            arguments = arguments_for_machine(arguments, type(probe.machine))
        judge_sec = 0.0 if config.judge is None else _JUDGE_REQUESTS * config.judge.timeout_sec
        step_sec = (
            _STEP_SEC * slow_factor + judge_sec if step_deadline_sec is None else step_deadline_sec
        )
        arguments["step_timeout_sec"] = min(config.machine.step_timeout_sec, step_sec)
        start_sec = config.machine.start_timeout_sec * config.start_attempts * slow_factor
        self.deadlines = Deadlines(
            step_sec + _GRACE_SEC, start_sec + _GRACE_SEC, float(reset_wait_sec)
        )
        wrappers = list(env_wrappers)
        if max_episode_steps is not None:
            wrappers.insert(0, partial(TimeLimit, max_episode_steps=max_episode_steps))
        make_env = partial(_make_env, dict(os.environ), arguments, wrappers)
        multiprocessing.get_context(_START_METHOD).set_forkserver_preload([__name__])
        with hidden_main():
            super().__init__(
                [make_env] * num_envs,
                shared_memory=False,  # a late reset would overwrite what the user sees
                copy=copy,
                context=_START_METHOD,
                worker=serve,  # type: ignore[arg-type]
                autoreset_mode=autoreset_mode,
            )
        empty = create_empty_array(self.single_observation_space, n=1, fn=np.zeros)
        blank = next(iter(iterate(self.observation_space, empty)))
        start_process = partial(_start_process, make_env, self.autoreset_mode)
        self._links = [
            Link(connection, start_process, self.autoreset_mode, self.deadlines, blank)
            for connection in zip(self.parent_pipes, self.processes, strict=True)
        ]
        self.parent_pipes = self._links  # type: ignore[assignment]
        # Sub-environments whose results `recv` has not received.
        self._awaiting: set[int] = set()
        # Results that `recv` could not return because of an exception.
        self._received: dict[int, Any] = {}
        self.processes = []  # a link replaces its process
        del self.error_queue  # exceptions are sent as replies

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes in all sub-environments, or in those of ``options["reset_mask"]``.

        If a machine does not start, ``infos["infra_error"]`` reports it, and the next step tries
        again. A partial reset waits at most `reset_wait_sec`, and one second for sub-environments
        that were lost before.

        Raises:
            MachineStartError: If no machine starts.
            DeckError, UnknownTaskError: If the reset of a sub-environment raises it.
        """
        resets_all = "reset_mask" not in (options or {})
        for link in self._links:
            link.patient = resets_all or link.state is State.NEW
            link.failures = 0 if resets_all else link.failures
        self._state = AsyncState.DEFAULT  # the last call may have been interrupted
        self._awaiting.clear()
        self._received.clear()
        reply = super().reset(
            seed=int(seed) if isinstance(seed, np.integer) else seed,  # type: ignore[arg-type]
            options=dict(options) if options else options,  # Gymnasium removes the mask
        )
        self._require_machines(0 if resets_all else _RESTARTS)
        return reply

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step all sub-environments concurrently.

        Args:
            actions: An element of the batched action space, or a list of actions as accepted by
                `PPTArenaEnv.step`.

        Raises:
            Exception: What a step raised for another reason than a lost machine, such as an error
                in a wrapper, after all sub-environments have stepped.
            MachineStartError: If no machine can be restarted.
            ResetNeeded: If a sub-environment must be reset first.
            ValueError: If the number of actions differs from the number of sub-environments.
            AlreadyPendingCallError: If `recv` has not returned all results yet.
        """
        self._assert_is_running()
        self._require_none_awaiting(range(self.num_envs))
        is_list = isinstance(actions, list | tuple) and not isinstance(self.action_space, Tuple)
        action_list = list(actions if is_list else iterate(self.action_space, actions))
        if len(action_list) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} actions, got {len(action_list)}")
        for link, action in zip(self._links, action_list, strict=True):
            link.send(("step", action))
        self._state = AsyncState.WAITING_STEP
        if not any(link.state is State.RUNNING for link in self._links):
            pipes = [link.pipe for link in self._links if link.resetting]
            wait(pipes, self.deadlines.reset_sec if pipes else 0.0)
        reply = self.step_wait()
        self._require_machines(_RESTARTS)
        return reply

    def send(self, actions: Mapping[int, Any]) -> None:
        """Step some sub-environments without waiting for them; `recv` returns the results.

        Until all results are received, only `send`, `recv`, a reset of all sub-environments and
        `close` are allowed.

        Args:
            actions: Actions by the index of their sub-environment, as accepted by
                `PPTArenaEnv.step`.

        Raises:
            AlreadyPendingCallError: If `recv` has not returned the last result of one of them.
            ConfigError: If the autoreset mode is not NEXT_STEP.
            ValueError: If there is no sub-environment with an index.

        Example:
            >>> envs = PPTArenaVectorEnv(2, machine="fake", width_px=640, height_px=360)
            >>> obs, infos = envs.reset(seed=0)
            >>> envs.send({0: {"kind": "wait"}, 1: {"kind": "wait"}})
            >>> sorted(envs.recv(least=2))
            [0, 1]
            >>> envs.close()
        """
        self._assert_is_running()
        if self.autoreset_mode is not AutoresetMode.NEXT_STEP:
            raise ConfigError("send needs autoreset_mode 'NextStep'; in others, steps may wait")
        unknown = [index for index in actions if index not in range(self.num_envs)]
        if unknown:
            raise ValueError(
                f"expected indices from 0 to {self.num_envs - 1} as keys, got {unknown[0]!r}"
            )
        self._require_none_awaiting(actions)
        for index, action in actions.items():
            self._links[index].send(("step", action))
            self._awaiting.add(int(index))
            self._state = AsyncState.WAITING_STEP  # Gymnasium refuses other calls

    def recv(self, least: int = 1) -> dict[int, tuple[Any, float, bool, bool, dict[str, Any]]]:
        """Wait for results of `send`; return them by the index of their sub-environment.

        Each result is that of `PPTArenaEnv.step`: observation, reward, terminated, truncated, info.
        As in `step`, an action after an episode's end starts the next episode in the mode
        NEXT_STEP, and a lost machine is truncated.

        Args:
            least: Number of results to wait for, at most the number of sub-environments that have
                been sent an action; 0 returns those that are ready. More that are ready are
                returned as well.

        Raises:
            Exception: As `step`. The other results can still be received.
            NoAsyncCallError: If no sub-environment has been sent an action.
        """
        self._assert_is_running()
        if not (self._awaiting or self._received):
            raise NoAsyncCallError("recv: no action was sent before", "recv")
        for index in self._wait_until_ready(min(least - len(self._received), len(self._awaiting))):
            self._awaiting.discard(index)
            if not (self._awaiting or self._received):
                self._state = AsyncState.DEFAULT
            link = self._links[index]
            result, succeeded = link.recv()
            if not succeeded and link.error is not None:
                raise link.error
            self._received[index] = result
        results, self._received = self._received, {}
        if not self._awaiting:
            self._state = AsyncState.DEFAULT
        self._require_machines(_RESTARTS)
        return results

    def _wait_until_ready(self, least: int) -> list[int]:
        """Wait for this many sub-environments that were sent an action and need no waiting."""
        while True:
            pipes = {self._links[index].pipe: index for index in sorted(self._awaiting)}
            readable, now = wait(list(pipes), 0.0), time.monotonic()
            remaining_sec = {pipe: self._links[index].due_at - now for pipe, index in pipes.items()}
            ready = [
                pipe
                for pipe, wait_sec in remaining_sec.items()
                if pipe in readable or wait_sec <= 0
            ]
            if len(ready) >= least:
                return [pipes[pipe] for pipe in ready]
            pending = [pipe for pipe in pipes if pipe not in ready]
            wait(pending, min(remaining_sec[pipe] for pipe in pending))

    def _require_none_awaiting(self, indices: Iterable[int]) -> None:
        waiting = [index for index in indices if index in self._awaiting or index in self._received]
        if waiting:
            raise AlreadyPendingCallError(
                f"sub-environment {waiting[0]} was sent an action before: call recv() first", "send"
            )

    def close_extras(self, timeout: float | None = None, terminate: bool = False) -> None:
        """Close all sub-environments; called by `close`, possibly while another call runs."""
        links = getattr(self, "_links", [])  # none if the constructor failed
        for link in links:
            link.closed = True
            link.process.terminate()
        for link in links:
            link.stop()

    def _require_machines(self, failures: int) -> None:
        if all(link.failures > failures for link in self._links):
            raise MachineStartError(f"all machines are lost: {self._links[0].cause}")

    def _raise_if_errors(self, successes: Any) -> None:
        for link, succeeded in zip(self.parent_pipes, successes, strict=True):
            if not succeeded:
                self._state = AsyncState.DEFAULT
                raise link.error  # type: ignore[attr-defined]

    def _add_info(
        self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int
    ) -> dict[str, Any]:
        # Gymnasium's arrays have the type of the first value; the next one may be None.
        for key, value in env_info.items():
            array = vector_infos.get(key)
            if isinstance(array, np.ndarray) and array.dtype != np.asarray(value).dtype:
                vector_infos[key] = array.astype(object)
                vector_infos[key][~vector_infos[f"_{key}"]] = None
        return super()._add_info(vector_infos, env_info, env_num)


def _make_env(
    environ: dict[str, str],
    arguments: dict[str, Any],
    wrappers: Sequence[Callable[[AnyEnv], AnyEnv]],
    attributes: Mapping[str, Any] = MappingProxyType({}),
) -> AnyEnv:
    os.environ.clear()  # the fork server may be older than the user's settings
    os.environ.update(environ)
    env: AnyEnv = PPTArenaEnv(**arguments)
    for wrapper in wrappers:
        env = wrapper(env)
    for name, value in attributes.items():
        env.set_wrapper_attr(name, value)
    base_env(env)
    return env


def _start_process(
    make: Callable[..., AnyEnv], mode: AutoresetMode, attributes: dict[str, Any]
) -> Any:
    """Start another process for a sub-environment, as the constructor of `AsyncVectorEnv` does."""
    context = multiprocessing.get_context(_START_METHOD)
    parent_pipe, pipe = context.Pipe()
    env_factory = CloudpickleWrapper(partial(make, attributes=attributes))
    arguments = (0, env_factory, pipe, parent_pipe, None, None, mode)
    process = context.Process(target=serve, args=arguments, daemon=True)
    with hidden_main():
        process.start()
    pipe.close()
    return parent_pipe, process

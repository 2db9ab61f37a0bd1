"""The process that runs one sub-environment of a vector."""

import pickle
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import gymnasium as gym
from gymnasium.vector import AutoresetMode

from pptarena.envs.ppt_arena import base_env
from pptarena.errors import MachineError

__all__ = ["serve"]


def serve(
    index: int,
    make_env: Callable[[], gym.Env[Any, Any]],
    pipe: Connection,
    parent_pipe: Connection,
    shared_memory: object,
    error_queue: object,
    mode: AutoresetMode,
    semaphore: object = None,
) -> None:
    """Execute commands until the parent closes the pipe or exits; a worker of `AsyncVectorEnv`.

    Every command has one reply, ``(result, True)`` or ``(exception, False)``. In the mode
    SAME_STEP, a step that ends the episode has a second one, that of the reset. Shared memory,
    error queue and semaphore are not used.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C interrupts only the user's process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    parent_pipe.close()
    env = make_env()
    try:
        while True:
            command, data = pipe.recv()
            result, reply = _execute(env, command, data)
            pipe.send_bytes(reply)
            has_ended = command == "step" and result is not None and (result[2] or result[3])
            if has_ended and mode is AutoresetMode.SAME_STEP:
                pipe.send_bytes(_execute(env, "reset", ({}, 0.0))[1])
    except (EOFError, OSError):
        return
    finally:
        env.close()


def _execute(env: gym.Env[Any, Any], command: str, data: Any) -> tuple[Any, bytes]:
    """Return the result of a command and the reply to send."""
    try:
        result = _COMMANDS[command](env, data)
        return result, pickle.dumps((result, True), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - raised in the parent process
        with suppress(Exception):  # an exception class that cannot be pickled
            reply = pickle.dumps((error, False))
            pickle.loads(reply)
            return None, reply
        return None, pickle.dumps((RuntimeError(f"{type(error).__name__}: {error}"), False))


def _reset(env: gym.Env[Any, Any], data: tuple[dict[str, Any], float]) -> Any:
    """Reset after a pause; if the machine does not start, the next reset draws the same task."""
    arguments, pause_sec = data
    time.sleep(pause_sec)
    base = base_env(env)
    rng_state = base.rng_state
    try:
        return env.reset(**arguments)
    except MachineError as error:
        base.rng_state = rng_state
        return None, {"infra_error": f"{type(error).__name__}: {error}"}


def _call(env: gym.Env[Any, Any], data: Any) -> Any:
    name, args, kwargs = data
    attribute = env.get_wrapper_attr(name)
    return attribute(*args, **kwargs) if callable(attribute) else attribute


_COMMANDS: dict[str, Callable[[gym.Env[Any, Any], Any], Any]] = {
    "step": lambda env, action: env.step(action),
    "reset": _reset,
    "_call": _call,
    "_setattr": lambda env, data: env.set_wrapper_attr(*data),
    "_check_spaces": lambda env, data: (True, True),  # all have the same constructor
}

"""Closing many sub-environments at once."""

import threading
import weakref
from contextlib import suppress
from typing import Any

from pptarena.envs.vector.sub_env import SubEnv

__all__ = ["close_all", "close_when_forgotten"]

_WAIT_SEC = 120.0
"""How long to wait for a thread that brings a machine up right now."""


def close_all(sub_envs: list[SubEnv]) -> None:
    """Close all sub-environments and return when they are gone."""
    threads = [_start_closing(sub_env) for sub_env in sub_envs]
    for thread in threads:
        if thread is not None:
            thread.join(_WAIT_SEC)


def close_when_forgotten(owner: object, sub_envs: list[SubEnv]) -> "weakref.finalize[Any, Any]":
    """Close the sub-environments when nothing refers to the owner any more, or at exit."""
    return weakref.finalize(owner, _close_in_passing, sub_envs)


def _close_in_passing(sub_envs: list[SubEnv]) -> None:
    # Whoever collects garbage should not wait, and might be one of the threads that are to end.
    for sub_env in sub_envs:
        _start_closing(sub_env)


def _start_closing(sub_env: SubEnv) -> threading.Thread | None:
    thread = threading.Thread(
        target=sub_env.close, args=(_WAIT_SEC,), name="pptarena-vector-close", daemon=True
    )
    try:
        thread.start()
    except RuntimeError:  # the interpreter ends and allows no new threads
        with suppress(Exception):
            sub_env.close(0.0)
        return None
    return thread

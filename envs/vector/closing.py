"""Closing many sub-environments at once."""

import threading
import weakref
from contextlib import suppress
from typing import Any

from pptarena.envs.vector.slot import Slot

__all__ = ["close_all", "close_when_forgotten"]

_WAIT_SEC = 120.0
"""How long to wait for a thread that brings a machine up right now."""


def close_all(slots: list[Slot]) -> None:
    """Close all sub-environments and return when they are gone."""
    threads = [_start_closing(slot) for slot in slots]
    for thread in threads:
        if thread is not None:
            thread.join(_WAIT_SEC)


def close_when_forgotten(owner: object, slots: list[Slot]) -> "weakref.finalize[Any, Any]":
    """Close the sub-environments when nothing refers to the owner any more, or at exit."""
    return weakref.finalize(owner, _close_in_passing, slots)


def _close_in_passing(slots: list[Slot]) -> None:
    # Whoever collects garbage should not wait, and might be one of the threads that are to end.
    for slot in slots:
        _start_closing(slot)


def _start_closing(slot: Slot) -> threading.Thread | None:
    thread = threading.Thread(
        target=slot.close, args=(_WAIT_SEC,), name="pptarena-vector-close", daemon=True
    )
    try:
        thread.start()
    except RuntimeError:  # the interpreter ends and allows no new threads
        with suppress(Exception):
            slot.close(0.0)
        return None
    return thread

"""Waiting for any of several things, until each has had its time."""

import queue
import time
from collections.abc import Callable
from contextlib import suppress

from gymnasium.error import ClosedEnvironmentError

__all__ = ["WakeEvent"]


class WakeEvent:
    """Wakes the one that waits whenever something may have changed.

    It holds no lock, so that `close` may be called by a signal handler, too.
    """

    def __init__(self) -> None:
        self._rings: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._closed = False

    def ring(self, _: object = None) -> None:
        """Say that something changed."""
        self._rings.put(None)

    def wait(self, until: Callable[[], float | None]) -> None:
        """Return once there is nothing more to wait for.

        Args:
            until: Returns the next moment (`time.monotonic`) at which to look again even if
                nothing changed, or None if there is nothing to wait for.

        Raises:
            ClosedEnvironmentError: If `close` was called, by another thread perhaps.
        """
        with suppress(queue.Empty):
            while True:  # what rang before is seen by the first look
                self._rings.get_nowait()
        moment = until()
        while moment is not None:
            self._require_open()
            with suppress(queue.Empty):
                self._rings.get(timeout=max(0.0, moment - time.monotonic()))
            self._require_open()
            moment = until()

    def _require_open(self) -> None:
        if self._closed:
            raise ClosedEnvironmentError("the vector environment was closed meanwhile")

    def close(self) -> None:
        """End all waiting."""
        self._closed = True
        self.ring()

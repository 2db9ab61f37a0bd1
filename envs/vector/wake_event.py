"""Wait for any of several things, each with its own deadline."""

import queue
import time
from collections.abc import Callable
from contextlib import suppress

from gymnasium.error import ClosedEnvironmentError

__all__ = ["WakeEvent"]


class WakeEvent:
    """Wakes the waiting thread whenever something may have changed.

    It holds no lock, so a signal handler may call `close`.
    """

    def __init__(self) -> None:
        self._rings: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._closed = False

    def ring(self, _: object = None) -> None:
        """Notify the waiting thread of a change."""
        self._rings.put(None)

    def wait(self, until: Callable[[], float | None]) -> None:
        """Return once there is nothing to wait for.

        Args:
            until: Returns the next time (`time.monotonic`) to check again without a notification,
                or None if there is nothing to wait for.

        Raises:
            ClosedEnvironmentError: If `close` was called, possibly by another thread.
        """
        with suppress(queue.Empty):
            while True:  # the first check covers earlier notifications
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
        """Stop all waiting."""
        self._closed = True
        self.ring()

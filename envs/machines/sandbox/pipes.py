"""A connection over two pipes.

Unlike a socket, a pipe belongs to no network namespace, so a checkpoint of a process that uses one
can be restored with another.
"""

import fcntl
import os
import select
import time
from dataclasses import dataclass
from typing import Self

__all__ = ["PipeConnection", "PipeEnds"]

_BYTES = 1 << 20  # the most that Linux allows by default


@dataclass(slots=True)
class PipeEnds:
    """One side of two pipes: file descriptors for reading and writing, closed by `close`."""

    reading: int
    writing: int

    @classmethod
    def pairs(cls) -> tuple[Self, Self]:
        """Create two pipes and return both sides."""
        to_first, to_second = os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)
        for _, writing in (to_first, to_second):
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _BYTES)
        return cls(to_first[0], to_second[1]), cls(to_second[0], to_first[1])

    def close(self) -> None:
        """Close both; later calls do nothing."""
        for descriptor in {self.reading, self.writing} - {-1}:
            os.close(descriptor)
        self.reading = self.writing = -1

    def inodes(self) -> tuple[int, int]:
        """Return the inodes of both pipes."""
        return os.fstat(self.reading).st_ino, os.fstat(self.writing).st_ino


class PipeConnection:
    """The host's side, with the part of the interface of `socket.socket` that a link needs.

    Args:
        ends: The descriptors; the connection takes ownership.
    """

    def __init__(self, ends: PipeEnds) -> None:
        self._ends = ends
        self._timeout_sec: float | None = None
        for descriptor in (ends.reading, ends.writing):
            os.set_blocking(descriptor, False)

    def settimeout(self, value: float | None, /) -> None:
        """Set the seconds after which a call raises `TimeoutError`; None for no limit."""
        self._timeout_sec = value

    def sendall(self, data: bytes, /) -> None:
        """Write everything.

        Raises:
            OSError: If the other side is closed.
            TimeoutError: If it takes too long.
        """
        deadline, view = self._deadline(), memoryview(data)
        while view:
            try:
                view = view[os.write(self._ends.writing, view) :]
            except BlockingIOError:
                _wait(self._ends.writing, select.POLLOUT, deadline)

    def recv_into(self, buffer: memoryview, count: int, /) -> int:
        """Read at most `count` bytes and return their number; 0 if the other side is closed.

        Raises:
            TimeoutError: If nothing arrives in time.
        """
        deadline = self._deadline()
        while True:
            try:
                return os.readv(self._ends.reading, [buffer[:count]])
            except BlockingIOError:
                _wait(self._ends.reading, select.POLLIN, deadline)

    def close(self) -> None:
        """Close both pipes; later calls do nothing."""
        self._ends.close()

    def _deadline(self) -> float | None:
        return None if self._timeout_sec is None else time.monotonic() + self._timeout_sec


def _wait(descriptor: int, event: int, deadline: float | None) -> None:
    poller = select.poll()
    poller.register(descriptor, event)
    remaining_ms = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
    if not poller.poll(remaining_ms):
        raise TimeoutError

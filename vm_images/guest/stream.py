"""Interface of a connection to the host: a socket or a serial device."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Stream", "exact_reader"]


class Stream(Protocol):
    """A blocking, bidirectional byte stream; the part of `socket.socket` that the guest needs."""

    def recv_into(self, buffer: memoryview, /) -> int:
        """Wait for bytes and return their number; 0 means that the host disconnected."""

    def sendall(self, data: bytes, /) -> None:
        """Send everything."""


def exact_reader(stream: Stream) -> Callable[[int], bytes]:
    """Return a function that reads exactly the given number of bytes.

    The function raises `EOFError` if the host disconnects first.
    """

    def read_exactly(count: int) -> bytes:
        data = bytearray(count)
        view, filled = memoryview(data), 0
        while filled < count:
            received = stream.recv_into(view[filled:])
            if received == 0:
                raise EOFError("the host disconnected")
            filled += received
        return bytes(data)

    return read_exactly

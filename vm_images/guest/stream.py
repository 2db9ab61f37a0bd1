"""What a connection to the host must be able to do: a socket can, so can a serial device."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Stream", "exact_reader"]


class Stream(Protocol):
    """Bytes in both directions, blocking; the part of `socket.socket` that the guest needs."""

    def recv_into(self, buffer: memoryview, /) -> int:
        """Wait for bytes and return how many came; 0 says that the host hung up."""

    def sendall(self, data: bytes, /) -> None:
        """Send everything."""


def exact_reader(stream: Stream) -> Callable[[int], bytes]:
    """Return a function that reads exactly that many bytes.

    It raises `EOFError` when the host hangs up before.
    """

    def read_exactly(count: int) -> bytes:
        data = bytearray(count)
        view, filled = memoryview(data), 0
        while filled < count:
            received = stream.recv_into(view[filled:])
            if received == 0:
                raise EOFError("the host hung up")
            filled += received
        return bytes(data)

    return read_exactly

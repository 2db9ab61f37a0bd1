"""What goes over the channel of those who look on: frames, and bytes that nobody waits for.

The channel between host and virtual machine stays while viewers come and go, so each frame says
which viewer it belongs to: what is late for one that left never reaches the next. Both ends use
this module.
"""

import os
import select
import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum

__all__ = ["Flow", "FrameKind", "FrameReader", "pack_frame", "wait_ready"]

_HEADER = struct.Struct(">BII")  # kind, number of the viewer, bytes that follow
_PIECE_BYTES = 1 << 16
_FULL_BYTES = 1 << 18


class FrameKind(IntEnum):
    """What a frame says."""

    OPEN = 1  # host to guest: a viewer came
    DATA = 2
    CLOSE = 3  # either way: it is gone


def pack_frame(kind: FrameKind, viewer: int, data: bytes = b"") -> bytes:
    """Return a frame.

    Args:
        kind: What it says.
        viewer: Number of the viewer it belongs to.
        data: At most what one `Flow.read` returns.
    """
    return _HEADER.pack(kind, viewer, len(data)) + data


class FrameReader:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[FrameKind, int, bytes]]:
        """Yield kind, viewer and data of every frame that is complete with these bytes.

        Raises:
            ValueError: If the other end speaks something else.
        """
        self._bytes += data
        while len(self._bytes) >= _HEADER.size:
            kind, viewer, length = _HEADER.unpack_from(self._bytes)
            if length > _PIECE_BYTES:
                raise ValueError(f"expected a frame of at most {_PIECE_BYTES} bytes, got {length}")
            end = _HEADER.size + length
            if len(self._bytes) < end:
                return
            data = bytes(self._bytes[_HEADER.size : end])
            del self._bytes[:end]
            yield FrameKind(kind), viewer, data


class Flow:
    """A socket or device that is read and written without waiting.

    Args:
        descriptor: Open for both; the caller closes it.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self._waiting = bytearray()

    @property
    def idle(self) -> bool:
        """Whether all that was put has been written."""
        return not self._waiting

    @property
    def full(self) -> bool:
        """Whether so much waits to be written that no more should be put."""
        return len(self._waiting) >= _FULL_BYTES

    def events(self, *, read: bool) -> int:
        """Return what to wait for, as `select.poll` takes it."""
        return (select.POLLIN if read else 0) | (select.POLLOUT if self._waiting else 0)

    def read(self) -> bytes | None:
        """Return what there is, None if there is nothing yet, ``b""`` at the end."""
        try:
            return os.read(self.descriptor, _PIECE_BYTES)
        except BlockingIOError:
            return None
        except OSError:  # a pipe that broke, a terminal whose other end is closed
            return b""

    def put(self, data: bytes) -> None:
        """Write now or when `flush` is called next."""
        self._waiting += data
        self.flush()

    def flush(self) -> None:
        """Write what can be written now; where the other end is gone, nothing need be."""
        try:
            while self._waiting:
                written = os.write(self.descriptor, self._waiting[:_PIECE_BYTES])
                del self._waiting[:written]
        except BlockingIOError:
            pass
        except OSError:  # reading says that it ended
            self._waiting.clear()


def wait_ready(wanted: Mapping[int, int], timeout_sec: float | None = None) -> frozenset[int]:
    """Return the descriptors at which something happened; errors and ends count.

    Args:
        wanted: What to wait for, by descriptor.
        timeout_sec: Longest wait; None waits for ever.
    """
    poll = select.poll()
    for descriptor, events in wanted.items():
        poll.register(descriptor, events)
    timeout_ms = None if timeout_sec is None else timeout_sec * 1000
    return frozenset(descriptor for descriptor, _ in poll.poll(timeout_ms))

"""The wire protocol of viewers: frames, and nonblocking streams.

The channel between host and virtual machine stays open while viewers come and go. Each frame names
its viewer, so late data of a former viewer never reaches the next. Both ends use this module.
"""

import os
import select
import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum

__all__ = ["Flow", "FrameKind", "FrameReader", "pack_frame", "wait_ready"]

_HEADER = struct.Struct(">BII")  # frame kind, number of the viewer, bytes that follow
_PIECE_BYTES = 1 << 16
_FULL_BYTES = 1 << 18


class FrameKind(IntEnum):
    """The frame kinds."""

    OPEN = 1  # host to guest: a viewer connected
    DATA = 2
    CLOSE = 3  # either direction: the viewer disconnected


def pack_frame(kind: FrameKind, viewer: int, data: bytes = b"") -> bytes:
    """Return a frame.

    Args:
        kind: Its kind.
        viewer: Number of its viewer.
        data: At most the size of one `Flow.read`.
    """
    return _HEADER.pack(kind, viewer, len(data)) + data


class FrameReader:
    """Splits a byte stream into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[FrameKind, int, bytes]]:
        """Yield kind, viewer and data of every frame completed by these bytes.

        Raises:
            ValueError: If the data violates the protocol.
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
    """A socket or device with nonblocking reads and writes.

    Args:
        descriptor: Open for both; the caller closes it.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self._waiting = bytearray()

    @property
    def idle(self) -> bool:
        """Whether all data was written."""
        return not self._waiting

    @property
    def full(self) -> bool:
        """Whether the write buffer is full, so that no more data should be added."""
        return len(self._waiting) >= _FULL_BYTES

    def events(self, *, read: bool) -> int:
        """Return the events to wait for, as `select.poll` takes them."""
        return (select.POLLIN if read else 0) | (select.POLLOUT if self._waiting else 0)

    def read(self) -> bytes | None:
        """Return available data, None if there is none yet, ``b""`` at the end."""
        try:
            return os.read(self.descriptor, _PIECE_BYTES)
        except BlockingIOError:
            return None
        except OSError:  # a broken pipe, or a terminal whose other end is closed
            return b""

    def put(self, data: bytes) -> None:
        """Write now or at the next `flush`."""
        self._waiting += data
        self.flush()

    def flush(self) -> None:
        """Write buffered data; if the other end is closed, discard it."""
        try:
            while self._waiting:
                written = os.write(self.descriptor, self._waiting[:_PIECE_BYTES])
                del self._waiting[:written]
        except BlockingIOError:
            pass
        except OSError:  # the next read reports the end
            self._waiting.clear()


def wait_ready(wanted: Mapping[int, int], timeout_sec: float | None = None) -> frozenset[int]:
    """Return the descriptors with events, including errors and ends.

    Args:
        wanted: Events to wait for, by descriptor.
        timeout_sec: Longest wait; None waits forever.
    """
    poll = select.poll()
    for descriptor, events in wanted.items():
        poll.register(descriptor, events)
    timeout_ms = None if timeout_sec is None else timeout_sec * 1000
    return frozenset(descriptor for descriptor, _ in poll.poll(timeout_ms))

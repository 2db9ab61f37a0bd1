"""A serial device as a connection: in a virtual machine, the virtio-serial port to the host."""

import os
import time
from pathlib import Path

__all__ = ["DeviceStream"]

_GRACE_SEC = 10.0
_POLL_SEC = 0.01
_WRITE_BYTES = 1 << 20


class DeviceStream:
    """A character device opened for reading and writing.

    A virtio-serial port reads as end of file while its other end is closed: before the host
    connects, and briefly after a restore from a snapshot. Therefore only a persistent end of file
    counts as a disconnect.

    Args:
        path: The device, such as ``/dev/vport1p1``.
        grace_sec: How long the other end may stay closed before the host counts as disconnected.
    """

    def __init__(self, path: Path, grace_sec: float = _GRACE_SEC) -> None:
        self._grace_sec = grace_sec
        self._descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)

    def recv_into(self, buffer: memoryview, /) -> int:
        """Wait for bytes and return their number; 0 means that the host disconnected."""
        deadline = time.monotonic() + self._grace_sec
        while (received := os.readv(self._descriptor, [buffer])) == 0 and len(buffer):
            if time.monotonic() >= deadline:
                return 0
            time.sleep(_POLL_SEC)  # a closed other end causes no event to wait for
        return received

    def sendall(self, data: bytes, /) -> None:
        """Write everything, in as many calls as the device requires."""
        view = memoryview(data)
        while view:  # `os.write` itself resumes after a signal
            view = view[os.write(self._descriptor, view[:_WRITE_BYTES]) :]

    def close(self) -> None:
        """Close the device. A second call does nothing."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

"""Two pipes as a connection: in a sandbox, to the host."""

import os

__all__ = ["PipeStream"]


class PipeStream:
    """A pair of pipes, which programs of the desktop do not inherit.

    Args:
        reading: Descriptor to read from.
        writing: Descriptor to write to.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        for descriptor in (reading, writing):
            os.set_inheritable(descriptor, False)

    def recv_into(self, buffer: memoryview, /) -> int:
        """Wait for bytes and return their number; 0 means that the host disconnected."""
        return os.readv(self._reading, [buffer])

    def sendall(self, data: bytes, /) -> None:
        """Write everything; raises `BrokenPipeError` if the host disconnected."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._writing, view) :]

"""Interfaces to start programs in the cell."""

from collections.abc import Mapping, Sequence
from typing import Protocol

__all__ = ["DESCRIPTOR", "Program", "Programs"]

DESCRIPTOR = "{descriptor}"
"""Placeholder in a command for the number of the inherited file descriptor."""


class Program(Protocol):
    """A started program, such as `subprocess.Popen`."""

    @property
    def pid(self) -> int:
        """Its process id in the guest program's namespace."""

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal, None while it runs."""

    def kill(self) -> None:
        """Kill it."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; raise `subprocess.TimeoutExpired` on a timeout."""


class Programs(Protocol):
    """Starts programs."""

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        descriptor: int | None = None,
        *,
        alone: bool = False,
    ) -> Program:
        """Start a program without standard input and output.

        Args:
            command: The program and its arguments; `DESCRIPTOR` is replaced by the number of the
                descriptor.
            environment: Its environment variables; `DESCRIPTOR` is replaced likewise.
            descriptor: File descriptor to inherit.
            alone: The program starts no processes itself and may be prevented from it.
        """

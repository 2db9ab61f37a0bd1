"""Programs that the guest starts, wherever they run."""

import subprocess
from collections.abc import Mapping, Sequence
from typing import Protocol

__all__ = ["DESCRIPTOR", "HERE", "Program", "Programs"]

DESCRIPTOR = "{descriptor}"
"""In a command: the number that a descriptor handed on has for the program."""


class Program(Protocol):
    """A program that was started; `subprocess.Popen` is one."""

    @property
    def pid(self) -> int:
        """Its process id, as the guest program sees it."""

    def poll(self) -> int | None:
        """Return its exit code, below 0 for a signal, None while it runs."""

    def kill(self) -> None:
        """End it by force."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; `subprocess.TimeoutExpired` if that does not come in time."""


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
        """Start one without input and output.

        Args:
            command: The program and its arguments, with `DESCRIPTOR` for the number of the
                descriptor.
            environment: Its environment variables, with `DESCRIPTOR` likewise.
            descriptor: Handed on to it.
            alone: It need not start processes itself and may be kept from it.
        """


class _Here:
    """Starts programs beside this one, as its children."""

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        descriptor: int | None = None,
        *,
        alone: bool = False,
    ) -> Program:
        null = subprocess.DEVNULL
        return subprocess.Popen(
            [word.replace(DESCRIPTOR, str(descriptor)) for word in command],
            env={k: v.replace(DESCRIPTOR, str(descriptor)) for k, v in environment.items()},
            stdin=null,
            stdout=null,
            stderr=null,
            pass_fds=() if descriptor is None else (descriptor,),
        )


HERE: Programs = _Here()
"""Without any wall between this process and the programs."""

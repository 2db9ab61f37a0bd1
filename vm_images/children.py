"""Child processes that never outlive their parent process, however it ends."""

import contextlib
import os
import signal
import subprocess
from types import TracebackType
from typing import Any, Self

__all__ = ["ChildGroup"]

_END_SEC = 20.0
# The leader of the group reads from a pipe whose other end only the parent holds. If the pipe
# closes before a line arrives, the parent has died, and the leader kills the group.
_LEADER = ("sh", "-c", "read -r _ || kill -TERM 0")


class ChildGroup:
    """A process group for the programs of one job; a context manager.

    All programs end when the block ends with an exception, and when this process dies, even by
    SIGKILL. They receive SIGTERM and have 20 s to clean up.
    """

    def __enter__(self) -> Self:
        """Create the group."""
        self._children: list[subprocess.Popen[bytes]] = []
        self._leader = subprocess.Popen(_LEADER, stdin=subprocess.PIPE, process_group=0)
        return self

    def start(self, command: list[str], **options: Any) -> "subprocess.Popen[bytes]":
        """Start a program in the group; options are those of `subprocess.Popen`."""
        options.setdefault("stdin", subprocess.DEVNULL)
        child = subprocess.Popen(command, process_group=self._leader.pid, **options)
        self._children.append(child)
        return child

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the programs that still run."""
        if kind is not None:
            self._end()
        assert self._leader.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._leader.stdin as line:
            line.write(b"\n")
        self._leader.wait()

    def _end(self) -> None:
        self._signal(signal.SIGTERM)
        try:
            for child in self._children:
                child.wait(_END_SEC)
        except BaseException as error:
            self._signal(signal.SIGKILL)
            for child in self._children:
                child.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise

    def _signal(self, number: int) -> None:
        # The leader has not been reaped, so its process id cannot have been reused.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._leader.pid, number)

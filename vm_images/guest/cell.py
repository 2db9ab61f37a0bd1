"""Isolation of the desktop: its programs cannot see, reach or outlive the guest program.

They run in their own process namespace below this process, or as another user in a sandbox that can
be checkpointed, with their own file system view, no capabilities and a seccomp filter. This process
starts them through their first process and can observe all of them. If this process ends, the
kernel kills all of them. If the first process ends, this process cannot start new programs.
"""

import contextlib
import json
import os
import select
import socket
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.cell_init import CellPlan, build_cell
from pptarena.vm_images.guest.errors import SessionError
from pptarena.vm_images.guest.kernel import drop_capabilities, hide_process, show_process
from pptarena.vm_images.guest.programs import Program

__all__ = ["Cell", "CellPlan"]

_MESSAGE_BYTES = 64 * 1024
_ANSWER_SEC = 20.0
_CREDENTIALS = struct.Struct("=iII")  # struct ucred of unix(7)


class Cell:
    """A running cell. The process that creates it must be single-threaded.

    Args:
        plan: Resources and limits of the cell's programs.

    Attributes:
        first_pid: Process id, in this namespace, of the ancestor of all the cell's programs.

    Raises:
        SessionError: If the system refuses; no program is left running.
    """

    def __init__(self, plan: CellPlan) -> None:
        self._socket, child_socket = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_ANSWER_SEC)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with child_socket:
            intermediate_pid = os.fork()
            if intermediate_pid == 0:
                build_cell(child_socket, plan)
        os.waitpid(intermediate_pid, 0)
        try:
            message, ancillary, _, _ = self._socket.recvmsg(
                _MESSAGE_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size)
            )
        except OSError as error:
            raise SessionError(f"the desktop's namespaces were not created: {error}") from error
        if message != b"ready":
            reason = message.decode("utf-8", "replace") or "their first process ended"
            raise SessionError(f"the desktop's namespaces were not created: {reason}")
        self.first_pid, _, _ = _CREDENTIALS.unpack(ancillary[0][2])
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        drop_capabilities()
        if plan.user is None:
            hide_process()
        else:
            show_process()  # CRIU must inspect a restored process; the programs cannot

    def start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        descriptor: int | None = None,
        *,
        alone: bool = False,
    ) -> Program:
        """Start a program in the cell; see `Programs`.

        Raises:
            SessionError: If it cannot be started.
        """
        request = {"command": list(command), "environment": dict(environment), "alone": alone}
        descriptors = [] if descriptor is None else [descriptor]
        answer, received = self._ask(request, descriptors)
        if not received:
            raise SessionError(f"cannot start {command[0]}: {answer.get('error', 'no answer')}")
        return _CellProgram(self, int(answer["pid"]), received[0])

    def kill(self, inner_pid: int) -> None:
        """Kill a program that was started in the cell; nothing happens if it has ended."""
        self._ask({"kill": inner_pid}, [])

    def exit_code(self, inner_pid: int) -> int:
        """Return the exit code of a program that has ended."""
        answer, _ = self._ask({"ended": inner_pid}, [])
        return int(answer["code"])

    def _ask(
        self, request: dict[str, object], descriptors: list[int]
    ) -> tuple[dict[str, Any], list[int]]:
        try:
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            data, received, _, _ = socket.recv_fds(self._socket, _MESSAGE_BYTES, 1)
        except OSError as error:
            raise SessionError(f"the desktop's first process does not answer: {error}") from error
        if not data:
            raise SessionError("the desktop's first process ended")
        return json.loads(data), list(received)


class _CellProgram:
    """A program in a cell, held by a pidfd, so its process id cannot be reused."""

    def __init__(self, cell: Cell, inner_pid: int, descriptor: int) -> None:
        self._cell = cell
        self._inner_pid = inner_pid
        self._descriptor = descriptor
        self._code: int | None = None
        fdinfo = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
        self._pid = int(next(line for line in fdinfo.splitlines() if line.startswith("Pid:"))[4:])

    @property
    def pid(self) -> int:
        return self._pid

    def poll(self) -> int | None:
        if self._code is None and self._has_ended(0):
            self._code = self._cell.exit_code(self._inner_pid)
            os.close(self._descriptor)
        return self._code

    def kill(self) -> None:
        if self._code is None:
            with contextlib.suppress(SessionError):
                self._cell.kill(self._inner_pid)

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            remaining_sec = None if deadline is None else deadline - time.monotonic()
            if remaining_sec is not None and remaining_sec <= 0:
                raise subprocess.TimeoutExpired(str(self._pid), timeout or 0.0)
            self._has_ended(remaining_sec)
        return code

    def _has_ended(self, timeout_sec: float | None) -> bool:
        return bool(select.select([self._descriptor], [], [], timeout_sec)[0])

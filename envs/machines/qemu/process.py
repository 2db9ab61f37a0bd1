"""One virtual machine: a process of QEMU, the guest program inside, a socket to each."""

import contextlib
import logging
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.qemu.hardware import Hardware
from pptarena.envs.machines.qemu.kept import KeptState
from pptarena.envs.machines.qemu.memory_file import clone_memory, require_space, write_own_pages
from pptarena.envs.machines.qemu.monitor import Monitor
from pptarena.envs.machines.spawner import spawn, stderr_tail, with_parent_death_signal
from pptarena.errors import MachineError, MachineLostError, MachineStartError

__all__ = ["VirtualMachine"]

_RUNNING = frozenset({"running"})
_COMING_UP = frozenset({"inmigrate", "prelaunch", "restore-vm", "paused"})
_LOOK_SEC = 0.002
_LAST_WORDS_SEC = 1.0
_KILL_SEC = 10.0
_DEVICES_BYTES = 8 * 2**20  # ten times what their state takes

_log = logging.getLogger(__name__)


class VirtualMachine:
    """A running or paused virtual machine.

    Args:
        hardware: What it is made of.
        memory: File that holds its memory at the start; it is never written.
        more: What the command line has besides: `Hardware.boot` or `Hardware.resume`.
        timeout_sec: Deadline of its start.
        watch: Descriptor of the socket to viewers of the screen, if any may look.

    Raises:
        HostError: If this host lacks a program.
        MachineStartError: If it does not come up.

    Attributes:
        link: The wire to the guest program.
        restore_sec: How long it took from nothing until it ran.
    """

    def __init__(
        self,
        hardware: Hardware,
        memory: Path,
        more: list[str],
        timeout_sec: float,
        watch: int | None = None,
    ) -> None:
        started = time.monotonic()
        self._memory_path = memory
        self._monitor: Monitor | None = None
        try:
            self._memory = os.open(memory, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:  # removed meanwhile, or too many files are open
            raise MachineStartError(f"the kept state cannot be opened: {error}") from error
        try:
            self._process, ours, control = _start(hardware, memory, more, watch)
        except OSError as error:
            os.close(self._memory)
            raise MachineStartError(f"QEMU cannot be started: {error}") from error
        except BaseException:
            os.close(self._memory)
            raise
        self.link = GuestLink(ours)
        try:
            self._monitor = Monitor(control, timeout_sec)
            self._wait_running(started + timeout_sec)
        except MachineError as error:
            said = self._last_words()
            raise MachineStartError(f"the virtual machine did not start: {error}{said}") from error
        except BaseException:
            self.stop()
            raise
        self.restore_sec = time.monotonic() - started

    @classmethod
    def resume(
        cls, hardware: Hardware, state: KeptState, timeout_sec: float, watch: int | None = None
    ) -> Self:
        """Return a machine that goes on from a kept state; the state is shared, not used up.

        Raises:
            MachineStartError: If it does not come up.
        """
        return cls(hardware, state.memory, Hardware.resume(state.devices), timeout_sec, watch)

    @property
    def pid(self) -> int:
        """Process id of QEMU on the host."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def go_on(self) -> None:
        """Let its time go on."""
        self._control().execute("cont")

    def pause(self) -> None:
        """Let its time, and its processors, stand still."""
        self._control().execute("stop")

    def keep(self, folder: Path) -> None:
        """Write the state of the paused machine into a folder, as `KeptState` reads it.

        Raises:
            HostError: If the disk is full, or this host lets no process read another's memory.
            MachineError: If the machine went away.
        """
        state = KeptState(folder)
        if state.memory != self._memory_path:
            clone_memory(self._memory, state.memory)
        write_own_pages(self.pid, self._memory, state.memory)
        require_space(folder, _DEVICES_BYTES)  # QEMU does not say why it could not write
        devices = {"filename": str(state.devices)}
        self._control().execute("xen-save-devices-state", devices)  # nothing of Xen in it

    def stop(self) -> None:
        """Kill the machine; returns when it is gone. A second call does nothing."""
        self.link.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        try:
            self._process.wait(_KILL_SEC)
        except subprocess.TimeoutExpired:  # the kernel holds it, on a disk that hangs for example
            _log.warning("QEMU (process %d) was killed but does not end", self.pid)
        if self._monitor is not None:
            self._monitor.close()
            self._monitor = None
        if self._process.stderr is not None:
            self._process.stderr.close()
        if self._memory >= 0:
            os.close(self._memory)
            self._memory = -1

    def _control(self) -> Monitor:
        if self._monitor is None:
            raise MachineLostError("the virtual machine is stopped")
        return self._monitor

    def _wait_running(self, deadline: float) -> None:
        while True:
            left = deadline - time.monotonic()
            status = self._control().execute("query-status", timeout_sec=max(left, _LOOK_SEC))
            if status["status"] in _RUNNING:
                return
            if status["status"] not in _COMING_UP or left <= 0:
                raise MachineError(f"QEMU is in state {status['status']!r} and not running")
            time.sleep(_LOOK_SEC)  # loading takes some milliseconds and ends without an event

    def _last_words(self) -> str:
        """Stop and return what QEMU wrote on standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_SEC)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        said = stderr_tail(self._process)
        self.stop()
        return f"; it said: {said}" if said else ""


def _start(
    hardware: Hardware, memory: Path, more: list[str], watch: int | None
) -> tuple["subprocess.Popen[bytes]", socket.socket, socket.socket]:
    """Start QEMU; return it, the socket to the guest program and the one to its monitor."""
    with contextlib.ExitStack() as on_failure, contextlib.ExitStack() as theirs_too:
        pairs = []
        for _ in ("guest", "monitor"):
            ours, theirs = socket.socketpair()
            on_failure.enter_context(ours)
            theirs_too.enter_context(theirs)
            pairs.append((ours, theirs.fileno()))
        (guest, guest_fd), (control, control_fd) = pairs
        command = [
            *with_parent_death_signal(),
            *hardware.command(memory, guest_fd, control_fd, watch),
            *more,
        ]
        process = spawn(command, guest_fd, control_fd, *(() if watch is None else (watch,)))
        on_failure.pop_all()
    return process, guest, control

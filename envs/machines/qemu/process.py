"""One virtual machine: a QEMU process, and sockets to it and to the guest program."""

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
from pptarena.envs.machines.qemu.memory_file import clone_memory, require_space, write_private_pages
from pptarena.envs.machines.qemu.monitor import Monitor
from pptarena.envs.machines.qemu.vm_state import VmState
from pptarena.errors import MachineError, MachineLostError, MachineStartError
from pptarena.spawner import parent_death_prefix, spawn, stderr_tail

__all__ = ["VirtualMachine"]

_RUNNING = frozenset({"running"})
_STARTING = frozenset({"inmigrate", "prelaunch", "restore-vm", "paused"})
_POLL_SEC = 0.002
_EXIT_SEC = 1.0
_KILL_SEC = 10.0
_DEVICES_BYTES = 8 * 2**20  # ten times the size of their state

_log = logging.getLogger(__name__)


class VirtualMachine:
    """A running or paused virtual machine.

    Args:
        hardware: Its hardware.
        memory: File with the initial memory; it is never written.
        extra_arguments: Further command-line arguments, of `Hardware.boot` or `Hardware.resume`.
        timeout_sec: Deadline of its start in seconds.

    Raises:
        HostError: If this host lacks a program.
        MachineStartError: If the machine does not start.

    Attributes:
        link: The connection to the guest program.
        restore_sec: Seconds from spawning the process until the machine ran.
    """

    def __init__(
        self,
        hardware: Hardware,
        memory: Path,
        extra_arguments: list[str],
        timeout_sec: float,
    ) -> None:
        started = time.monotonic()
        self._memory_path = memory
        self._monitor: Monitor | None = None
        try:
            self._memory = os.open(memory, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:  # deleted, or too many open files
            raise MachineStartError(f"the saved state cannot be opened: {error}") from error
        try:
            self._process, guest, control = _start(hardware, memory, extra_arguments)
        except OSError as error:
            os.close(self._memory)
            raise MachineStartError(f"QEMU cannot be started: {error}") from error
        except BaseException:
            os.close(self._memory)
            raise
        self.link = GuestLink(guest)
        try:
            self._monitor = Monitor(control, timeout_sec)
            self._wait_running(started + timeout_sec)
        except MachineError as error:
            stderr = self._stop_and_describe_stderr()
            raise MachineStartError(
                f"the virtual machine did not start: {error}{stderr}"
            ) from error
        except BaseException:
            self.stop()
            raise
        self.restore_sec = time.monotonic() - started

    @classmethod
    def resume(cls, hardware: Hardware, state: VmState, timeout_sec: float) -> Self:
        """Return a machine that resumes a saved state, which remains usable.

        Raises:
            MachineStartError: If the machine does not start.
        """
        return cls(hardware, state.memory, Hardware.resume(state.devices), timeout_sec)

    @property
    def pid(self) -> int:
        """Process id of QEMU on the host."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def unpause(self) -> None:
        """Resume the machine."""
        self._control().execute("cont")

    def pause(self) -> None:
        """Pause the machine, including its clocks."""
        self._control().execute("stop")

    def save_state(self, folder: Path) -> None:
        """Save the state of the paused machine to a folder in the format of `VmState`.

        Raises:
            HostError: If the disk is full, or this host does not allow reading another process's
                memory.
            MachineError: If the machine was lost.
        """
        state = VmState(folder)
        if state.memory != self._memory_path:
            clone_memory(self._memory, state.memory)
        write_private_pages(self.pid, self._memory, state.memory)
        require_space(folder, _DEVICES_BYTES)  # QEMU does not report why a write failed
        devices = {"filename": str(state.devices)}
        self._control().execute("xen-save-devices-state", devices)  # not specific to Xen

    def stop(self) -> None:
        """Kill the machine and wait until it has exited. Later calls do nothing."""
        self.link.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        try:
            self._process.wait(_KILL_SEC)
        except subprocess.TimeoutExpired:  # blocked in the kernel, for example by a hanging disk
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
            remaining_sec = deadline - time.monotonic()
            status = self._control().execute(
                "query-status", timeout_sec=max(remaining_sec, _POLL_SEC)
            )
            if status["status"] in _RUNNING:
                return
            if status["status"] not in _STARTING or remaining_sec <= 0:
                raise MachineError(f"QEMU is in state {status['status']!r} and not running")
            time.sleep(_POLL_SEC)  # loading takes some milliseconds and ends without an event

    def _stop_and_describe_stderr(self) -> str:
        """Stop QEMU and return its output on standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SEC)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        output = stderr_tail(self._process)
        self.stop()
        return f"; standard error: {output}" if output else ""


def _start(
    hardware: Hardware, memory: Path, extra_arguments: list[str]
) -> tuple["subprocess.Popen[bytes]", socket.socket, socket.socket]:
    """Start QEMU; return its process, the guest socket and the monitor socket."""
    with contextlib.ExitStack() as on_failure, contextlib.ExitStack() as child_ends:
        pairs = []
        for _ in ("guest", "monitor"):
            host_end, child_end = socket.socketpair()
            on_failure.enter_context(host_end)
            child_ends.enter_context(child_end)
            pairs.append((host_end, child_end.fileno()))
        (guest, guest_fd), (control, control_fd) = pairs
        command = [
            *parent_death_prefix(),
            *hardware.command(memory, guest_fd, control_fd),
            *extra_arguments,
        ]
        process = spawn(command, guest_fd, control_fd)
        on_failure.pop_all()
    return process, guest, control

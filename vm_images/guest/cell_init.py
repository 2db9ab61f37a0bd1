"""The first process of the desktop's namespaces: it creates them and starts programs in them.

It is a fork of the guest program that has closed everything except one socket. As the init process
of its namespace, or as another user in the guest's, it receives no signals from the programs, and
none of them can inspect it.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pptarena.vm_images.guest import kernel
from pptarena.vm_images.guest.limits import Limits, limit_processes
from pptarena.vm_images.guest.programs import DESCRIPTOR
from pptarena.vm_images.guest.system_calls import restrict_system_calls

__all__ = ["CellPlan", "build_cell"]

_MESSAGE_BYTES = 64 * 1024
_POLL_SEC = 1.0
_KERNEL_FILES = ("sys", "sysrq-trigger", "irq", "bus", "acpi", "scsi", "fs")
_RESERVED_PIDS = 300  # the kernel hands them out only once
_INODES = 50_000
_NEW = kernel.NEW_PIDS | kernel.NEW_MOUNTS


@dataclass(frozen=True, slots=True)
class CellPlan:
    """Resources and limits of the programs in a cell.

    Attributes:
        limits: Limits of memory and processes.
        folder: Working directory of new programs.
        read_only: Folders that are visible but not writable.
        hidden: Files and folders that are not visible.
        user: User of the programs, other than that of the guest program. They then share its
            process namespace, which a checkpoint requires. None for a process namespace of their
            own.
    """

    limits: Limits
    folder: Path
    read_only: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    user: int | None = None


def build_cell(connection: socket.socket, plan: CellPlan) -> NoReturn:
    """Turn a forked child into the cell's first process; sends ``ready`` or the error."""
    try:
        if plan.user is None:
            _unshare()
        else:
            kernel.unshare(kernel.NEW_MOUNTS)
        if os.fork() != 0:
            os._exit(0)
        if plan.user is None:
            os.setsid()
        _close_descriptors_except(connection.fileno())
        _set_up_view(plan)
        limit_processes(plan.limits)
        if plan.user is None:
            kernel.drop_capabilities()
        else:
            kernel.drop_capabilities((kernel.KILL, kernel.SET_GROUP, kernel.SET_USER))
        kernel.hide_process()
        restrict_system_calls(alone=False)
        connection.send(b"ready")
        _InitProcess(connection, plan.user).serve()
    except BaseException as error:  # noqa: BLE001 - the fork must not continue as a second guest
        with contextlib.suppress(OSError):
            connection.send(f"{type(error).__name__}: {error}".encode())
    os._exit(1)


def _unshare() -> None:
    """Create new namespaces, in a new user namespace if this process lacks the privileges."""
    try:
        kernel.unshare(_NEW)
    except PermissionError:
        user, group = os.getuid(), os.getgid()
        kernel.unshare(_NEW | kernel.NEW_USERS)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _close_descriptors_except(retained: int) -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    os.closerange(3, retained)
    os.closerange(retained + 1, 1 << 16)


def _set_up_view(plan: CellPlan) -> None:
    """Set up the cell's view of processes and files."""
    kernel.disable_mount_propagation()
    kernel.mount("proc", "/proc", "" if plan.user is None else "hidepid=invisible", flags=8)
    settings = {"user/max_user_namespaces": "0"}
    if plan.user is None:
        # Per process namespace since Linux 6.14; earlier kernels refuse it.
        settings["kernel/pid_max"] = str(plan.limits.processes + _RESERVED_PIDS)
    for name, value in settings.items():
        with contextlib.suppress(OSError):
            Path("/proc/sys", name).write_text(value)
    for name in _KERNEL_FILES:
        if os.path.exists(f"/proc/{name}"):
            kernel.bind_read_only(f"/proc/{name}", f"/proc/{name}")
    size = plan.limits.memory_bytes // 4
    kernel.mount("tmpfs", "/dev/shm", f"mode=1777,size={size},nr_inodes={_INODES}")
    for mount_point in ("/tmp", "/home", "/run"):
        with contextlib.suppress(OSError):  # it may be shared or another user's
            kernel.limit_inodes(mount_point, f"nr_inodes={_INODES}")
    for folder in plan.read_only:
        kernel.bind_read_only(str(folder), str(folder))
    for path in plan.hidden:
        _hide(path)
    os.chdir(plan.folder)


def _hide(path: Path) -> None:
    while kernel.unmount(str(path)):
        pass
    if path.is_dir():
        kernel.mount("tmpfs", str(path), "mode=555,size=4096,nr_inodes=1", flags=1)
    elif path.exists():
        kernel.bind_read_only("/dev/null", str(path))


class _InitProcess:
    """Starts the requested programs, kills them, and reaps ended ones."""

    def __init__(self, connection: socket.socket, user: int | None) -> None:
        self._socket = connection
        self._user = user
        self._codes: dict[int, int] = {}
        self._started: set[int] = set()

    def serve(self) -> None:
        """Serve until the guest program ends."""
        wake, waker = os.pipe()
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready, _, _ = select.select([self._socket.fileno(), wake], [], [])
            if wake in ready:
                os.read(wake, 4096)
            self._reap()
            if self._socket.fileno() in ready and not self._answer():
                return

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (status := os.waitpid(-1, os.WNOHANG))[0]:
                if status[0] in self._started:  # otherwise it is an orphan
                    self._started.discard(status[0])
                    self._codes[status[0]] = os.waitstatus_to_exitcode(status[1])

    def _answer(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._socket, _MESSAGE_BYTES, 1)
        if not data:
            return False
        request: dict[str, Any] = json.loads(data)
        if "ended" in request:
            self._send({"code": self._codes.get(request["ended"], 0)})
            return True
        if "kill" in request:
            if request["kill"] in self._started:
                os.kill(request["kill"], signal.SIGKILL)
            self._send({})
            return True
        try:
            pid = os.fork()
            if pid == 0:
                self._run_program(request, descriptors)
            self._started.add(pid)
            pidfd = os.pidfd_open(pid)
        except OSError as error:
            self._send({"error": str(error)})
            return True
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self._send({"pid": pid}, pidfd)
        os.close(pidfd)
        return True

    def _send(self, answer: dict[str, Any], *descriptors: int) -> None:
        socket.send_fds(self._socket, [json.dumps(answer).encode()], descriptors)

    def _run_program(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        """Turn a forked child into the program."""
        try:
            if self._user is None:
                os.setsid()  # a checkpoint contains one session only
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            inherited = descriptors[0] if descriptors else -1
            if inherited >= 0:
                os.set_inheritable(inherited, True)
            self._socket.close()
            if self._user is not None:
                os.setgroups([])
                os.setresgid(self._user, self._user, self._user)
                os.setresuid(self._user, self._user, self._user)
                kernel.drop_capabilities()
            if request["alone"]:
                restrict_system_calls(alone=True)
            command = [
                argument.replace(DESCRIPTOR, str(inherited)) for argument in request["command"]
            ]
            environment = {
                name: value.replace(DESCRIPTOR, str(inherited))
                for name, value in request["environment"].items()
            }
            os.execvpe(command[0], command, environment)
        except BaseException as error:  # noqa: BLE001 - the fork must not continue as a second one
            sys.stderr.write(f"{error}\n")
        os._exit(127)

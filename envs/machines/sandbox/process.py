"""One sandbox: bubblewrap over the image, the guest program inside, a socket between them."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Self

from pptarena.envs.machines.base import MachineObservation
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.guest_reply import parse_application
from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.sandbox.criu import (
    SavedState,
    complete_restore,
    first_process,
    has_all_users,
    restore_command,
    save_processes,
    separate_users,
)
from pptarena.envs.machines.sandbox.guard import ResourceLimits, guard
from pptarena.envs.machines.sandbox.pipes import PipeConnection, PipeEnds
from pptarena.envs.machines.sandbox.trim import release_freed_memory
from pptarena.errors import HostError, MachineError, MachineLostError, MachineStartError
from pptarena.spawner import spawn, stderr_tail
from pptarena.vm_images import Image
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION

__all__ = ["BINDS", "SandboxProcess"]

_GUEST = Path(__file__).resolve().parents[3] / "vm_images" / "guest"
_TMPFS_BYTES = 512 * 2**20
_MAX_TASKS = 700  # the desktop has 60; inside, 512 are the limit
_DEVICES = ("null", "full", "random", "urandom")  # no zero: it gives memory without an owner
_USERS = (1000, 1001)  # of the image: agent, who owns the desktop, and pptarena, the guest program
BINDS = {
    "/opt/pptarena/pptarena/vm_images/guest": str(_GUEST),
    **{f"/dev/{name}": f"/dev/{name}" for name in _DEVICES},
}
"""Mounted files and folders of the host by path in a sandbox."""

_FIRST_UNASSIGNED_ID = 2_000_000_000  # above the ranges that systems assign to users and containers
_GUEST_CAPABILITIES = (
    *("CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP"),
    *("CAP_SETUID", "CAP_SETGID", "CAP_CHOWN", "CAP_FOWNER", "CAP_DAC_READ_SEARCH"),
    *("CAP_KILL", "CAP_IPC_OWNER"),
)


class SandboxProcess:
    """A running sandbox; `start` and `resume` make one.

    Attributes:
        link: The connection to the guest program.
        overload: The exceeded resource limit; "" if none.
    """

    def __init__(
        self,
        image: Image,
        config: MachineConfig,
        process: "subprocess.Popen[bytes]",
        link: GuestLink,
        pipes: tuple[int, int],
    ) -> None:
        self._image = image
        self._process = process
        self._pipes = pipes
        self.link = link
        self.overload = ""
        guard().watch(
            self.pid, ResourceLimits(config.memory_limit_bytes, _MAX_TASKS), self._stop_overloaded
        )

    @classmethod
    def start(cls, image: Image, config: MachineConfig) -> Self:
        """Start a sandbox and return it when its desktop is ready.

        Args:
            image: Image whose root filesystem the sandbox sees, read-only.
            config: Its settings.

        Raises:
            HostError: If bubblewrap is missing or may not create namespaces.
            MachineStartError: If the desktop does not start.
        """
        sandbox = cls._spawn(image, config, lambda guest_ends: _start(image, guest_ends, config))
        try:
            hello = {"version": PROTOCOL_VERSION, "settings": guest_settings(config)}
            parse_application(sandbox.link.request("hello", hello, config.start_timeout_sec))
        except MachineError as error:
            stderr = sandbox._stop_and_describe_stderr()
            raise MachineStartError(f"the sandbox did not start: {error}{stderr}") from error
        except BaseException:
            sandbox.stop()
            raise
        return sandbox

    @classmethod
    def resume(
        cls, image: Image, config: MachineConfig, state: SavedState
    ) -> tuple[Self, MachineObservation]:
        """Return a new sandbox in a saved state, and what it shows.

        Args:
            image: The image of the saved sandbox.
            config: Its settings.
            state: The state; it remains usable.

        Raises:
            MachineStartError: If the sandbox does not start, for example because the state is
                damaged.
        """
        sandbox = cls._spawn(image, config, lambda guest_ends: _restore(image, state, guest_ends))
        try:
            observed = sandbox.link.observe("look", {}, config.start_timeout_sec, config)
            complete_restore(first_process(sandbox.pid))
        except MachineError as error:
            stderr = sandbox._stop_and_describe_stderr()
            raise MachineStartError(f"the sandbox was not restored: {error}{stderr}") from error
        except BaseException:
            sandbox.stop()
            raise
        return sandbox, observed

    @classmethod
    def _spawn(
        cls,
        image: Image,
        config: MachineConfig,
        spawn_with: "Callable[[PipeEnds], subprocess.Popen[bytes]]",
    ) -> Self:
        host_ends, guest_ends = PipeEnds.pairs()
        try:
            process = spawn_with(guest_ends)
            pipes = guest_ends.inodes()
        except BaseException:
            host_ends.close()
            raise
        finally:
            guest_ends.close()
        return cls(image, config, process, GuestLink(PipeConnection(host_ends)), pipes)

    @property
    def pid(self) -> int:
        """Process id on the host of the program that started the sandbox: bubblewrap or CRIU."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the sandbox runs."""
        return self._process.poll() is None

    def save_state(self, folder: Path, timeout_sec: float) -> SavedState:
        """Save the state of the idle sandbox to an empty folder; the sandbox continues.

        After a `MachineError` it has ended.

        Raises:
            HostError: If this computer prevents it, for example by a full disk.
            MachineError: If the sandbox was lost, or it takes too long.
        """
        self.link.request("park", {}, timeout_sec)
        state = SavedState(folder, self._pipes)
        try:
            first = first_process(self.pid)
            for pid in process_tree(first)[1:]:  # the guest program has done so itself
                release_freed_memory(pid, self._image.root, timeout_sec)
            save_processes(self._image, first, state, BINDS, timeout_sec)
        except HostError as error:
            if not self.alive():
                raise MachineLostError("the sandbox ended while it was saved") from error
            raise
        except BaseException:
            self._kill()  # CRIU was interrupted while it had stopped the processes
            raise
        return state

    def _stop_overloaded(self, reason: str) -> None:
        self.overload = reason
        self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        """Kill all processes inside and wait until they have exited."""
        guard().unwatch(self.pid)
        self.link.close()
        self._kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _stop_and_describe_stderr(self) -> str:
        """Stop the sandbox and return the standard error of bubblewrap and guest."""
        self.link.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        output = stderr_tail(self._process)
        self.stop()
        if "bwrap:" in output:
            raise HostError(
                f"bubblewrap failed: {output}; see what this host lacks with: pptarena doctor"
            )
        return f"; standard error: {output}" if output else ""


def _restore(image: Image, state: SavedState, guest_ends: PipeEnds) -> "subprocess.Popen[bytes]":
    descriptors = guest_ends.reading, guest_ends.writing
    return spawn(restore_command(image, state, BINDS, descriptors), *descriptors)


def _start(image: Image, guest_ends: PipeEnds, config: MachineConfig) -> "subprocess.Popen[bytes]":
    namespace = user_namespace()
    try:
        command = _command(image, guest_ends, namespace, config)
        descriptors = guest_ends.reading, guest_ends.writing
        return spawn(command, *descriptors, *(() if namespace is None else (namespace,)))
    finally:
        if namespace is not None:
            os.close(namespace)


def _command(
    image: Image, guest_ends: PipeEnds, namespace: int | None, config: MachineConfig
) -> list[str]:
    """Return bubblewrap's command line.

    The capabilities apply only inside the sandbox. The guest program uses them to create the
    desktop's own namespaces and drops them before it starts the first program of the desktop.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    tmpfs_bytes = str(min(_TMPFS_BYTES, config.memory_limit_bytes // 4))
    guest = "/opt/pptarena/pptarena/vm_images/guest"
    parents = [str(folder) for folder in reversed(Path(guest).parents[:-2])]
    user_options = ("--unshare-user", "--uid", "1000", "--gid", "1000")
    tmpfs_options = ("--perms", "1777", "--size", tmpfs_bytes, "--tmpfs")
    return [
        *(program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session"),
        *(user_options if namespace is None else ("--userns", str(namespace))),
        *(("--as-pid-1",) if separate_users() else ()),
        *("--cap-drop", "ALL"),
        *(word for name in _GUEST_CAPABILITIES for word in ("--cap-add", name)),
        *("--hostname", "pptarena", "--ro-bind", str(image.root), "/", "--proc", "/proc"),
        *("--size", "65536", "--tmpfs", "/dev", "--dir", "/dev/shm"),
        *(word for name in _DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
        *("--symlink", "/proc/self/fd", "/dev/fd"),
        *(*tmpfs_options, "/dev/shm", *tmpfs_options, "/tmp"),
        *("--size", tmpfs_bytes, "--tmpfs", "/home", "--perms", "0700", "--dir", "/home/agent"),
        *("--size", "16777216", "--tmpfs", "/run"),
        *("--perms", "0755", "--dir", "/run/user"),
        *("--perms", "0700", "--dir", "/run/user/1000"),
        *("--size", "65536", "--tmpfs", "/opt"),
        *(word for folder in parents for word in ("--perms", "0755", "--dir", folder)),
        *("--ro-bind", str(_GUEST), guest),
        *("--chdir", "/", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"),
        *("--setenv", "HOME", "/home/agent", "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "XDG_RUNTIME_DIR", "/run/user/1000"),
        *("--setenv", "PYTHONPATH", "/opt/pptarena", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *("python3", "-m", "pptarena.vm_images.guest", "--pipes"),
        *(str(guest_ends.reading), str(guest_ends.writing)),
        *(("--users",) if separate_users() else ()),
    ]


def user_namespace() -> int | None:
    """Return a descriptor of a user namespace for one sandbox; None if bwrap creates its own.

    If this process runs as root of the computer, the sandbox has three users: root, who builds it,
    and those of desktop and guest program, who map to unused user ids on the host. Mapped to root,
    the desktop's user could change kernel settings and create unlimited processes regardless of
    dropped capabilities.

    Raises:
        HostError: If the namespace cannot be created.
    """
    if os.geteuid() != 0 or not has_all_users():
        return None
    program = shutil.which("unshare")
    if program is None:
        raise HostError("unshare is missing; install it with: sudo apt-get install util-linux")
    holder = subprocess.Popen(
        [program, "--user", "sh", "-c", "echo; read wait"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        try:
            if holder.stdout.read(1) != b"\n":
                raise HostError("unshare cannot make a user namespace; see: pptarena doctor")
            folder = Path(f"/proc/{holder.pid}")
            id_map = "0 0 1\n" + "".join(f"{id} {_FIRST_UNASSIGNED_ID + id} 1\n" for id in _USERS)
            for name in ("uid_map", "gid_map"):
                (folder / name).write_text(id_map)
            return os.open(folder / "ns/user", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise HostError(f"a user namespace cannot be set up: {error}") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                holder.kill()

"""One sandbox: bubblewrap over the image, the guest program inside, a socket between them."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.guest_reply import application_from
from pptarena.envs.machines.sandbox.guard import Share, guard
from pptarena.envs.machines.spawner import spawn, stderr_tail
from pptarena.errors import HostError, MachineError, MachineStartError
from pptarena.vm_images import Image
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION

__all__ = ["SandboxProcess"]

_GUEST = Path(__file__).resolve().parents[3] / "vm_images" / "guest"
_TMPFS_BYTES = 512 * 2**20
_MAX_TASKS = 700  # the desktop has 60; inside, 512 are the limit
_DEVICES = ("null", "full", "random", "urandom")  # no zero: it gives memory without an owner
_AGENT = 1000
_NOBODYS_FIRST = 2_000_000_000  # above the ranges that systems assign to users and containers
_POWERS = (
    *("CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP"),
    *("CAP_SETUID", "CAP_SETGID", "CAP_CHOWN", "CAP_FOWNER", "CAP_DAC_READ_SEARCH"),
)


class SandboxProcess:
    """A running sandbox whose desktop is ready.

    Args:
        image: Image whose root filesystem the sandbox sees, read-only.
        config: Its settings.

    Raises:
        HostError: If bubblewrap is missing or may not create namespaces.
        MachineStartError: If the desktop does not start.

    Attributes:
        link: The connection to the guest program.
        overload: The exceeded resource limit; "" if none.
        application: Name and version of the application.
    """

    def __init__(self, image: Image, config: MachineConfig) -> None:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _start(image, theirs.fileno(), config)
        except BaseException:
            ours.close()
            raise
        self.link = GuestLink(ours)
        self.overload = ""
        guard().watch(self.pid, Share(config.memory_limit_bytes, _MAX_TASKS), self._end_overloaded)
        try:
            hello = {"version": PROTOCOL_VERSION, "settings": guest_settings(config)}
            reply = self.link.request("hello", hello, config.start_timeout_sec)
            self.application = application_from(reply)
        except MachineError as error:
            said = self._end_and_read()
            raise MachineStartError(f"the sandbox did not come up: {error}{said}") from error
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """Process id of bubblewrap on the host."""
        return self._process.pid

    def alive(self) -> bool:
        """Whether the sandbox runs."""
        return self._process.poll() is None

    def _end_overloaded(self, reason: str) -> None:
        self.overload = reason
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        """Kill all processes inside and wait until they have exited."""
        guard().leave(self.pid)
        self.link.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _end_and_read(self) -> str:
        """Stop the sandbox and return the standard error of bubblewrap and guest."""
        self.link.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        said = stderr_tail(self._process)
        self.stop()
        if "bwrap:" in said:
            raise HostError(
                f"bubblewrap failed: {said}; see what this host lacks with: pptarena doctor"
            )
        return f"; it said: {said}" if said else ""


def _start(image: Image, descriptor: int, config: MachineConfig) -> "subprocess.Popen[bytes]":
    users = user_namespace()
    try:
        command = _command(image, descriptor, users, config)
        return spawn(command, descriptor, *(() if users is None else (users,)))
    finally:
        if users is not None:
            os.close(users)


def _command(image: Image, descriptor: int, users: int | None, config: MachineConfig) -> list[str]:
    """Return bubblewrap's command line.

    The capabilities apply only inside the sandbox. The guest program uses them to create the
    desktop's own namespaces and drops them before it starts the first program of the desktop.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    half = str(min(_TMPFS_BYTES, config.memory_limit_bytes // 4))
    guest = "/opt/pptarena/pptarena/vm_images/guest"
    parents = [str(folder) for folder in reversed(Path(guest).parents[:-2])]
    who = ("--unshare-user", "--uid", "1000", "--gid", "1000")
    memory = ("--perms", "1777", "--size", half, "--tmpfs")
    return [
        *(program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session"),
        *(who if users is None else ("--userns", str(users))),
        *("--cap-drop", "ALL", *(word for name in _POWERS for word in ("--cap-add", name))),
        *("--hostname", "pptarena", "--ro-bind", str(image.root), "/", "--proc", "/proc"),
        *("--size", "65536", "--tmpfs", "/dev", "--dir", "/dev/shm"),
        *(word for name in _DEVICES for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")),
        *("--symlink", "/proc/self/fd", "/dev/fd", *memory, "/dev/shm", *memory, "/tmp"),
        *("--size", half, "--tmpfs", "/home", "--perms", "0700", "--dir", "/home/agent"),
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
        *("python3", "-m", "pptarena.vm_images.guest", "--fd", str(descriptor)),
    ]


def user_namespace() -> int | None:
    """Return a descriptor of a user namespace for one sandbox; None if bwrap creates its own.

    If this process runs as root, the sandbox has two users: root, who builds it, and the agent, who
    maps to an unused user id on the host. Mapped to root, the agent could change kernel settings
    and create unlimited processes regardless of dropped capabilities.

    Raises:
        HostError: If the namespace cannot be created.
    """
    if os.geteuid() != 0:
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
            users = f"0 0 1\n{_AGENT} {_NOBODYS_FIRST + _AGENT} 1\n"
            for name in ("uid_map", "gid_map"):
                (folder / name).write_text(users)
            return os.open(folder / "ns/user", os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise HostError(f"a user namespace cannot be set up: {error}") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                holder.kill()

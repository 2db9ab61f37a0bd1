"""One sandbox: bubblewrap over the image, the guest program inside, a socket between."""

import contextlib
import shutil
import signal
import socket
import subprocess
from pathlib import Path

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.guest_reply import application_from
from pptarena.envs.machines.spawner import last_words, spawn
from pptarena.errors import HostError, MachineError, MachineStartError
from pptarena.vm_images import Image
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION

__all__ = ["SandboxProcess"]

_GUEST = Path(__file__).resolve().parents[2] / "vm_images" / "guest"
_TMPFS_BYTES = 512 * 2**20


class SandboxProcess:
    """A running sandbox with its desktop up.

    Args:
        image: Whose root filesystem it sees, read-only.
        config: Its settings.

    Raises:
        HostError: If bubblewrap is missing or not allowed to make namespaces.
        MachineStartError: If the desktop does not come up.
    """

    def __init__(self, image: Image, config: MachineConfig) -> None:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = spawn(_command(image, theirs.fileno(), config), theirs.fileno())
        except BaseException:
            ours.close()
            raise
        self.link = GuestLink(ours)
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

    def stop(self) -> None:
        """Kill everything inside; returns when it is gone."""
        self.link.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _end_and_read(self) -> str:
        """Stop and return what bubblewrap or the guest wrote on standard error."""
        self.link.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        said = last_words(self._process)
        self.stop()
        if "bwrap:" in said:
            raise HostError(
                f"bubblewrap failed: {said}; see what this host lacks with: pptarena doctor"
            )
        return f"; it said: {said}" if said else ""


def _command(image: Image, descriptor: int, config: MachineConfig) -> list[str]:
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    half = str(min(_TMPFS_BYTES, config.memory_limit_bytes // 4))
    guest = "/opt/pptarena/pptarena/vm_images/guest"
    return [
        *(program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "pptarena"),
        *("--ro-bind", str(image.root), "/", "--proc", "/proc", "--dev", "/dev"),
        *("--size", half, "--tmpfs", "/dev/shm", "--size", half, "--tmpfs", "/tmp"),
        *("--size", half, "--tmpfs", "/home", "--dir", "/home/agent"),
        *("--size", "16777216", "--tmpfs", "/run", "--dir", "/run/user/1000"),
        *("--size", "16777216", "--tmpfs", "/opt", "--ro-bind", str(_GUEST), guest),
        *("--chdir", "/home/agent", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"),
        *("--setenv", "HOME", "/home/agent", "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "XDG_RUNTIME_DIR", "/run/user/1000"),
        *("--setenv", "PYTHONPATH", "/opt/pptarena", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *("python3", "-m", "pptarena.vm_images.guest", "--fd", str(descriptor)),
    ]

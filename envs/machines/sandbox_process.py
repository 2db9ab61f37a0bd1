"""One sandbox: bubblewrap over the image, the guest program inside, a socket between."""

import contextlib
import os
import queue
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import guest_settings
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
                self._process = _spawn(_command(image, theirs.fileno(), config), theirs.fileno())
        except BaseException:
            ours.close()
            raise
        self.link = GuestLink(ours)
        try:
            hello = {"version": PROTOCOL_VERSION, "settings": guest_settings(config)}
            reply = self.link.request("hello", hello, config.start_timeout_sec)
        except MachineError as error:
            said = self._end_and_read()
            raise MachineStartError(f"the sandbox did not come up: {error}{said}") from error
        except BaseException:
            self.stop()
            raise
        self.application = str(reply.header["application"])

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
        assert self._process.stderr is not None
        said = self._process.stderr.read().decode("utf-8", "replace").strip()
        self.stop()
        if "bwrap:" in said:
            raise HostError(
                f"bubblewrap failed: {said}; see what this host lacks with: pptarena doctor"
            )
        return f"; it said: {said[-2000:]}" if said else ""


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


def _spawn(command: list[str], descriptor: int) -> "subprocess.Popen[bytes]":
    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(descriptor,),
            start_new_session=True,
        )

    return _spawner(os.getpid()).run(start)


class _Spawner:
    """One thread that lives as long as the process and starts all sandboxes.

    ``--die-with-parent`` is tied to the thread that forks, not to its process: a sandbox started
    from a thread that ends would be killed with it.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="pptarena-spawner", daemon=True).start()

    def run(self, job: Callable[[], "subprocess.Popen[bytes]"]) -> "subprocess.Popen[bytes]":
        future: Future[subprocess.Popen[bytes]] = Future()
        self._jobs.put((job, future))
        return future.result()

    def _work(self) -> None:
        while True:
            job, future = self._jobs.get()
            try:
                future.set_result(job())
            except BaseException as error:  # noqa: BLE001 - handed to the caller
                future.set_exception(error)


@cache
def _spawner(_pid: int) -> _Spawner:
    """Return this process's spawner; a forked child gets one of its own."""
    return _Spawner()

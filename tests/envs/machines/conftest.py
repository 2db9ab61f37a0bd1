"""Remote guests to connect to: the guest program listening in a sandbox of its own."""

import contextlib
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.remote import RemoteConfig
from pptarena.vm_images import require_image

GUEST = Path(__file__).parents[3] / "vm_images/guest"
TOKEN = "a token that only tests know"


class RemoteGuest:
    """A guest program that listens at a Unix socket, run in the image by bubblewrap.

    Args:
        folder: The only folder of the host visible inside; it contains the socket and the token.
    """

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "guest.sock"
        self.token_file = folder / "token"
        self.token_file.write_text(TOKEN + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"unix:{self.socket}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the guest and wait until it listens."""
        folder, guest = str(self.socket.parent), "/opt/pptarena/pptarena/vm_images/guest"
        command = [
            *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            # For the desktop's own namespaces, which the guest program builds.
            *("--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_SYS_RESOURCE"),
            *("--cap-add", "CAP_SETPCAP"),
            *("--uid", "1000", "--gid", "1000", "--ro-bind", str(require_image().root), "/"),
            *("--proc", "/proc", "--tmpfs", "/dev", "--dev-bind", "/dev/null", "/dev/null"),
            *("--dev-bind", "/dev/urandom", "/dev/urandom", "--symlink", "/proc/self/fd"),
            *("/dev/fd", "--tmpfs", "/dev/shm", "--tmpfs", "/tmp"),
            *("--tmpfs", "/opt", "--ro-bind", str(GUEST), guest, "--bind", folder, folder),
            *("--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"),
            *("--setenv", "PYTHONPATH", "/opt/pptarena", "--setenv", "PYTHONDONTWRITEBYTECODE"),
            *("1", "python3", "-m", "pptarena.vm_images.guest", "--listen", self.address),
            *("--token-file", str(self.token_file)),
        ]
        self._process = subprocess.Popen(command, start_new_session=True)
        deadline = time.monotonic() + 20
        while not self.socket.exists():
            assert self._process.poll() is None, "the guest exited"
            assert time.monotonic() < deadline, "the guest does not listen"
            time.sleep(0.02)

    def processes(self) -> dict[str, list[int]]:
        """Return the host's ids of the processes inside, by name."""
        pids_by_name: dict[str, list[int]] = {}
        for pid in process_tree(self.pid):
            with contextlib.suppress(OSError):
                pids_by_name.setdefault(Path(f"/proc/{pid}/comm").read_text().strip(), []).append(
                    pid
                )
        return pids_by_name

    def stop(self) -> None:
        """Kill the guest and its processes; the socket file stays, as after a crash."""
        process, self._process = self._process, None
        if process is not None:
            inside = process_tree(process.pid)
            process.send_signal(signal.SIGKILL)
            process.wait()
            deadline = time.monotonic() + 10
            while any(Path(f"/proc/{pid}").exists() for pid in inside):
                assert time.monotonic() < deadline, "the sandbox outlives bubblewrap"
                time.sleep(0.02)


StartGuest = Callable[[], RemoteGuest]


@pytest.fixture(scope="module")
def start_guest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartGuest]:
    """Return a function that starts a remote guest; all end with the module's tests."""
    guests: list[RemoteGuest] = []

    def start() -> RemoteGuest:
        guests.append(RemoteGuest(tmp_path_factory.mktemp("guest")))
        return guests[-1]

    yield start
    for guest in guests:
        guest.stop()
        shutil.rmtree(guest.socket.parent)


@pytest.fixture(scope="module")
def remote_config(start_guest: StartGuest) -> RemoteConfig:
    """Settings of a remote machine; two guests, so that two machines can run concurrently."""
    first, second = start_guest(), start_guest()
    return RemoteConfig(
        remote_address=f"{first.address},{second.address}", remote_token_file=str(first.token_file)
    )

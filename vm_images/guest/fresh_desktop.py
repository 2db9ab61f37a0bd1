"""A guest process with its own desktop, home and session; nothing outlives `stop`."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pptarena.vm_images.guest.descendants import end_descendants, reap_orphans
from pptarena.vm_images.guest.handshake import TOKEN_VARIABLE
from pptarena.vm_images.guest.leftovers import Leftovers

__all__ = ["FreshDesktop"]

_STOP_SEC = 10.0
_SHARED = Path("/tmp")  # where X servers and LibreOffice keep files outside the home folder


class FreshDesktop:
    """A child process that serves one desktop on `connection`.

    This process must have called `adopt_orphans` and must start no other processes: `stop` ends all
    its descendants.

    Args:
        hidden: Files and folders that the desktop does not see.
    """

    def __init__(self, hidden: tuple[Path, ...] = ()) -> None:
        self._leftovers = Leftovers([_SHARED])
        self._folder = Path(tempfile.mkdtemp(prefix="pptarena-"))
        home, runtime = self._folder / "agent", self._folder / "run"
        home.mkdir()
        runtime.mkdir(mode=0o700)
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}
        self.connection, guest_socket = socket.socketpair()
        with guest_socket:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-W", "ignore", "-m", "pptarena.vm_images.guest"),
                    *("--fd", str(guest_socket.fileno())),
                    *(argument for path in hidden for argument in ("--hide", str(path))),
                ],
                cwd=home,
                env=environment,
                stdin=subprocess.DEVNULL,
                pass_fds=(guest_socket.fileno(),),
            )

    def reap(self) -> None:
        """Reap ended processes of the desktop."""
        reap_orphans(self._process.pid)

    def stop(self) -> None:
        """End every process of the desktop and remove its files. A second call does nothing."""
        self.connection.close()
        end_descendants(time.monotonic() + _STOP_SEC)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._leftovers.remove()

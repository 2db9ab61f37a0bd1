"""Viewers on the host can watch and control the display: VNC through a serial port.

Nothing runs until a viewer connects. Then x11vnc serves this viewer on a socket pair and ends with
it. It does not listen on the network, and it uses the system clock.
"""

import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from pptarena.vm_images.guest.device import PATIENCE_SEC
from pptarena.vm_images.guest.watch_wire import (
    Flow,
    FrameKind,
    FrameReader,
    pack_frame,
    wait_ready,
)

__all__ = ["Watch", "viewer_command"]

_LOOK_SEC = 0.05
_END_SEC = 2.0


class Watch:
    """The port for viewers.

    Args:
        port: The device, such as ``/dev/vport1p2``.
        command: Returns, for a password, the command that serves one viewer on its standard input
            and output.
        patience_sec: How long the host's end may stay closed before the port is abandoned; see
            `pptarena.vm_images.guest.device.DeviceStream`.
    """

    def __init__(
        self,
        port: Path,
        command: Callable[[str], list[str]] | None = None,
        patience_sec: float = PATIENCE_SEC,
    ) -> None:
        self._port = port
        self._command = command or viewer_command
        self._patience_sec = patience_sec
        self._relay: _Relay | None = None

    def start(self, password: str, mark: bytes) -> None:
        """Serve viewers from now on; viewers of an earlier call are disconnected.

        Args:
            password: Password of the viewers; VNC uses its first 8 characters.
            mark: Sent to the host first; data before it belongs to an earlier host.
        """
        self.stop()
        self._relay = _Relay(self._port, self._command(password), mark, self._patience_sec)
        self._relay.start()

    def stop(self) -> None:
        """Stop serving viewers. A second call does nothing."""
        relay, self._relay = self._relay, None
        if relay is not None:
            relay.stop()


def viewer_command(password: str) -> list[str]:
    """Return a command that serves the display to one viewer on its standard input and output.

    The password is stored in a file that only this user can read.
    """
    folder = Path(os.environ["XDG_RUNTIME_DIR"])
    file = folder / "watch-password"
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as opened:
        opened.write(f"{password}\n")
    return [
        # Viewers wait for the application, not the other way round.
        *("nice", "-n", "10", "x11vnc", "-inetd", "-quiet", "-norc", "-noremote"),
        *("-display", os.environ["DISPLAY"], "-passwdfile", str(file)),
        # Clipboards are not shared: a viewer could change the agent's.
        *("-nosel", "-nobell", "-repeat", "-nowireframe", "-noscrollcopyrect", "-wait", "40"),
        "-clear_keys",  # a viewer that disconnects with a key pressed leaves it pressed
    ]


class _Viewer:
    """One viewer and the process that serves it."""

    def __init__(self, number: int, command: list[str]) -> None:
        self.number = number
        self._socket, theirs = socket.socketpair()
        self.flow = Flow(self._socket.fileno())
        try:
            with theirs:
                self._process = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=theirs.fileno(),
                    stderr=subprocess.DEVNULL,
                )
        except BaseException:
            self._socket.close()
            raise

    def end(self) -> None:
        self._socket.close()  # the process ends when its viewer is gone
        try:
            self._process.wait(_END_SEC)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Relay(threading.Thread):
    """Relays bytes between the port and the process that serves the current viewer."""

    def __init__(self, port: Path, command: list[str], mark: bytes, patience_sec: float) -> None:
        super().__init__(name="watch", daemon=True)
        self._command = command
        self._patience_sec = patience_sec
        self._frames = FrameReader()
        self._viewer: _Viewer | None = None
        self._free_since: float | None = None  # since when the host's end is closed
        self._port = Flow(os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC | os.O_NONBLOCK))
        self._wake, self._waker = os.pipe()
        self._port.put(mark)

    def run(self) -> None:
        try:
            while self._turn():
                pass
        finally:
            self._end_viewer()
            os.close(self._port.descriptor)
            os.close(self._wake)

    def stop(self) -> None:
        os.close(self._waker)
        self.join()

    def _turn(self) -> bool:
        """Wait for an event and handle it; return whether to continue."""
        viewer, port = self._viewer, self._port
        wanted = {self._wake: 0, port.descriptor: port.events(read=True)}
        if viewer is not None:
            wanted[port.descriptor] = port.events(read=not viewer.flow.full)
            wanted[viewer.flow.descriptor] = viewer.flow.events(read=not port.full)
        ready = wait_ready(wanted)
        if self._wake in ready:
            return False
        if viewer is not None and viewer.flow.descriptor in ready:
            self._serve_viewer(viewer)
        return port.descriptor not in ready or self._serve_port()

    def _serve_viewer(self, viewer: _Viewer) -> None:
        viewer.flow.flush()
        data = viewer.flow.read()
        if data:
            self._port.put(pack_frame(FrameKind.DATA, viewer.number, data))
        elif data is not None:
            self._port.put(pack_frame(FrameKind.CLOSE, viewer.number))
            self._end_viewer()

    def _serve_port(self) -> bool:
        self._port.flush()
        data = self._port.read()
        if data == b"":
            return self._wait_for_host()
        self._free_since = None
        try:
            for frame in self._frames.feed(data or b""):
                self._obey(*frame)
        except ValueError:
            return False
        return True

    def _wait_for_host(self) -> bool:
        """Wait for the host; a restored machine has none for a moment, or forever."""
        now = time.monotonic()
        self._free_since = self._free_since or now
        time.sleep(_LOOK_SEC)  # a closed other end causes no event to wait for
        return now - self._free_since < self._patience_sec

    def _obey(self, kind: FrameKind, number: int, data: bytes) -> None:
        if kind is FrameKind.OPEN:
            self._end_viewer()
            try:
                self._viewer = _Viewer(number, self._command)
            except OSError:
                self._port.put(pack_frame(FrameKind.CLOSE, number))
        elif self._viewer is not None and self._viewer.number == number:
            if kind is FrameKind.DATA:
                self._viewer.flow.put(data)
            else:
                self._end_viewer()

    def _end_viewer(self) -> None:
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            viewer.end()

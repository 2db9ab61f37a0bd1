"""Relay between viewers at a Unix socket and a virtual machine."""

import secrets
import select
import socket
import threading
from collections import deque
from dataclasses import dataclass, field

from pptarena.vm_images.guest.watch_wire import (
    Flow,
    FrameKind,
    FrameReader,
    pack_frame,
    wait_ready,
)

__all__ = ["WatchChannel", "WatchRelay"]

_MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class WatchChannel:
    """The connection to the VNC port of one virtual machine.

    Attributes:
        theirs: QEMU's end; to be closed after QEMU has started.
        ours: The other end.
        mark: The first bytes that the guest sends.
    """

    theirs: socket.socket
    ours: socket.socket
    mark: bytes = field(default_factory=lambda: secrets.token_bytes(_MARK_BYTES))

    @classmethod
    def make(cls) -> "WatchChannel":
        """Return a new channel."""
        return cls(*socket.socketpair())

    def close(self) -> None:
        """Close both ends. Later calls do nothing."""
        self.theirs.close()
        self.ours.close()


class WatchRelay(threading.Thread):
    """The relay thread; it serves one viewer at a time, others wait at the socket.

    Args:
        listener: The listening socket; the relay takes ownership.
    """

    def __init__(self, listener: socket.socket) -> None:
        super().__init__(name="pptarena-watch", daemon=True)
        listener.setblocking(False)
        self._listener = listener
        self._wake, self._waker = socket.socketpair()
        self._next: deque[WatchChannel] = deque()
        self._machine: _Machine | None = None
        self._viewer: _Viewer | None = None
        self._count = 0

    def attach(self, channel: WatchChannel) -> None:
        """Show this virtual machine from now on; takes ownership of our end of the channel."""
        self._next.append(channel)
        try:
            self._waker.send(b"\0")
        except OSError:  # the thread has exited: only watching is unavailable
            channel.ours.close()

    def stop(self) -> None:
        """Disconnect all viewers and wait until everything is closed. Call it only once."""
        self._waker.shutdown(socket.SHUT_RDWR)  # a forked process may hold it open, too
        self._waker.close()
        self.join()

    def run(self) -> None:
        """Run until `stop`."""
        try:
            while self._turn():
                pass
        finally:
            self._lose_machine()
            while self._next:
                self._next.popleft().ours.close()
            self._listener.close()
            self._wake.close()

    def _turn(self) -> bool:
        """Wait for an event and handle it; return whether to continue."""
        machine, viewer = self._machine, self._viewer
        wanted = {self._wake.fileno(): select.POLLIN}
        if machine is not None:
            keeps_up = viewer is None or not viewer.flow.full
            wanted[machine.flow.descriptor] = machine.flow.events(read=keeps_up)
            if viewer is not None:
                read = not viewer.leaving and not machine.flow.full
                wanted[viewer.flow.descriptor] = viewer.flow.events(read=read)
            elif machine.ready:
                wanted[self._listener.fileno()] = select.POLLIN
        ready = wait_ready(wanted)
        if self._wake.fileno() in ready:
            return self._take_next()
        if self._listener.fileno() in ready and machine is not None:
            self._welcome(machine)
        if viewer is not None and viewer.flow.descriptor in ready and machine is not None:
            self._serve_viewer(viewer, machine)
        if machine is not None and machine.flow.descriptor in ready:
            self._serve_machine(machine)
        return True

    def _take_next(self) -> bool:
        if not self._wake.recv(1):
            return False
        self._lose_machine()
        self._machine = _Machine(self._next.popleft())
        return True

    def _welcome(self, machine: "_Machine") -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:  # it disconnected again
            return
        self._count += 1
        self._viewer = _Viewer(self._count, connection)
        machine.flow.put(pack_frame(FrameKind.OPEN, self._count))

    def _serve_viewer(self, viewer: "_Viewer", machine: "_Machine") -> None:
        viewer.flow.flush()
        if viewer.leaving:
            if viewer.flow.idle:
                self._lose_viewer()
            return
        data = viewer.flow.read()
        if data:
            machine.flow.put(pack_frame(FrameKind.DATA, viewer.number, data))
        elif data is not None:
            machine.flow.put(pack_frame(FrameKind.CLOSE, viewer.number))
            self._lose_viewer()

    def _serve_machine(self, machine: "_Machine") -> None:
        machine.flow.flush()
        data = machine.flow.read()
        if data == b"":
            self._lose_machine()
            return
        try:
            for kind, number, piece in machine.frames.feed(machine.after_mark(data or b"")):
                if self._viewer is not None and self._viewer.number == number:
                    self._pass_on(self._viewer, kind, piece)
        except ValueError:  # invalid data, perhaps from a compromised guest, is not forwarded
            self._lose_machine()

    def _pass_on(self, viewer: "_Viewer", kind: FrameKind, data: bytes) -> None:
        viewer.flow.put(data)
        viewer.leaving = viewer.leaving or kind is FrameKind.CLOSE
        if viewer.leaving and viewer.flow.idle:
            self._lose_viewer()

    def _lose_viewer(self) -> None:
        viewer, self._viewer = self._viewer, None
        if viewer is not None:
            viewer.connection.close()

    def _lose_machine(self) -> None:
        self._lose_viewer()
        machine, self._machine = self._machine, None
        if machine is not None:
            machine.channel.ours.close()


class _Viewer:
    """A connected viewer."""

    def __init__(self, number: int, connection: socket.socket) -> None:
        self.number = number
        self.connection = connection
        self.flow = Flow(connection.fileno())
        self.leaving = False  # the server closed the connection; its last data is in transit


class _Machine:
    """The virtual machine being watched."""

    def __init__(self, channel: WatchChannel) -> None:
        self.channel = channel
        self.flow = Flow(channel.ours.fileno())
        self.frames = FrameReader()
        self.ready = False  # the mark was received
        self._before = b""

    def after_mark(self, data: bytes) -> bytes:
        """Return the bytes of this machine, without those of the machine it was forked from."""
        if self.ready:
            return data
        _, found, after = (self._before + data).partition(self.channel.mark)
        self.ready = bool(found)
        self._before = (self._before + data)[-_MARK_BYTES:]
        return after

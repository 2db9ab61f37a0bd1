"""Serve one remote host: forward its requests to a desktop, and start a new one for every load.

A sandbox or virtual machine has one desktop and ends with it. A remote guest outlives its desktops.
Each desktop is a separate process that is killed with all its descendants, so no state of one
episode reaches the next.
"""

import select
import socket
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.fresh_desktop import FreshDesktop
from pptarena.vm_images.guest.protocol import Frame, ProtocolError, encode_frame, read_frame
from pptarena.vm_images.guest.stream import exact_reader

__all__ = ["supervise"]

_CHUNK_BYTES = 1 << 20
_ENDED = "the desktop's guest program ended; load a deck to start a new one"


def supervise(host: socket.socket, hidden: tuple[Path, ...] = ()) -> None:
    """Serve a host until it disconnects, then end its desktop.

    Args:
        host: The connection.
        hidden: Files and folders that the desktop does not see, such as the token file.
    """
    session = _HostSession(host, hidden)
    try:
        session.run()
    except (_HostGoneError, EOFError, OSError, ProtocolError):
        pass  # the host disconnected or violated the protocol: the next one may connect
    finally:
        session.stop()


class _HostGoneError(Exception):
    """The host disconnected while the desktop was working."""


class _DesktopConnection:
    """The connection to a desktop, abandoned if the host disconnects meanwhile."""

    def __init__(self, desktop: socket.socket, host: socket.socket) -> None:
        desktop.setblocking(False)
        self._desktop = desktop
        self._host = host

    def recv_into(self, buffer: memoryview, /) -> int:
        self._wait(writing=False)
        return self._desktop.recv_into(buffer, min(len(buffer), _CHUNK_BYTES))

    def sendall(self, data: bytes, /) -> None:
        view = memoryview(data)
        while view:
            self._wait(writing=True)
            view = view[self._desktop.send(view[:_CHUNK_BYTES]) :]

    def _wait(self, *, writing: bool) -> None:
        readers = [self._host] if writing else [self._host, self._desktop]
        writers = [self._desktop] if writing else []
        while True:
            readable, writable, _ = select.select(readers, writers, [])
            if self._host in readable:
                if not self._host.recv(1, socket.MSG_PEEK):
                    raise _HostGoneError
                readers.remove(self._host)  # the next request has arrived early: it waits
            if writable or self._desktop in readable:
                return


class _HostSession:
    """One host and its current desktop."""

    def __init__(self, host: socket.socket, hidden: tuple[Path, ...]) -> None:
        self._host = host
        self._hidden = hidden
        self._hello: Frame | None = None
        self._desktop: FreshDesktop | None = None
        self._fresh = False

    def run(self) -> None:
        read_exactly = exact_reader(self._host)
        while True:
            reply = self._answer(read_frame(read_exactly))
            self._host.sendall(encode_frame(reply.header, reply.blobs))

    def stop(self) -> None:
        desktop, self._desktop = self._desktop, None
        if desktop is not None:
            desktop.stop()

    def _answer(self, frame: Frame) -> Frame:
        method = frame.header.get("method")
        if method == "hello":
            self._hello = frame
            return self._restart_desktop(frame)
        if method == "load":
            if not self._fresh and self._hello is not None:
                reply = self._restart_desktop(self._hello)
                if "error" in reply.header:
                    return Frame(_with_id(reply.header, frame))
            self._fresh = False
        return self._ask(frame)

    def _restart_desktop(self, hello: Frame) -> Frame:
        """Replace the desktop with a new one."""
        self.stop()
        try:
            self._desktop = FreshDesktop(self._hidden)
        except OSError as error:  # no disk space or processes left
            return _error_reply(hello, "internal", f"cannot start a desktop: {error}")
        reply = self._ask(hello)
        self._fresh = "error" not in reply.header
        return reply

    def _ask(self, frame: Frame) -> Frame:
        if self._desktop is None:
            return _error_reply(frame, "internal", "expected hello before any other request")
        self._desktop.reap()
        connection = _DesktopConnection(self._desktop.connection, self._host)
        try:
            connection.sendall(encode_frame(frame.header, frame.blobs))
            return read_frame(exact_reader(connection))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return _error_reply(frame, "desktop_lost", _ENDED)


def _with_id(header: dict[str, Any], request: Frame) -> dict[str, Any]:
    return {**header, "id": request.header.get("id")}


def _error_reply(request: Frame, error_type: str, text: str) -> Frame:
    return Frame(_with_id({"error": {"type": error_type, "message": text}}, request))

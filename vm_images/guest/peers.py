"""Process ids of the peers of Unix sockets, as reported by the kernel (Linux)."""

import contextlib
import os
import socket
import struct

__all__ = ["open_sockets", "peer_pid", "peer_pids"]

_CREDENTIALS = struct.Struct("3i")


def peer_pid(connection: socket.socket) -> int:
    """Return the process that listened when this connection was made; 0 if it is not visible."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return int(_CREDENTIALS.unpack(credentials)[0])


def open_sockets() -> dict[str, int]:
    """Return this process's sockets: file descriptor by the kernel's name of the socket."""
    sockets = {}
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            target = os.readlink(f"/proc/self/fd/{name}")
            if target.startswith("socket:"):
                sockets[target] = int(name)
    return sockets


def peer_pids(before: dict[str, int]) -> set[int]:
    """Return the peer processes of the connections made since `open_sockets`."""
    pids = set()
    for name, descriptor in open_sockets().items():
        if name not in before:
            with socket.socket(fileno=os.dup(descriptor)) as connection:
                if connection.family == socket.AF_UNIX:
                    pids.add(peer_pid(connection))
    return pids

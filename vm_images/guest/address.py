"""The listening address of a remote guest program: ``unix:/path`` or ``tcp:HOST:PORT``.

Shared by host and guest; standard library only.
"""

import ipaddress
import os
import secrets
import socket
import stat
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Address", "parse_address", "tune"]

_EXPECTED = "expected an address such as 'unix:/run/pptarena.sock' or 'tcp:127.0.0.1:7001'"
_BACKLOG = 64


@dataclass(frozen=True, slots=True)
class Address:
    """A listening address; either `path`, or `host` and `port` are set."""

    path: str = ""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"unix:{self.path}" if self.path else f"tcp:{host}:{self.port}"

    @property
    def is_private(self) -> bool:
        """Whether only this computer can reach it."""
        if self.path or self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def connect(self, timeout_sec: float) -> socket.socket:
        """Return a connected socket.

        Raises:
            OSError: If no process listens there, or this system has no such sockets.
        """
        if not self.path:
            connection = socket.create_connection((self.host, self.port), timeout_sec)
            tune(connection)
            return connection
        connection = _unix_socket()
        try:
            connection.settimeout(timeout_sec)
            connection.connect(self.path)
        except BaseException:
            connection.close()
            raise
        return connection

    def listen(self) -> socket.socket:
        """Return a listening socket. A Unix socket is accessible to this user only.

        Raises:
            OSError: If the address is in use or unavailable.
        """
        if not self.path:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            return socket.create_server((self.host, self.port), family=family, backlog=_BACKLOG)
        self._require_free()
        listener = _unix_socket()
        temporary_path = Path(self.path).with_name(f".{secrets.token_hex(4)}")  # until it listens
        old_umask = os.umask(0o177)
        try:
            listener.bind(str(temporary_path))
            listener.listen(_BACKLOG)
            temporary_path.replace(self.path)
        except BaseException:
            listener.close()
            temporary_path.unlink(missing_ok=True)
            raise
        finally:
            os.umask(old_umask)
        return listener

    def remove(self) -> None:
        """Remove the file of a Unix socket."""
        if self.path:
            Path(self.path).unlink(missing_ok=True)

    def _require_free(self) -> None:
        """Raise if the path is a socket in use or another type of file."""
        path = Path(self.path)
        if not path.exists():
            return
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise OSError(f"{path} exists and is not a socket; choose another address")
        try:
            self.connect(1.0).close()
        except ConnectionRefusedError:
            return
        raise OSError(f"another program listens at {self}")


def tune(connection: socket.socket) -> None:
    """Disable Nagle's algorithm and enable keepalive to detect a dead peer."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):  # not every system has all three
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def parse_address(text: str) -> Address:
    """Parse an address.

    Raises:
        ValueError: If the text is not a valid address.
    """
    scheme, _, rest = text.strip().partition(":")
    if scheme == "unix" and rest:
        return Address(path=rest)
    host, _, port = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if scheme == "tcp" and host and port.isascii() and port.isdigit() and 0 < int(port) < 65536:
        return Address(host=host, port=int(port))
    raise ValueError(f"{_EXPECTED}, got {text!r}")


def _unix_socket() -> socket.socket:
    if not hasattr(socket, "AF_UNIX"):
        raise OSError("this system has no Unix sockets; use a tcp: address")
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

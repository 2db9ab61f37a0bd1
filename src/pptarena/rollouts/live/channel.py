"""Messages between a process that runs environments and the process that serves the page.

A process with live environments listens on a Unix socket in a folder that only its user can enter.
A message is a JSON object with optional bytes: two lengths (big-endian, 4 bytes each), the object,
the bytes.
"""

import json
import os
import socket
import stat
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pptarena.errors import ConfigError

__all__ = ["HEAD", "MAX_BYTES", "pack", "parse", "receive", "socket_folder"]

HEAD = struct.Struct(">II")
"""The lengths of the object and of the bytes of a message."""
MAX_BYTES = 32 * 2**20
"""Maximum size of a message; a longer message ends the connection."""


def socket_folder() -> Path:
    """Return the folder of the sockets, and create it if necessary.

    The folder is ``$PPTARENA_LIVE``, by default ``pptarena-live-<user id>`` in the folder of
    temporary files.

    Raises:
        ConfigError: If another user can enter the folder.
    """
    override = os.environ.get("PPTARENA_LIVE")
    folder = Path(override or f"{tempfile.gettempdir()}/pptarena-live-{os.getuid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077
    if status.st_uid != os.getuid() or not is_private:
        raise ConfigError(f"{folder}: expected a folder with mode 700 that belongs to this user")
    return folder


def pack(message: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return a message as bytes."""
    text = json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode()
    return HEAD.pack(len(text), len(data)) + text + data


def parse(text: bytes) -> dict[str, Any]:
    """Return the object of a message.

    Raises:
        ValueError: If the text is not a JSON object.
    """
    try:
        value = json.loads(text)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, got {type(value).__name__}")
    return value


def receive(connection: socket.socket) -> dict[str, Any] | None:
    """Return the object of the next message, without its bytes; None at the end of the stream.

    Raises:
        ValueError: If the message is malformed or too long.
        OSError: If the connection fails.
    """
    head = _receive_exactly(connection, HEAD.size)
    if head is None:
        return None
    lengths = HEAD.unpack(head)
    if sum(lengths) > MAX_BYTES:
        raise ValueError(f"expected at most {MAX_BYTES} bytes, got {sum(lengths)}")
    text, data = (_receive_exactly(connection, length) for length in lengths)
    return None if text is None or data is None else parse(text)


def _receive_exactly(connection: socket.socket, count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        part = connection.recv(min(count - len(parts), 2**16))
        if not part:
            return None
        parts += part
    return bytes(parts)

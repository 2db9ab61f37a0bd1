"""Messages between host, worker and leaf: one byte of kind, four of length, then the body."""

import json
import os
import struct
from typing import Any

__all__ = [
    "CALL",
    "DECK",
    "IMAGE",
    "MAX_BYTES",
    "OTHER",
    "RESULT",
    "ChannelError",
    "read_message",
    "send",
    "send_raw",
]

RESULT = b"r"
"""The result of a leaf, or the reason for its failure."""
IMAGE = b"i"
"""An image for the next question: a PNG file."""
CALL = b"c"
"""A leaf's question to a model."""
DECK = b"d"
"""The deck after a program."""
OTHER = b"o"
"""All messages between host and worker."""

# Bodies other than images are JSON, which may need much more memory than its length, so those
# written by a leaf are limited to short ones.
MAX_BYTES = {
    RESULT: 2**20,
    IMAGE: 16 * 2**20,
    CALL: 2**20,
    DECK: 64 * 2**20,
    OTHER: 64 * 2**20,
}
"""Longest message of each kind, in bytes."""

_HEAD = struct.Struct(">cI")
_CHUNK = 2**20


class ChannelError(Exception):
    """A message is malformed, too long or truncated, or the peer has exited."""


def send(file: int, kind: bytes, data: Any) -> None:
    """Send data as JSON.

    Args:
        file: Descriptor of a pipe or a socket.
        kind: `RESULT`, `CALL` or `OTHER`.
        data: JSON-serializable data.

    Raises:
        ChannelError: If the message is too long.
    """
    send_raw(file, kind, json.dumps(data).encode())


def send_raw(file: int, kind: bytes, body: bytes) -> None:
    """Send a message with an encoded body.

    Raises:
        ChannelError: If the message is too long.
    """
    if len(body) > MAX_BYTES[kind]:
        raise ChannelError(f"expected at most {MAX_BYTES[kind]} bytes, got {len(body)}")
    view = memoryview(_HEAD.pack(kind, len(body)) + body)
    while view:
        view = view[os.write(file, view) :]


def read_message(file: int) -> tuple[bytes, bytes]:
    """Return the kind and the body of the next message.

    Raises:
        ChannelError: If the peer has exited or the message is invalid.
    """
    kind, size = _HEAD.unpack(_read(file, _HEAD.size))
    if kind not in MAX_BYTES or size > MAX_BYTES[kind]:
        raise ChannelError(f"a message of kind {kind!r} and {size} bytes")
    return kind, _read(file, size)


def _read(file: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        chunk = os.read(file, min(_CHUNK, size - len(data)))
        if not chunk:
            raise ChannelError("the other side has exited")
        data += chunk
    return bytes(data)

"""A D-Bus connection that pipelines: many calls in one write, their replies in one pass.

The accessibility tree costs hundreds of tiny calls. One at a time, each waits for a round trip;
through a general binding, each costs the binding's bookkeeping. Here the calls of one level of
the tree leave together, directly to the application (AT-SPI's peer-to-peer bus), and the replies
are cut out of the stream with `struct`. Only what the tree needs is implemented: method calls
with string arguments, little-endian replies, Unix sockets, EXTERNAL authentication (D-Bus
Specification 0.43, sections "Message Protocol" and "Authentication Protocol").
"""

import os
import socket
import struct
import time
from collections.abc import Sequence

from pptarena.vm_images.guest.peers import peer_pid

__all__ = ["Call", "DBusError", "Link", "Reply", "UInt"]

_METHOD_CALL, _METHOD_RETURN, _ERROR = 1, 2, 3
_FIXED = struct.Struct("<BBBBIII")
_U32 = struct.Struct("<I")
_RECV_BYTES = 1 << 18

Call = tuple[str, str, str, tuple[str | int, ...]]
"""Object path, interface, member, arguments: a str travels as ``s``, an int as ``i``; members
that take unsigned integers are called with `UInt`."""
Reply = memoryview | None  # body of the reply, None for an error reply


class UInt(int):
    """An argument of D-Bus type ``u``."""


class DBusError(Exception):
    """The connection is gone, refused, or speaks something else."""


def _string(buffer: bytearray, text: str) -> None:
    buffer.extend(b"\0" * (-len(buffer) % 4))
    data = text.encode()
    buffer += _U32.pack(len(data))
    buffer += data
    buffer.append(0)


def _field(buffer: bytearray, code: int, signature: bytes, text: str) -> None:
    buffer.extend(b"\0" * (-len(buffer) % 8))
    buffer += bytes((code, 1)) + signature + b"\0"
    if signature == b"g":
        buffer += bytes((len(text),)) + text.encode() + b"\0"
    else:
        _string(buffer, text)


class Link:
    """One authenticated connection to a D-Bus peer or bus.

    Args:
        address: D-Bus address of the form ``unix:path=...`` or ``unix:abstract=...``.
        timeout_sec: Longest wait for the connection and the authentication.

    Raises:
        DBusError: If no process answers there.
    """

    def __init__(self, address: str, timeout_sec: float) -> None:
        self._serial = 0
        self._heads: dict[tuple[str, str, str, str], bytes] = {}
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout_sec)
        try:
            self._socket.connect(self._target(address))
            self._authenticate()
        except (OSError, DBusError) as error:
            self._socket.close()
            raise DBusError(f"cannot connect to {address}: {error}") from error

    @staticmethod
    def _target(address: str) -> str:
        kind, _, rest = address.split(";")[0].partition(":")
        pairs = dict(pair.split("=", 1) for pair in rest.split(",") if "=" in pair)
        if kind == "unix" and "path" in pairs:
            return pairs["path"]
        if kind == "unix" and "abstract" in pairs:
            return "\0" + pairs["abstract"]
        raise DBusError(f"expected a unix: address, got {address!r}")

    def _authenticate(self) -> None:
        uid = str(os.getuid()).encode().hex().encode()
        self._socket.sendall(b"\0AUTH EXTERNAL " + uid + b"\r\n")
        answer = b""
        while not answer.endswith(b"\r\n"):
            chunk = self._socket.recv(256)
            if not chunk:
                raise DBusError("the peer closed during authentication")
            answer += chunk
        if not answer.startswith(b"OK"):
            raise DBusError(f"the peer refused authentication: {answer!r}")
        self._socket.sendall(b"BEGIN\r\n")

    @property
    def peer_pid(self) -> int:
        """Process that listens at the other end, as the kernel knows it."""
        return peer_pid(self._socket)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def call_many(
        self, calls: Sequence[Call], deadline: float, destination: str = ""
    ) -> list[Reply]:
        """Send all calls together and return the bodies of their replies in order.

        Args:
            calls: The method calls.
            deadline: `time.monotonic` moment after which waiting ends.
            destination: Bus name of the callee; empty on a peer-to-peer connection.

        Raises:
            DBusError: If the connection breaks or the deadline passes; unusable afterwards.
        """
        first = self._serial + 1
        message = bytearray()
        for path, interface, member, arguments in calls:
            self._serial += 1
            self._append(message, destination, path, interface, member, arguments)
        replies: list[Reply] = [None] * len(calls)
        try:
            self._exchange(message, first, replies, deadline)
        except OSError as error:
            raise DBusError(f"connection lost: {error}") from error
        return replies

    def _append(
        self,
        message: bytearray,
        destination: str,
        path: str,
        interface: str,
        member: str,
        arguments: tuple[str | int, ...],
    ) -> None:
        """Append one method call; the fields after the path are cached as bytes."""
        body, signature = bytearray(), ""
        for argument in arguments:
            if isinstance(argument, str):
                signature += "s"
                _string(body, argument)
            else:
                signature += "u" if isinstance(argument, UInt) else "i"
                body.extend(b"\0" * (-len(body) % 4))
                body += struct.pack("<i", argument)
        key = (destination, interface, member, signature)
        if key not in self._heads:
            tail = bytearray()
            _field(tail, 2, b"s", interface)
            _field(tail, 3, b"s", member)
            if destination:
                _field(tail, 6, b"s", destination)
            if arguments:
                _field(tail, 8, b"g", signature)
            self._heads[key] = bytes(tail)
        fields = bytearray()
        _field(fields, 1, b"o", path)
        fields.extend(b"\0" * (-len(fields) % 8))
        fields += self._heads[key]
        message += _FIXED.pack(0x6C, _METHOD_CALL, 0, 1, len(body), self._serial, len(fields))
        message += fields
        message.extend(b"\0" * (-len(fields) % 8))
        message += body

    def _exchange(
        self, message: bytearray, first: int, replies: list[Reply], deadline: float
    ) -> None:
        """Write and read concurrently: a peer that blocks on its own writes must not block us."""
        pending, sent, view = len(replies), 0, memoryview(message)
        while pending:
            left = deadline - time.monotonic()
            if left <= 0:
                raise DBusError("no reply before the deadline")
            if sent < len(view):
                self._socket.settimeout(min(left, 0.005))
                try:
                    sent += self._socket.send(view[sent : sent + _RECV_BYTES])
                except TimeoutError:
                    pass  # the peer's buffer is full: read its replies first
                else:
                    if sent < len(view):
                        continue
            self._socket.settimeout(left if sent == len(view) else 0.005)
            try:
                chunk = self._socket.recv(_RECV_BYTES)
            except TimeoutError:
                continue
            if not chunk:
                raise DBusError("the peer closed the connection")
            self._buffer += chunk
            pending -= self._cut(first, replies)

    def _cut(self, first: int, replies: list[Reply]) -> int:
        """Cut whole messages off the buffer; return how many were awaited replies."""
        data = bytes(self._buffer)
        view, position, found = memoryview(data), 0, 0
        while len(data) - position >= 16:
            endian, kind, _, _, body, _, fields = _FIXED.unpack_from(data, position)
            if endian != 0x6C:
                raise DBusError("expected little-endian messages")
            start = position + 16 + fields + (-fields % 8)
            if start + body > len(data):
                break
            if kind in (_METHOD_RETURN, _ERROR):
                place = _reply_serial(data, position + 16, fields) - first
                if 0 <= place < len(replies):
                    found += 1
                    if kind == _METHOD_RETURN:
                        replies[place] = view[start : start + body]
            position = start + body
        del self._buffer[:position]
        return found


def _reply_serial(data: bytes, start: int, length: int) -> int:
    """Return the REPLY_SERIAL (field 5) of the header fields at `start`."""
    position, end = start, start + length
    while position < end:
        position += -(position - start) % 8
        code, size = data[position], data[position + 1]
        kind = data[position + 2]
        position += 2 + size + 1
        if kind == ord("g"):
            position += 1 + data[position] + 1
            continue
        position += -(position - start) % 4
        if code == 5:
            return int(_U32.unpack_from(data, position)[0])
        position += 4 if kind == ord("u") else 4 + int(_U32.unpack_from(data, position)[0]) + 1
    raise DBusError("a reply without REPLY_SERIAL")

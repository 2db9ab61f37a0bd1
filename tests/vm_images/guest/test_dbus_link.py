"""The pipelining D-Bus connection against a peer in a thread that answers as it is told."""

import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from pptarena.vm_images.guest.dbus_body import number_of, string_of
from pptarena.vm_images.guest.dbus_link import Call, DBusError, Link, UInt

PING: Call = ("/a", "org.example.A", "Ping", ())
_numbers = count()

Serve = Callable[[socket.socket], None]


def message(kind: int, serial: int, body: bytes = b"", order: bytes = b"l") -> bytes:
    """Marshal a message that answers the call of this serial; field 8 is the signature."""
    fields = b"\x08\x01g\0\x01s\0\0" + b"\x05\x01u\0" + struct.pack("<I", serial)
    head = order + bytes((kind, 0, 1)) + struct.pack("<III", len(body), 99, len(fields))
    return head + fields + body  # the fields are 16 bytes: no padding


def string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<I", len(data)) + data + b"\0"


def read_calls(peer: socket.socket, wanted: int) -> list[tuple[int, bytes]]:
    """Read whole calls; return serial and body of each."""
    data = b""
    calls: list[tuple[int, bytes]] = []
    while len(calls) < wanted:
        chunk = peer.recv(1 << 16)
        assert chunk, "the connection closed early"
        data += chunk
        while len(data) >= 16:
            body, serial, fields = struct.unpack_from("<III", data, 4)
            start = 16 + fields + -fields % 8
            if len(data) < start + body:
                break
            calls.append((serial, data[start : start + body]))
            data = data[start + body :]
    return calls


@contextmanager
def peer(serve: Serve, answer: bytes = b"OK 0123\r\n") -> Iterator[str]:
    """Listen at an abstract address and serve one connection after its authentication."""
    name = f"pptarena-test-{os.getpid()}-{next(_numbers)}"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("\0" + name)
    listener.listen()

    def work() -> None:
        connection, _ = listener.accept()
        with connection:
            uid = str(os.getuid()).encode().hex().encode()
            expected = b"\0AUTH EXTERNAL " + uid + b"\r\n"
            assert connection.recv(len(expected), socket.MSG_WAITALL) == expected
            connection.sendall(answer)
            if answer.startswith(b"OK"):
                assert connection.recv(7, socket.MSG_WAITALL) == b"BEGIN\r\n"
                serve(connection)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield f"unix:abstract={name},guid=12"
        thread.join(10)
        assert not thread.is_alive()
    finally:
        listener.close()


@contextmanager
def linked(serve: Serve) -> Iterator[Link]:
    with peer(serve) as address:
        link = Link(address, 2.0)
        try:
            yield link
        finally:
            link.close()


def soon() -> float:
    return time.monotonic() + 10


def test_replies_come_back_in_the_order_of_the_calls() -> None:
    def serve(connection: socket.socket) -> None:
        calls = read_calls(connection, 3)
        data = message(4, 1, string("a signal"))  # of no concern
        for serial, _ in reversed(calls):
            data += message(3 if serial == 2 else 2, serial, string(f"reply {serial}"))
        for start in range(0, len(data), 7):
            connection.sendall(data[start : start + 7])

    with linked(serve) as link:
        replies = link.call_many([PING] * 3, soon())
    assert [string_of(reply) for reply in replies] == ["reply 1", "", "reply 3"]
    assert replies[1] is None


def test_arguments_are_aligned_and_typed() -> None:
    bodies = []

    def serve(connection: socket.socket) -> None:
        [(serial, body)] = read_calls(connection, 1)
        bodies.append(body)
        connection.sendall(message(2, serial))

    with linked(serve) as link:
        call: Call = ("/a", "org.example.A", "M", ("ab", -1, UInt(7)))
        link.call_many([call], soon(), "org.example.Bus")
    assert bodies == [b"\x02\0\0\0ab\0\0" + struct.pack("<iI", -1, 7)]


def test_many_calls_to_a_peer_that_answers_one_by_one() -> None:
    # Neither side may wait for the other to read: the replies are larger than any buffer.
    total, body = 3000, string("x" * 1000)

    def serve(connection: socket.socket) -> None:
        for serial, _ in read_calls(connection, total):
            connection.sendall(message(2, serial, body))

    with linked(serve) as link:
        replies = link.call_many([PING] * total, soon())
        assert all(reply is not None and len(reply) == len(body) for reply in replies)


def test_late_replies_of_an_earlier_batch_are_dropped() -> None:
    def serve(connection: socket.socket) -> None:
        [(first, _)] = read_calls(connection, 1)
        connection.sendall(message(2, first, struct.pack("<I", 1)))
        [(second, _)] = read_calls(connection, 1)
        late = message(2, first, struct.pack("<I", 1))
        connection.sendall(late + message(2, second, struct.pack("<I", 2)))

    with linked(serve) as link:
        assert number_of(link.call_many([PING], soon())[0]) == 1
        assert number_of(link.call_many([PING], soon())[0]) == 2


def test_a_peer_that_closes() -> None:
    with (
        linked(lambda connection: None) as link,
        pytest.raises(DBusError, match=r"closed|connection lost"),
    ):
        link.call_many([PING], soon())


def test_a_peer_that_does_not_answer() -> None:
    done = threading.Event()

    def serve(connection: socket.socket) -> None:
        done.wait(10)

    with linked(serve) as link:
        start = time.monotonic()
        with pytest.raises(DBusError, match=r"deadline|connection lost"):
            link.call_many([PING], start + 0.1)
        assert time.monotonic() - start < 5
        done.set()


def test_a_peer_of_the_other_byte_order() -> None:
    def serve(connection: socket.socket) -> None:
        [(serial, _)] = read_calls(connection, 1)
        connection.sendall(message(2, serial, order=b"B"))

    with linked(serve) as link, pytest.raises(DBusError, match="little-endian"):
        link.call_many([PING], soon())


def test_a_peer_that_refuses() -> None:
    with (
        peer(lambda connection: None, b"REJECTED EXTERNAL\r\n") as address,
        pytest.raises(DBusError, match="refused"),
    ):
        Link(address, 2.0)


@pytest.mark.parametrize(
    "address", ["", "tcp:host=localhost", "unix:dir=/tmp", "unix:path=/nonexistent/socket"]
)
def test_nobody_there(address: str) -> None:
    with pytest.raises(DBusError):
        Link(address, 2.0)

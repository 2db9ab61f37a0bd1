import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest.address import Address
from pptarena.vm_images.guest.handshake import (
    GuestBusyError,
    HandshakeError,
    TokenRefusedError,
    prove,
)
from pptarena.vm_images.guest.listen import Listener

TOKEN = b"correct horse battery"


def echo(connection: socket.socket) -> None:
    while data := connection.recv(100):
        connection.sendall(data)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    unix_address = Address(path=str(tmp_path / "s"))
    listener = Listener(unix_address, TOKEN, echo, handshake_sec=0.5, busy_sec=0.3)
    thread = threading.Thread(target=listener.run)
    thread.start()
    yield unix_address
    listener.close()
    listener.close()
    thread.join(5)
    assert not thread.is_alive(), "close() does not end run()"
    assert not (tmp_path / "s").exists(), "the socket file was left"


def connect(address: Address, token: bytes = TOKEN) -> socket.socket:
    connection = address.connect(1.0)
    try:
        prove(connection, token, time.monotonic() + 60)
    except BaseException:
        connection.close()
        raise
    return connection


def is_served(connection: socket.socket) -> bool:
    connection.settimeout(2)
    connection.sendall(b"ping")
    return connection.recv(100) == b"ping"


def test_hosts_are_served_in_sequence(address: Address) -> None:
    for _ in range(3):
        with connect(address) as host:
            assert is_served(host)


@pytest.mark.slow
def test_second_host_is_refused_without_disturbing_the_first(address: Address) -> None:
    with connect(address) as first:
        with pytest.raises(GuestBusyError):
            connect(address)
        assert is_served(first)
    with connect(address) as second:
        assert is_served(second)


def test_reconnecting_host_waits_for_its_old_connection(address: Address) -> None:
    first = connect(address)
    threading.Timer(0.1, first.close).start()
    with connect(address) as second:
        assert is_served(second)


def test_wrong_token_is_refused_immediately(tmp_path: Path) -> None:
    address = Address(path=str(tmp_path / "s"))
    listener = Listener(address, TOKEN, echo, handshake_sec=300, busy_sec=300)
    thread = threading.Thread(target=listener.run)
    thread.start()
    try:
        with pytest.raises(TokenRefusedError):
            connect(address, b"some other token")
        with connect(address) as host:
            assert is_served(host)
    finally:
        listener.close()
        thread.join(60)


@pytest.mark.slow
def test_silent_connections_are_limited_and_dropped(address: Address) -> None:
    silent_peers = [address.connect(1.0) for _ in range(16)]
    with pytest.raises((HandshakeError, TimeoutError)):  # the limit of connections is reached
        connect(address)
    for peer in silent_peers:
        peer.settimeout(3)
        while peer.recv(100):  # until the guest hangs up
            pass
        peer.close()
    with connect(address) as host:
        assert is_served(host)

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
    made = Address(path=str(tmp_path / "s"))
    listener = Listener(made, TOKEN, echo, handshake_sec=0.5, busy_sec=0.3)
    thread = threading.Thread(target=listener.run)
    thread.start()
    yield made
    listener.close()
    listener.close()
    thread.join(5)
    assert not thread.is_alive(), "close does not end run"
    assert not (tmp_path / "s").exists(), "the socket file stays"


def connect(address: Address, token: bytes = TOKEN) -> socket.socket:
    made = address.connect(1.0)
    try:
        prove(made, token, time.monotonic() + 60)
    except BaseException:
        made.close()
        raise
    return made


def served(connection: socket.socket) -> bool:
    connection.settimeout(2)
    connection.sendall(b"ping")
    return connection.recv(100) == b"ping"


def test_hosts_are_served_one_after_the_other(address: Address) -> None:
    for _ in range(3):
        with connect(address) as host:
            assert served(host)


@pytest.mark.slow
def test_a_second_host_is_refused_and_the_first_not_disturbed(address: Address) -> None:
    with connect(address) as first:
        with pytest.raises(GuestBusyError):
            connect(address)
        assert served(first)
    with connect(address) as second:
        assert served(second)


def test_a_host_that_comes_back_waits_for_its_own_end(address: Address) -> None:
    first = connect(address)
    threading.Timer(0.1, first.close).start()
    with connect(address) as second:
        assert served(second)


def test_a_wrong_token_is_closed_at_once(tmp_path: Path) -> None:
    address = Address(path=str(tmp_path / "s"))
    listener = Listener(address, TOKEN, echo, handshake_sec=300, busy_sec=300)
    thread = threading.Thread(target=listener.run)
    thread.start()
    try:
        with pytest.raises(TokenRefusedError):
            connect(address, b"some other token")
        with connect(address) as host:
            assert served(host)
    finally:
        listener.close()
        thread.join(60)


@pytest.mark.slow
def test_silent_strangers_are_dropped_and_bounded(address: Address) -> None:
    strangers = [address.connect(1.0) for _ in range(16)]
    with pytest.raises((HandshakeError, TimeoutError)):  # all places are taken
        connect(address)
    for stranger in strangers:
        stranger.settimeout(3)
        while stranger.recv(100):  # until the guest hangs up
            pass
        stranger.close()
    with connect(address) as host:
        assert served(host)

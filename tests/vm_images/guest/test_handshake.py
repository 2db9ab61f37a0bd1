import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest.handshake import (
    GuestBusyError,
    HandshakeError,
    TokenRefusedError,
    answer_proof,
    prove,
    read_token,
    request_proof,
)

TOKEN = b"correct horse battery"


class Wire:
    """Two connected sockets."""

    def __init__(self) -> None:
        self.host, self.guest = socket.socketpair()


@pytest.fixture
def wire() -> Iterator[Wire]:
    pair = Wire()
    with pair.host, pair.guest:
        yield pair


def deadline_in(seconds: float = 60.0) -> float:
    return time.monotonic() + seconds


def guest_in_background(wire: Wire, token: bytes, busy: bool = False) -> threading.Thread:
    def answer_host() -> None:
        proof = request_proof(wire.guest, token, deadline_in())
        if proof is not None:
            answer_proof(wire.guest, proof, busy, deadline_in())

    thread = threading.Thread(target=answer_host)
    thread.start()
    return thread


def test_both_sides_prove_the_token(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN)
    prove(wire.host, TOKEN, deadline_in())
    thread.join(2)
    assert not thread.is_alive()


def test_wrong_token_is_refused(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN)
    with pytest.raises(TokenRefusedError, match="the remote guest refused the token"):
        prove(wire.host, TOKEN + b"!", deadline_in())
    thread.join(2)


def test_busy_guest_is_reported(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN, busy=True)
    with pytest.raises(GuestBusyError, match="in use"):
        prove(wire.host, TOKEN, deadline_in())
    thread.join(2)


def test_guest_without_the_token_is_rejected(wire: Wire) -> None:
    def pretend() -> None:
        wire.guest.sendall(b"PPTARM01" + bytes(32))
        wire.guest.recv(64)
        wire.guest.sendall(b"+" + bytes(32))

    thread = threading.Thread(target=pretend)
    thread.start()
    with pytest.raises(TokenRefusedError, match="has another token"):
        prove(wire.host, TOKEN, deadline_in())
    thread.join(2)


@pytest.mark.slow
def test_proof_cannot_be_replayed(wire: Wire) -> None:
    """The proof for one challenge is invalid for the next one."""
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(wire.guest.recv(64)))
    wire.guest.sendall(b"PPTARM01" + bytes(32))
    thread.start()
    with pytest.raises((HandshakeError, TimeoutError)):
        prove(wire.host, TOKEN, deadline_in(0.3))
    thread.join(2)
    [answer] = received
    assert TOKEN not in answer
    host, guest = socket.socketpair()
    with host, guest:
        host.sendall(answer)
        assert request_proof(guest, TOKEN, deadline_in()) is None
        assert host.recv(100)[-1:] == b"-"


@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.1 400 Bad Request" + b" " * 40])
def test_other_server_is_rejected(wire: Wire, greeting: bytes) -> None:
    wire.guest.sendall(greeting)
    wire.guest.shutdown(socket.SHUT_WR)
    with pytest.raises(HandshakeError, match=r"disconnected|not a pptarena guest"):
        prove(wire.host, TOKEN, deadline_in())


@pytest.mark.slow
def test_slow_peer_is_limited_by_the_deadline(wire: Wire) -> None:
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.05):
            wire.host.sendall(b"x")  # shorter than a proof, but never silent

    thread = threading.Thread(target=drip)
    thread.start()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        request_proof(wire.guest, TOKEN, deadline_in(0.4))
    assert time.monotonic() - started < 60
    stop.set()
    thread.join(2)


def test_token_is_read_from_file_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text("  a token with sixteen\n")
    assert read_token(file) == b"a token with sixteen"
    monkeypatch.setenv("PPTARENA_REMOTE_TOKEN", "from the environment")
    assert read_token("") == b"from the environment"
    monkeypatch.setenv("PPTARENA_REMOTE_TOKEN", "short")
    with pytest.raises(ValueError, match=r"at least 16 characters in the env.*found 5; create one"):
        read_token("")

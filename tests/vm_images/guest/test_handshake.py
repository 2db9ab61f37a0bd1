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
    made = Wire()
    with made.host, made.guest:
        yield made


def soon(seconds: float = 60.0) -> float:
    return time.monotonic() + seconds


def guest_in_background(wire: Wire, token: bytes, busy: bool = False) -> threading.Thread:
    def work() -> None:
        proof = request_proof(wire.guest, token, soon())
        if proof is not None:
            answer_proof(wire.guest, proof, busy, soon())

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_both_ends_prove_the_token(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN)
    prove(wire.host, TOKEN, soon())
    thread.join(2)
    assert not thread.is_alive()


def test_a_wrong_token_is_refused(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN)
    with pytest.raises(TokenRefusedError, match="the remote guest refused the token"):
        prove(wire.host, TOKEN + b"!", soon())
    thread.join(2)


def test_a_busy_guest_says_so(wire: Wire) -> None:
    thread = guest_in_background(wire, TOKEN, busy=True)
    with pytest.raises(GuestBusyError, match="in use"):
        prove(wire.host, TOKEN, soon())
    thread.join(2)


def test_a_guest_that_does_not_know_the_token_is_found_out(wire: Wire) -> None:
    def pretend() -> None:
        wire.guest.sendall(b"PPTARM01" + bytes(32))
        wire.guest.recv(64)
        wire.guest.sendall(b"+" + bytes(32))

    thread = threading.Thread(target=pretend)
    thread.start()
    with pytest.raises(TokenRefusedError, match="does not know the token"):
        prove(wire.host, TOKEN, soon())
    thread.join(2)


@pytest.mark.slow
def test_an_answer_cannot_be_sent_again(wire: Wire) -> None:
    """What a host once sent proves nothing to the next greeting."""
    heard: list[bytes] = []
    thread = threading.Thread(target=lambda: heard.append(wire.guest.recv(64)))
    wire.guest.sendall(b"PPTARM01" + bytes(32))
    thread.start()
    with pytest.raises((HandshakeError, TimeoutError)):
        prove(wire.host, TOKEN, soon(0.3))
    thread.join(2)
    [answer] = heard
    assert TOKEN not in answer
    host, guest = socket.socketpair()
    with host, guest:
        host.sendall(answer)
        assert request_proof(guest, TOKEN, soon()) is None
        assert host.recv(100)[-1:] == b"-"


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request" + b" " * 40])
def test_what_is_no_guest_is_said(wire: Wire, said: bytes) -> None:
    wire.guest.sendall(said)
    wire.guest.shutdown(socket.SHUT_WR)
    with pytest.raises(HandshakeError, match=r"hung up|expected a pptarena guest"):
        prove(wire.host, TOKEN, soon())


@pytest.mark.slow
def test_slow_peers_meet_the_deadline(wire: Wire) -> None:
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.05):
            wire.host.sendall(b"x")  # less than a proof, but never silent

    thread = threading.Thread(target=drip)
    thread.start()
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        request_proof(wire.guest, TOKEN, soon(0.4))
    assert time.monotonic() - started < 60
    stop.set()
    thread.join(2)


def test_tokens_come_from_file_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text("  a token with sixteen\n")
    assert read_token(file) == b"a token with sixteen"
    monkeypatch.setenv("PPTARENA_REMOTE_TOKEN", "from the environment")
    assert read_token("") == b"from the environment"
    monkeypatch.setenv("PPTARENA_REMOTE_TOKEN", "short")
    with pytest.raises(ValueError, match=r"at least 16 characters in the env.*found 5; make one"):
        read_token("")

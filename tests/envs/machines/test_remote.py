"""Connections to remote guests: addresses, tokens and error messages."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.machines import make_machine
from pptarena.envs.machines.remote import RemoteConfig, RemoteMachine
from pptarena.errors import ConfigError, MachineStartError
from pptarena.vm_images.guest.address import parse_address
from pptarena.vm_images.guest.listen import Listener
from pptarena.vm_images.guest.protocol import encode_frame, read_frame
from pptarena.vm_images.guest.stream import exact_reader

TOKEN = "a token that only tests know"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PPTARENA_REMOTE_ADDRESS", raising=False)
    monkeypatch.delenv("PPTARENA_REMOTE_TOKEN", raising=False)


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> bytes:
    monkeypatch.setenv("PPTARENA_REMOTE_TOKEN", TOKEN)
    return TOKEN.encode()


Listen = Callable[..., str]


@pytest.fixture
def listen(tmp_path: Path) -> Iterator[Listen]:
    """Serve hosts at a socket of this process; returns the address."""
    listeners: list[Listener] = []

    def start(serve: Callable[[socket.socket], None], token: bytes) -> str:
        address = parse_address(f"unix:{tmp_path}/{len(listeners)}.sock")
        listeners.append(Listener(address, token, serve, handshake_sec=0.5, busy_sec=0.1))
        threading.Thread(target=listeners[-1].run, daemon=True).start()
        return str(address)

    yield start
    for listener in listeners:
        listener.close()


def reply_with(*replies: dict[str, Any]) -> Callable[[socket.socket], None]:
    """Return a server that sends one reply per request and waits for the host to disconnect."""

    def serve(connection: socket.socket) -> None:
        read = exact_reader(connection)
        for reply in replies:
            connection.sendall(encode_frame({**reply, "id": read_frame(read).header["id"]}))
        connection.recv(1)

    return serve


HELLO = {"result": {"application": "Stand 1.0"}}


def test_address_is_required(token: bytes) -> None:
    with pytest.raises(ConfigError, match=r"set remote_address, .*--listen ADDRESS"):
        make_machine("remote", RemoteConfig())
    with pytest.raises(ConfigError, match=r"expected an address such as .*, got 'somewhere'"):
        make_machine("remote", RemoteConfig(remote_address="somewhere"))


def test_token_is_required(tmp_path: Path) -> None:
    config = RemoteConfig(remote_address="tcp:127.0.0.1:7001")
    with pytest.raises(ConfigError, match="PPTARENA_REMOTE_TOKEN, found 0; create one with"):
        make_machine("remote", config)
    config = RemoteConfig(remote_address="unix:/x", remote_token_file=str(tmp_path / "none"))
    with pytest.raises(ConfigError, match="No such file"):
        make_machine("remote", config)


def test_address_from_the_environment_variable(
    token: bytes, monkeypatch: pytest.MonkeyPatch, deck: bytes
) -> None:
    monkeypatch.setenv("PPTARENA_REMOTE_ADDRESS", "unix:/nowhere/to/be/found")
    with pytest.raises(MachineStartError, match="no remote guest responds at unix:/nowhere"):
        RemoteMachine().load(deck, "garden.pptx")


def test_unreachable_guest_is_a_start_error(token: bytes, deck: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    machine = RemoteMachine(RemoteConfig(remote_address=f"tcp:127.0.0.1:{port}"))
    with pytest.raises(MachineStartError, match=f"responds at tcp:127.0.0.1:{port}.*refused"):
        machine.load(deck, "garden.pptx")


def test_wrong_token_is_rejected(token: bytes, listen: Listen, deck: bytes) -> None:
    address = listen(reply_with(HELLO), b"quite another token")
    machine = RemoteMachine(RemoteConfig(remote_address=address))
    with pytest.raises(MachineStartError, match=r"guest refused the token.*set PPTARENA"):
        machine.load(deck, "garden.pptx")


def test_application_version_includes_the_address(token: bytes, listen: Listen) -> None:
    address = listen(reply_with(HELLO), token)
    with RemoteMachine(RemoteConfig(remote_address=address)) as machine:
        assert machine.application_version == f"Stand 1.0 at {address}"
        assert machine.memory_bytes() is None
    assert machine.application_version == f"Stand 1.0 at {address}"


@pytest.mark.slow
def test_busy_guests_are_skipped_and_reported(token: bytes, listen: Listen) -> None:
    first, second = listen(reply_with(HELLO), token), listen(reply_with(HELLO), token)
    both = RemoteConfig(remote_address=f"{first},{second}")
    with RemoteMachine(both) as one, RemoteMachine(both) as two, RemoteMachine(both) as three:
        assert one.application_version.endswith(first)
        assert two.application_version.endswith(second)
        with pytest.raises(MachineStartError, match=f"in use by another host .{first}.*{second}"):
            three.application_version  # noqa: B018 - it connects


def test_protocol_version_mismatch_is_reported(token: bytes, listen: Listen) -> None:
    message = "ProtocolError: the host has protocol version 1, this guest 2"
    address = listen(reply_with({"error": {"type": "internal", "message": message}}), token)
    machine = RemoteMachine(RemoteConfig(remote_address=address))
    with pytest.raises(MachineStartError, match=f"did not start: {message}"):
        machine.application_version  # noqa: B018 - it connects


def test_other_server_is_reported(token: bytes, deck: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve_http() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=serve_http, daemon=True).start()
        machine = RemoteMachine(RemoteConfig(remote_address=f"tcp:127.0.0.1:{port}"))
        with pytest.raises(MachineStartError, match="the peer is not a pptarena guest: it sent"):
            machine.load(deck, "garden.pptx")


@pytest.mark.slow
def test_silent_peer_times_out(token: bytes, tmp_path: Path, deck: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        server.listen()
        config = RemoteConfig(remote_address=f"unix:{tmp_path}/s", start_timeout_sec=0.3)
        started = time.monotonic()
        with pytest.raises(MachineStartError, match="does not respond"):
            RemoteMachine(config).load(deck, "garden.pptx")
        assert time.monotonic() - started < 60

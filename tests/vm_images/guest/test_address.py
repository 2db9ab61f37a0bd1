import socket
import stat
from pathlib import Path

import pytest

from pptarena.vm_images.guest.address import Address, parse_address


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unix:/run/x.sock", Address(path="/run/x.sock")),
        ("tcp:127.0.0.1:7001", Address(host="127.0.0.1", port=7001)),
        ("tcp:host.example:80", Address(host="host.example", port=80)),
        ("tcp:[::1]:7001", Address(host="::1", port=7001)),
    ],
)
def test_addresses_are_parsed_and_formatted(text: str, expected: Address) -> None:
    assert parse_address(f" {text} ") == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    "text",
    ["", "unix:", "tcp:", "tcp:x", "tcp::80", "tcp:x:0", "tcp:x:65536", "tcp:x:²", "udp:x:1"],
)
def test_invalid_address_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected an address such as 'unix:.*, got "):
        parse_address(text)


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("unix:/x", True),
        ("tcp:127.0.0.1:1", True),
        ("tcp:localhost:1", True),
        ("tcp:[::1]:1", True),
        ("tcp:0.0.0.0:1", False),
        ("tcp:192.168.0.7:1", False),
        ("tcp:host.example:1", False),
    ],
)
def test_private_addresses_are_local_ones(text: str, private: bool) -> None:
    assert parse_address(text).is_private == private


def test_unix_socket_is_private_and_exclusive(tmp_path: Path) -> None:
    address = Address(path=str(tmp_path / "s"))
    with address.listen() as server, address.connect(1.0) as client:
        assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
        connection, _ = server.accept()
        with connection:
            client.sendall(b"x")
            assert connection.recv(1) == b"x"
        with pytest.raises(OSError, match="another program listens"):
            address.listen()
    address.listen().close()  # the file still exists, but no process listens
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    address.remove()
    assert not (tmp_path / "s").exists()


def test_unix_socket_appears_after_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original_listen, existed = socket.socket.listen, []

    def listen(instance: socket.socket, backlog: int) -> None:
        existed.append((tmp_path / "s").exists())
        original_listen(instance, backlog)

    monkeypatch.setattr(socket.socket, "listen", listen)
    Address(path=str(tmp_path / "s")).listen().close()
    assert existed == [False]


def test_other_files_are_never_removed(tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    file.write_text("content")
    with pytest.raises(OSError, match="exists and is not a socket"):
        Address(path=str(file)).listen()
    assert file.read_text() == "content"


def test_tcp_connections_have_no_delay_and_keepalive() -> None:
    with Address(host="127.0.0.1", port=_free_port()).listen() as server:
        address = Address(host="127.0.0.1", port=server.getsockname()[1])
        with address.connect(1.0) as client:
            assert client.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])

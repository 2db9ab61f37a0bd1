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
        ("tcp:desk.example:80", Address(host="desk.example", port=80)),
        ("tcp:[::1]:7001", Address(host="::1", port=7001)),
    ],
)
def test_addresses_are_read_and_written(text: str, expected: Address) -> None:
    assert parse_address(f" {text} ") == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    "text",
    ["", "unix:", "tcp:", "tcp:x", "tcp::80", "tcp:x:0", "tcp:x:65536", "tcp:x:²", "udp:x:1"],
)
def test_what_is_no_address_is_refused(text: str) -> None:
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
        ("tcp:desk.example:1", False),
    ],
)
def test_only_this_computer_reaches_a_private_address(text: str, private: bool) -> None:
    assert parse_address(text).private == private


def test_a_unix_socket_is_for_this_user_alone(tmp_path: Path) -> None:
    address = Address(path=str(tmp_path / "s"))
    with address.listen() as server, address.connect(1.0) as client:
        assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o600
        taken, _ = server.accept()
        with taken:
            client.sendall(b"x")
            assert taken.recv(1) == b"x"
        with pytest.raises(OSError, match="another program listens"):
            address.listen()
    address.listen().close()  # the file still exists, but no process listens
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
    address.remove()
    assert not (tmp_path / "s").exists()


def test_a_unix_socket_that_is_there_is_listened_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = socket.socket.listen, []

    def listen(made: socket.socket, backlog: int) -> None:
        seen.append((tmp_path / "s").exists())
        real(made, backlog)

    monkeypatch.setattr(socket.socket, "listen", listen)
    Address(path=str(tmp_path / "s")).listen().close()
    assert seen == [False]


def test_no_other_file_is_removed(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear")
    with pytest.raises(OSError, match="is there and no socket"):
        Address(path=str(file)).listen()
    assert file.read_text() == "dear"


def test_tcp_sends_small_frames_at_once() -> None:
    with Address(host="127.0.0.1", port=_free_port()).listen() as server:
        address = Address(host="127.0.0.1", port=server.getsockname()[1])
        with address.connect(1.0) as client:
            assert client.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert client.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])

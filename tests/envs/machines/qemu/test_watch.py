"""Where viewers come in, with the guest's end of the wire in the test's own hands."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.envs.machines.qemu.watch import WatchPoint
from pptarena.envs.machines.qemu.watch_relay import WatchChannel
from pptarena.envs.machines.snapshots.scratch import clear_stale_scratch, socket_home, stale_scratch
from pptarena.errors import HostError
from pptarena.files import Folder
from pptarena.vm_images.guest.watch_wire import FrameKind, FrameReader, pack_frame

Frame = tuple[FrameKind, int, bytes]
HELLO = b"RFB 003.008\n"


class Guest:
    """The guest's end."""

    def __init__(self, point: WatchPoint) -> None:
        self.channel = WatchChannel.make()
        point.attach(self.channel)
        self.wire = self.channel.theirs.dup()  # the relay closes the channel, both ends
        self.channel.theirs.close()
        self.wire.settimeout(10)
        self._reader = FrameReader()
        self._frames: list[Frame] = []

    def mark(self) -> None:
        self.wire.sendall(b"left over" + self.channel.mark)

    def send(self, kind: FrameKind, viewer: int, data: bytes = b"") -> None:
        self.wire.sendall(pack_frame(kind, viewer, data))

    def frame(self) -> Frame:
        while not self._frames:
            data = self.wire.recv(1000)
            assert data, "the point hung up"
            self._frames += self._reader.feed(data)
        return self._frames.pop(0)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def point() -> Iterator[WatchPoint]:
    made = WatchPoint()
    yield made
    made.close()
    made.close()
    assert not path_of(made).exists()
    assert not path_of(made).parent.exists()
    assert not [thread for thread in threading.enumerate() if thread.name == "pptarena-watch"]


@pytest.fixture
def guest(point: WatchPoint) -> Iterator[Guest]:
    made = Guest(point)
    made.mark()
    with made.wire:
        yield made


def path_of(point: WatchPoint) -> Path:
    kind, _, path = point.viewer.address.partition(":")
    assert kind == "unix"
    return Path(path)


def viewer(point: WatchPoint) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(str(path_of(point)))
    return connection


def test_only_this_user_comes_near_it(point: WatchPoint) -> None:
    path = path_of(point)
    assert path.is_socket()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert len(point.viewer.password) == 8
    assert point.viewer.password.isalnum()
    with_another = WatchPoint()
    assert with_another.viewer.password != point.viewer.password
    assert with_another.viewer.address != point.viewer.address
    with_another.close()


def test_bytes_pass_both_ways_and_both_sides_hear_of_the_end(
    point: WatchPoint, guest: Guest
) -> None:
    with viewer(point) as first:
        assert guest.frame() == (FrameKind.OPEN, 1, b"")
        guest.send(FrameKind.DATA, 1, HELLO)
        assert first.recv(100) == HELLO
        first.sendall(HELLO)
        assert guest.frame() == (FrameKind.DATA, 1, HELLO)
    assert guest.frame() == (FrameKind.CLOSE, 1, b"")
    with viewer(point) as second:
        assert guest.frame() == (FrameKind.OPEN, 2, b"")
        guest.send(FrameKind.DATA, 1, b"late for the first")
        guest.send(FrameKind.DATA, 2, b"last ")
        guest.send(FrameKind.DATA, 2, b"words")
        guest.send(FrameKind.CLOSE, 2)
        said = b""
        while piece := second.recv(100):
            said += piece
        assert said == b"last words"


def test_a_second_viewer_waits_for_the_first_to_leave(point: WatchPoint, guest: Guest) -> None:
    first = viewer(point)
    assert guest.frame()[:2] == (FrameKind.OPEN, 1)
    with viewer(point) as second:
        second.sendall(b"knock")
        first.close()
        assert guest.frame()[:2] == (FrameKind.CLOSE, 1)
        assert guest.frame()[:2] == (FrameKind.OPEN, 2)
        assert guest.frame() == (FrameKind.DATA, 2, b"knock")


def test_a_viewer_waits_for_the_machine_and_leaves_with_it(point: WatchPoint) -> None:
    with viewer(point) as early:
        first = Guest(point)
        first.mark()
        with first.wire:
            assert first.frame()[:2] == (FrameKind.OPEN, 1)
        assert early.recv(100) == b""
    with viewer(point) as later:
        second = Guest(point)
        with second.wire:
            second.mark()
            assert second.frame()[:2] == (FrameKind.OPEN, 2)
            third = Guest(point)
            with third.wire:
                assert later.recv(100) == b""
                assert second.wire.recv(100) == b""


def test_much_passes_whole(point: WatchPoint, guest: Guest) -> None:
    picture = bytes(range(256)) * 40_000  # far beyond what sockets hold
    with viewer(point) as first:
        assert guest.frame()[:2] == (FrameKind.OPEN, 1)

        def draw() -> None:
            for start in range(0, len(picture), 60_000):
                guest.send(FrameKind.DATA, 1, picture[start : start + 60_000])
            guest.send(FrameKind.CLOSE, 1)

        painter = threading.Thread(target=draw)
        painter.start()
        seen = bytearray()
        while piece := first.recv(100_000):
            seen += piece
        painter.join()
    assert seen == picture


def test_a_guest_that_talks_nonsense_gets_no_further(point: WatchPoint, guest: Guest) -> None:
    with viewer(point) as first:
        assert guest.frame()[:2] == (FrameKind.OPEN, 1)
        guest.wire.sendall(b"\xff" * 9)
        assert first.recv(100) == b""
    other = Guest(point)
    other.mark()
    with other.wire, viewer(point):
        assert other.frame()[:2] == (FrameKind.OPEN, 2)


def test_a_long_path_is_avoided(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = home / "s"
    short.mkdir()
    monkeypatch.setenv("PPTARENA_HOME", str(home / ("long" * 30)))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    point = WatchPoint()
    try:
        path = path_of(point)
        assert path.is_relative_to(short)
        assert path.is_socket()
        assert path.parent.parent.stat().st_mode & 0o777 == 0o700
        assert stale_scratch() == []
        viewer(point).close()
    finally:
        point.close()
    left = socket_home() / "vm-leftover"
    left.mkdir()
    assert clear_stale_scratch() == []
    with Folder(left) as folder:
        folder.mark("scratch")
    assert clear_stale_scratch() == [left]
    socket_home().chmod(0o755)
    with pytest.raises(HostError, match="that no other can enter"):
        WatchPoint()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(home / ("long" * 30)))
    with pytest.raises(HostError, match="set PPTARENA_HOME or TMPDIR to a shorter path"):
        WatchPoint()

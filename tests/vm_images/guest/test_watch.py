"""The guest's end of the viewers' port, on a pseudo-terminal, with ``cat`` as the VNC server."""

import os
import select
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest.watch import Watch, viewer_command
from pptarena.vm_images.guest.watch_wire import FrameKind, FrameReader, pack_frame

MARK = b"sixteen bytes or"
Frame = tuple[FrameKind, int, bytes]


class Line:
    """A serial line with the guest's end of it served, and the host's end to use."""

    def __init__(self) -> None:
        self.host, device = os.openpty()
        tty.setraw(device)
        self.command = ["cat"]
        self.passwords: list[str] = []
        self.watch = Watch(Path(os.ttyname(device)), self._serve, patience_sec=0.3)
        os.close(device)
        self._reader = FrameReader()

    def _serve(self, password: str) -> list[str]:
        self.passwords.append(password)
        return self.command

    def start(self, *command: str) -> None:
        self.command = list(command) or self.command
        self._reader = FrameReader()
        self.watch.start("secret", MARK)
        assert self.read(len(MARK)) == MARK

    def send(self, kind: FrameKind, viewer: int, data: bytes = b"") -> None:
        os.write(self.host, pack_frame(kind, viewer, data))

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            assert select.select([self.host], [], [], 10)[0], f"nothing more after {data!r}"
            data += os.read(self.host, count - len(data))
        return data

    def frame(self) -> Frame:
        while True:
            for frame in self._reader.feed(self.read(1)):
                return frame


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.watch.stop()
    made.watch.stop()
    if made.host >= 0:
        os.close(made.host)
    assert not [thread for thread in threading.enumerate() if thread.name == "watch"]


def test_one_viewer_after_the_other(line: Line) -> None:
    line.start()
    for viewer in (1, 2):
        line.send(FrameKind.OPEN, viewer)
        line.send(FrameKind.DATA, viewer, b"hello")
        assert line.frame() == (FrameKind.DATA, viewer, b"hello")
        line.send(FrameKind.DATA, 9, b"of somebody else")
        line.send(FrameKind.DATA, viewer, b"there")
        assert line.frame() == (FrameKind.DATA, viewer, b"there")
        line.send(FrameKind.CLOSE, viewer)
    assert line.passwords == ["secret"]


def test_the_end_of_the_server_is_told_after_its_last_words(line: Line) -> None:
    line.start("sh", "-c", "read name; echo bye $name")
    line.send(FrameKind.OPEN, 1)
    line.send(FrameKind.DATA, 1, b"you\n")
    assert line.frame() == (FrameKind.DATA, 1, b"bye you\n")
    assert line.frame() == (FrameKind.CLOSE, 1, b"")
    line.send(FrameKind.OPEN, 2)
    line.send(FrameKind.DATA, 2, b"again\n")
    assert line.frame() == (FrameKind.DATA, 2, b"bye again\n")


def test_a_server_that_is_missing_or_crashes_harms_nobody(line: Line) -> None:
    line.start("no-such-program")
    line.send(FrameKind.OPEN, 1)
    assert line.frame() == (FrameKind.CLOSE, 1, b"")
    line.start("sh", "-c", "kill -SEGV $$")
    line.send(FrameKind.OPEN, 2)
    assert line.frame() == (FrameKind.CLOSE, 2, b"")
    line.start("cat")
    line.send(FrameKind.OPEN, 3)
    line.send(FrameKind.DATA, 3, b"well")
    assert line.frame() == (FrameKind.DATA, 3, b"well")


def test_a_new_start_sends_the_viewer_away_and_forgets_half_a_frame(line: Line) -> None:
    line.start()
    line.send(FrameKind.OPEN, 1)
    whole = pack_frame(FrameKind.DATA, 1, b"cut off")
    os.write(line.host, whole + whole[:-3])
    assert line.frame() == (FrameKind.DATA, 1, b"cut off")
    line.start()
    line.send(FrameKind.OPEN, 1)
    line.send(FrameKind.DATA, 1, b"whole")
    assert line.frame() == (FrameKind.DATA, 1, b"whole")


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", [b"\xff" * 9, b""], ids=["nonsense", "hang up"])
def test_a_host_that_is_gone_is_given_up_without_turning_in_circles(
    line: Line, nonsense: bytes
) -> None:
    line.start()
    line.send(FrameKind.OPEN, 1)
    spent, started = time.process_time(), time.monotonic()
    if nonsense:
        os.write(line.host, nonsense)
    else:
        os.close(line.host)
        line.host = -1
    relay = line.watch._relay
    assert relay is not None
    relay._patience_sec = 2.0  # turning in circles so long takes about 2 s of CPU time
    relay.join(60)
    assert not relay.is_alive()
    assert time.monotonic() - started >= (0 if nonsense else 1.5)
    assert time.process_time() - spent < 1


def test_the_server_gets_the_password_in_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":7")
    for password in ("first", "second"):
        command = viewer_command(password)
        file = Path(command[command.index("-passwdfile") + 1])
        assert file.read_text() == f"{password}\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert password not in command
    assert command[command.index("-display") + 1] == ":7"
    assert "-inetd" in command

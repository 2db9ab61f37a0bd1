import os
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest.device import DeviceStream
from pptarena.vm_images.guest.stream import exact_reader


class Line:
    """A serial line: a device for the guest, a descriptor for the host."""

    def __init__(self) -> None:
        self.host, device = os.openpty()
        tty.setraw(device)
        self.guest = DeviceStream(Path(os.ttyname(device)), patience_sec=0.2)
        os.close(device)

    def close(self) -> None:
        self.guest.close()
        self.guest.close()
        if self.host >= 0:
            os.close(self.host)


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


def test_bytes_pass_both_ways(line: Line) -> None:
    os.write(line.host, b"\x00\x03\x04 request")
    assert exact_reader(line.guest)(11) == b"\x00\x03\x04 request"
    line.guest.sendall(b"reply\n\r\x11")
    assert os.read(line.host, 100) == b"reply\n\r\x11"


def test_long_replies_go_in_pieces(line: Line) -> None:
    data = os.urandom(300_000)  # far beyond what the device holds
    thread = threading.Thread(target=line.guest.sendall, args=(data,))
    thread.start()
    read = b""
    while len(read) < len(data):
        read += os.read(line.host, 4096)
    thread.join(5)
    assert read == data


def test_a_broken_line_ends_the_reading(line: Line) -> None:
    os.close(line.host)
    line.host = -1
    with pytest.raises((EOFError, OSError)):
        exact_reader(line.guest)(1)


def test_an_end_counts_once_it_has_lasted() -> None:
    nobody = DeviceStream(Path(os.devnull), patience_sec=0.2)  # reads as ended, like a free port
    started = time.monotonic()
    with pytest.raises(EOFError, match="hung up"):
        exact_reader(nobody)(4)
    assert time.monotonic() - started >= 0.2
    nobody.close()


def test_a_host_that_comes_late_is_heard(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.touch()
    stream = DeviceStream(file, patience_sec=5.0)
    threading.Timer(0.2, lambda: file.write_bytes(b"late")).start()
    assert exact_reader(stream)(4) == b"late"
    stream.close()


def test_no_such_device_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="vport9p9"):
        DeviceStream(tmp_path / "vport9p9")

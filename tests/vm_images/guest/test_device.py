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
    """A serial line with a device for the guest and a descriptor for the host."""

    def __init__(self) -> None:
        self.host, device = os.openpty()
        tty.setraw(device)
        self.guest = DeviceStream(Path(os.ttyname(device)), grace_sec=0.2)
        os.close(device)

    def close(self) -> None:
        self.guest.close()
        self.guest.close()
        if self.host >= 0:
            os.close(self.host)


@pytest.fixture
def line() -> Iterator[Line]:
    serial_line = Line()
    yield serial_line
    serial_line.close()


def test_bytes_pass_unchanged_in_both_directions(line: Line) -> None:
    os.write(line.host, b"\x00\x03\x04 request")
    assert exact_reader(line.guest)(11) == b"\x00\x03\x04 request"
    line.guest.sendall(b"reply\n\r\x11")
    assert os.read(line.host, 100) == b"reply\n\r\x11"
    data = os.urandom(300_000)  # far beyond the capacity of the device
    thread = threading.Thread(target=line.guest.sendall, args=(data,))
    thread.start()
    read = b""
    while len(read) < len(data):
        read += os.read(line.host, 4096)
    thread.join(5)
    assert read == data


def test_closed_line_ends_reading(line: Line) -> None:
    os.close(line.host)
    line.host = -1
    with pytest.raises((EOFError, OSError)):
        exact_reader(line.guest)(1)


@pytest.mark.slow
def test_end_of_file_is_an_error_after_the_grace_period() -> None:
    stream = DeviceStream(Path(os.devnull), grace_sec=0.2)  # always at its end, like a free port
    started = time.monotonic()
    with pytest.raises(EOFError, match="disconnected"):
        exact_reader(stream)(4)
    assert time.monotonic() - started >= 0.2
    stream.close()


@pytest.mark.slow
def test_host_may_connect_within_the_grace_period(tmp_path: Path) -> None:
    file = tmp_path / "port"
    file.touch()
    stream = DeviceStream(file, grace_sec=5.0)
    threading.Timer(0.2, lambda: file.write_bytes(b"late")).start()
    assert exact_reader(stream)(4) == b"late"
    stream.close()


def test_missing_device_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="vport9p9"):
        DeviceStream(tmp_path / "vport9p9")

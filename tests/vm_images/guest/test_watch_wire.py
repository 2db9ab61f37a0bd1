import os
import socket
from collections.abc import Iterator

import pytest

from pptarena.vm_images.guest.watch_wire import (
    Flow,
    FrameKind,
    FrameReader,
    pack_frame,
    wait_ready,
)

FRAMES = [
    (FrameKind.OPEN, 1, b""),
    (FrameKind.DATA, 1, b"RFB 003.008\n"),
    (FrameKind.DATA, 2**32 - 1, bytes(2**16)),
    (FrameKind.CLOSE, 1, b""),
]


@pytest.mark.parametrize("piece", [1, 7, 8, 9, 10, 1000, 10**6])
def test_frames_come_whole_however_they_are_cut(piece: int) -> None:
    stream = b"".join(pack_frame(*frame) for frame in FRAMES)
    reader = FrameReader()
    found: list[tuple[FrameKind, int, bytes]] = []
    for start in range(0, len(stream), piece):
        found += reader.feed(stream[start : start + piece])
    assert found == FRAMES


@pytest.mark.parametrize("data", [bytes(9), b"\x04" + bytes(8), b"\x02" + b"\xff" * 8])
def test_what_is_no_frame_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"FrameKind|at most 65536 bytes"):
        list(FrameReader().feed(data))


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


def test_a_flow_never_waits(ends: tuple[socket.socket, socket.socket]) -> None:
    flow, reader = Flow(ends[0].fileno()), Flow(ends[1].fileno())
    assert reader.read() is None
    data = os.urandom(5_000_000)  # far beyond what a socket holds
    flow.put(data)
    assert flow.full
    assert not flow.idle
    received = bytearray()
    while not flow.idle:
        received += reader.read() or b""
        flow.flush()
    ends[0].close()
    while piece := reader.read():
        received += piece
    assert received == data
    assert reader.read() == b""


def test_an_end_that_is_gone_takes_nothing_and_ends(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    flow = Flow(ends[0].fileno())
    ends[1].close()
    flow.put(b"too late")
    assert flow.idle
    assert flow.read() == b""


def test_waiting_ends_with_the_time_or_with_what_happens(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    flow = Flow(ends[0].fileno())
    wanted = {flow.descriptor: flow.events(read=True)}
    assert wait_ready(wanted, 0.01) == frozenset()
    ends[1].send(b"x")
    assert wait_ready(wanted) == {flow.descriptor}
    assert wait_ready({flow.descriptor: flow.events(read=False)}, 0.01) == frozenset()
    ends[1].close()
    assert wait_ready({flow.descriptor: flow.events(read=False)}) == {flow.descriptor}

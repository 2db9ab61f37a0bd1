"""A connection over two pipes, and the guest program's side of it."""

import os
import threading

import pytest

from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.sandbox.pipes import PipeConnection, PipeEnds
from pptarena.errors import MachineLostError, MachineTimeoutError
from pptarena.vm_images.guest.pipes import PipeStream
from pptarena.vm_images.guest.protocol import encode_frame, read_frame
from pptarena.vm_images.guest.stream import exact_reader

BLOB = os.urandom(5 * 2**20)


def echo(ends: PipeEnds) -> None:
    """Answer one request with its own blob, as a guest program would."""
    stream = PipeStream(ends.reading, ends.writing)
    frame = read_frame(exact_reader(stream))
    reply = {"id": frame.header["id"], "result": {}}
    stream.sendall(encode_frame(reply, frame.blobs))
    ends.close()


def test_large_messages_pass_in_both_directions() -> None:
    ours, theirs = PipeEnds.pairs()
    guest = threading.Thread(target=echo, args=(theirs,))
    guest.start()
    link = GuestLink(PipeConnection(ours))
    reply = link.request("save", {}, 30.0, BLOB)
    guest.join(30.0)
    link.close()
    assert tuple(reply.blobs) == (BLOB,)


@pytest.mark.parametrize("blobs", [(), (BLOB,)], ids=["silent", "reads nothing"])
def test_stalled_guest_times_out(blobs: tuple[bytes, ...]) -> None:
    ours, theirs = PipeEnds.pairs()
    link = GuestLink(PipeConnection(ours))
    with pytest.raises(MachineTimeoutError, match=r"no reply to save within 0\.05 s"):
        link.request("save", {}, 0.05, *blobs)
    link.close()
    theirs.close()


def test_closed_guest_loses_the_machine() -> None:
    for message in (b"", BLOB):
        ours, theirs = PipeEnds.pairs()
        link = GuestLink(PipeConnection(ours))
        theirs.close()
        with pytest.raises(MachineLostError):
            link.request("save", {}, 5.0, message)
        link.close()


def test_guest_detects_a_closed_host() -> None:
    ours, theirs = PipeEnds.pairs()
    ours.close()
    stream = PipeStream(theirs.reading, theirs.writing)
    assert stream.recv_into(memoryview(bytearray(4))) == 0
    with pytest.raises(BrokenPipeError):
        stream.sendall(b"x")
    theirs.close()


def test_closing_twice_closes_each_descriptor_once() -> None:
    ours, theirs = PipeEnds.pairs()
    assert ours.inodes() == theirs.inodes()[::-1]
    connection = PipeConnection(ours)
    connection.close()
    reused = os.dup(0)
    connection.close()
    os.fstat(reused)
    os.close(reused)
    theirs.close()

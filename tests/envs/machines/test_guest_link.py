"""The host's end of the wire: a guest that says anything at all is lost, and no crash here."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine, observed_from
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineLostError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.protocol import Frame, encode_frame


@pytest.fixture
def wire() -> Iterator[tuple[GuestLink, socket.socket]]:
    ours, theirs = socket.socketpair()
    link = GuestLink(ours)
    with theirs:
        yield link, theirs
    link.close()


def answered(wire: tuple[GuestLink, socket.socket], header: Any, *blobs: bytes) -> Frame:
    link, theirs = wire
    theirs.sendall(encode_frame(header, blobs))
    return link.request("look", {}, 5)


def test_a_result(wire: tuple[GuestLink, socket.socket]) -> None:
    frame = answered(wire, {"id": 1, "result": {"a": 1}}, b"x")
    assert (frame.header, frame.blobs) == ({"a": 1}, (b"x",))


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("action", ActionError),
        ("deck", DeckError),
        ("application_lost", MachineLostError),
        ("timeout", MachineTimeoutError),
        ("internal", MachineError),
        ("something new", MachineError),
        (["unhashable"], MachineError),
        (None, MachineError),
    ],
)
def test_errors_by_kind(
    wire: tuple[GuestLink, socket.socket], kind: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match="so it is"):
        answered(wire, {"id": 1, "error": {"type": kind, "message": "so it is"}})


@pytest.mark.parametrize(
    "header",
    [
        {"id": 1},
        {"id": 1, "result": None},
        {"id": 1, "result": [1]},
        {"id": 1, "error": "broken"},
        {"id": 2, "result": {}},
        {"result": {}},
    ],
)
def test_a_malformed_reply_is_a_lost_machine(
    wire: tuple[GuestLink, socket.socket], header: dict[str, Any]
) -> None:
    with pytest.raises(MachineLostError):
        answered(wire, header)
    with pytest.raises(MachineLostError, match="the link to the machine is broken"):
        wire[0].request("look", {}, 5)


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100])
def test_what_is_no_frame_is_a_lost_machine(
    wire: tuple[GuestLink, socket.socket], data: bytes
) -> None:
    link, theirs = wire
    theirs.sendall(data)
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(MachineLostError, match="the machine went away during look"):
        link.request("look", {}, 5)


def test_a_guest_that_reads_nothing_and_one_that_drips(
    wire: tuple[GuestLink, socket.socket],
) -> None:
    link, theirs = wire
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError, match=r"no reply to load within 0\.3 s"):
        link.request("load", {}, 0.3, os.urandom(1 << 24))
    assert time.monotonic() - started < 3

    ours, theirs = socket.socketpair()
    over = threading.Event()

    def drip() -> None:
        for byte in encode_frame({"id": 1, "result": {"long": "x" * 1000}}):
            if over.wait(0.02):
                return
            theirs.sendall(bytes([byte]))

    thread = threading.Thread(target=drip)
    thread.start()
    slow = GuestLink(ours)
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError):
        slow.request("look", {}, 0.3)
    assert time.monotonic() - started < 3
    over.set()
    thread.join()
    slow.close()
    theirs.close()


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"height_px": 1, "width_px": 1},
        {"height_px": "1", "width_px": 1},
        {"height_px": 2**70, "width_px": 1},
        {"height_px": 1, "width_px": 1, "nodes": [3], "degraded": ""},
        {"height_px": 1, "width_px": 1, "nodes": [{"box": [1, 2, 3]}], "degraded": ""},
        {"height_px": 1, "width_px": 1, "nodes": {}, "degraded": "", "window_titles": 3},
    ],
)
def test_a_malformed_observation_is_a_lost_machine(facts: dict[str, Any]) -> None:
    with pytest.raises(MachineLostError, match="the guest sent a malformed observation"):
        observed_from(Frame(facts, (b"rgb",)))
    with pytest.raises(MachineLostError):
        observed_from(Frame(facts, ()))


def test_a_save_without_a_document_is_a_lost_machine(
    wire: tuple[GuestLink, socket.socket],
) -> None:
    class Wired(SandboxMachine):
        def _link(self) -> GuestLink:
            return wire[0]

    machine: GuestMachine = Wired(MachineConfig())
    wire[1].sendall(encode_frame({"id": 1, "result": {}}))
    with pytest.raises(MachineLostError, match="the guest sent no document"):
        machine._save_impl(False)

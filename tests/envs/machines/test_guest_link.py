"""The host's end of the link: invalid data loses the machine and never crashes the host."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine
from pptarena.envs.machines.guest_reply import NodeCache, parse_files, parse_observation
from pptarena.envs.machines.sandbox import SandboxMachine
from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineLostError,
    MachineOverloadedError,
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


AGENT_METHODS = ("perform", "save", "kept")
APPLICATION_ERRORS = ("application_lost", "timeout", "overload")
VALID_ERRORS = [
    ("load", "deck"),
    *((method, "action") for method in ("perform", "save")),
    *((method, "overload") for method in AGENT_METHODS),
]


def reply_to_look(wire: tuple[GuestLink, socket.socket], header: Any, *blobs: bytes) -> Frame:
    link, theirs = wire
    theirs.sendall(encode_frame(header, blobs))
    return link.request("look", {}, 5)


def test_result_is_returned(wire: tuple[GuestLink, socket.socket]) -> None:
    frame = reply_to_look(wire, {"id": 1, "result": {"a": 1}}, b"x")
    assert (frame.header, frame.blobs) == ({"a": 1}, (b"x",))


@pytest.mark.parametrize(
    ("method", "kind", "error"),
    [
        ("hello", "timeout", MachineTimeoutError),
        ("hello", "application_lost", MachineLostError),
        ("load", "deck", DeckError),
        ("load", "timeout", MachineTimeoutError),
        ("load", "application_lost", MachineLostError),
        ("look", "internal", MachineError),
        ("perform", "desktop_lost", MachineLostError),
        ("perform", "action", ActionError),
        ("perform", "internal", MachineError),
        ("save", "action", ActionError),
        *(
            (method, kind, MachineOverloadedError)
            for method in AGENT_METHODS
            for kind in APPLICATION_ERRORS
        ),
    ],
)
def test_error_kinds_map_to_exceptions(
    wire: tuple[GuestLink, socket.socket], method: str, kind: str, error: type[Exception]
) -> None:
    wire[1].sendall(encode_frame({"id": 1, "error": {"type": kind, "message": "as simulated"}}))
    with pytest.raises(error, match="as simulated") as caught:
        wire[0].request(method, {}, 5)
    assert type(caught.value) is error


@pytest.mark.parametrize("method", ["hello", "load", "perform", "look", "save", "kept", "run_on"])
@pytest.mark.parametrize("kind", ["action", "deck", "overload", "something new", ["x"], None, 1])
def test_unexpected_error_loses_the_machine(
    wire: tuple[GuestLink, socket.socket], method: str, kind: Any
) -> None:
    if (method, kind) in VALID_ERRORS:
        pytest.skip("a guest may report this error")
    wire[1].sendall(encode_frame({"id": 1, "error": {"type": kind, "message": "no"}}))
    with pytest.raises(MachineLostError, match=f"an error that {method} cannot report") as caught:
        wire[0].request(method, {}, 5)
    assert type(caught.value) is MachineLostError


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
def test_malformed_reply_loses_the_machine(
    wire: tuple[GuestLink, socket.socket], header: dict[str, Any]
) -> None:
    with pytest.raises(MachineLostError):
        reply_to_look(wire, header)
    with pytest.raises(MachineLostError, match="the link to the machine is broken"):
        wire[0].request("look", {}, 5)


@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100])
def test_invalid_frame_loses_the_machine(
    wire: tuple[GuestLink, socket.socket], data: bytes
) -> None:
    link, theirs = wire
    theirs.sendall(data)
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(MachineLostError, match="the machine was lost during look"):
        link.request("look", {}, 5)


@pytest.mark.slow
def test_stalled_and_dripping_guests_time_out(wire: tuple[GuestLink, socket.socket]) -> None:
    link, theirs = wire
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError, match=r"no reply to load within 0\.3 s"):
        link.request("load", {}, 0.3, os.urandom(1 << 24))
    assert time.monotonic() - started < 60

    ours, theirs = socket.socketpair()
    stop = threading.Event()

    def drip() -> None:
        for byte in encode_frame({"id": 1, "result": {"long": "x" * 1000}}):
            if stop.wait(0.02):
                return
            theirs.sendall(bytes([byte]))

    thread = threading.Thread(target=drip)
    thread.start()
    slow = GuestLink(ours)
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError):
        slow.request("look", {}, 0.3)
    assert time.monotonic() - started < 60
    stop.set()
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
def test_malformed_observation_loses_the_machine(facts: dict[str, Any]) -> None:
    with pytest.raises(MachineLostError, match="the guest sent a malformed observation"):
        parse_observation(Frame(facts, (b"rgb",)), MachineConfig())
    with pytest.raises(MachineLostError):
        parse_observation(Frame(facts, ()), MachineConfig())


SMALL = MachineConfig(width_px=320, height_px=240)


def node(index: int, **other: Any) -> dict[str, Any]:
    texts = {"role": "label", "name": "", "text": "", "description": ""}
    position = {"index": index, "parent": index - 1, "box": [0, 0, 9, 9], "states": ["showing"]}
    return {**texts, **position, **other}


def observation(*nodes: dict[str, Any], degraded: str = "") -> Frame:
    document = {"open": True, "revision": 1, "editing": False, "slide": 1, "slide_count": 1}
    facts = {
        **{"width_px": 320, "height_px": 240, "nodes": list(nodes), "degraded": degraded},
        **{"window_titles": [], "clipboard": "", "document": document, "timing": TIMING},
    }
    return Frame(facts, (bytearray(320 * 240 * 3),))


TIMING = {"action": 0, "settle": 0, "screenshot": 0, "tree": 0, "settled_by": "quiet"}


def test_unchanged_tree_is_the_same_object() -> None:
    cache = NodeCache()
    first = parse_observation(observation(node(0), node(1)), SMALL, cache)
    second = parse_observation(observation(node(0), node(1)), SMALL, cache)
    assert second.tree is first.tree
    third = parse_observation(observation(node(0), node(1), degraded="cut"), SMALL, cache)
    assert (third.tree.nodes, third.tree.reason) == (first.tree.nodes, "cut")


def test_changed_nodes_are_parsed_again() -> None:
    cache = NodeCache()
    first = parse_observation(observation(node(0), node(1), node(2)), SMALL, cache).tree
    changed = observation(node(0), node(1, name="new"), node(2))
    second = parse_observation(changed, SMALL, cache).tree
    assert second == parse_observation(changed, SMALL).tree
    assert [each.name for each in second.nodes] == ["", "new", ""]
    assert second.nodes[2] is first.nodes[2]
    fewer = parse_observation(observation(node(0)), SMALL, cache).tree
    assert fewer.nodes == first.nodes[:1]
    with pytest.raises(MachineLostError, match="malformed"):
        parse_observation(observation(node(0), node(1, box=[0, 0, 9])), SMALL, cache)
    again = parse_observation(observation(node(0), node(1)), SMALL, cache).tree
    assert again.nodes == first.nodes[:2]


def test_screenshot_memory_is_not_shared() -> None:
    frame = observation()
    observed = parse_observation(frame, SMALL)
    observed.screenshot[0, 0] = 7
    assert parse_observation(observation(), SMALL).screenshot.max() == 0


def test_save_without_a_document_loses_the_machine(wire: tuple[GuestLink, socket.socket]) -> None:
    class Wired(SandboxMachine):
        def _link(self) -> GuestLink:
            return wire[0]

    machine: GuestMachine = Wired(MachineConfig())
    wire[1].sendall(encode_frame({"id": 1, "result": {}}))
    with pytest.raises(MachineLostError, match="the guest sent no document"):
        machine._save_impl(False)


@pytest.mark.parametrize(
    ("names", "blobs"),
    [
        (["secret"], (b"x",)),
        (["a.png", "a.png"], (b"x", b"y")),
        (["a.png"], ()),
        ([], (b"x",)),
        ("a.png", (b"x",)),
        ([1], (b"x",)),
    ],
)
def test_unrequested_files_lose_the_machine(names: object, blobs: tuple[bytes, ...]) -> None:
    assert parse_files(Frame({"found": ["a.png"]}, (b"x",)), ["a.png", "b"]) == {"a.png": b"x"}
    with pytest.raises(MachineLostError, match="the guest sent"):
        parse_files(Frame({"found": names}, blobs), ["a.png", "b"])

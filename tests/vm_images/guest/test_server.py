"""The guest's server and dispatch of commands, on components that record their calls."""

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_reply import parse_observation
from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineOverloadedError,
)
from pptarena.vm_images.guest.components import Components
from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
    OverloadError,
)
from pptarena.vm_images.guest.protocol import OPS, PROTOCOL_VERSION, Command, DocumentState
from pptarena.vm_images.guest.server import serve
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree_shape import TreeLimits, truncated_tree


class ScreenGoneError(Exception):
    """The error of a screen that was lost."""


class RecordingComponents:
    """All components in one object, which records the calls."""

    version = "Stand 1.0"
    width_px, height_px = 320, 240

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.follow_spans: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.error: Exception | None = None
        self.editing = False
        self.closed = False
        self.path = Path()

    def require_alive(self) -> None:
        if self.error is not None:
            raise self.error

    def load(self, path: Path, timeout_sec: float) -> None:
        self.path = path
        self.calls.append(("load", path.name, path.read_bytes()))
        if path.read_bytes() == b"broken":
            raise DeckUnreadableError("the application cannot open the deck")

    def state(self, timeout_sec: float) -> DocumentState:
        if self.error is not None:
            raise self.error
        return DocumentState(open=True, revision=3, editing=self.editing, slide=1, slide_count=2)

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        if self.editing and not commit:
            raise CommandError("a text edit is open")
        if self.error is not None:
            raise self.error
        if not self.closed:
            target.write_bytes(b"saved")
        return not self.closed

    def reopen(self, deadline: float) -> None:
        self.calls.append("reopen")
        if not self.path.exists():
            raise DeckUnreadableError("gone")

    def new_workbook(self, deadline: float) -> None:
        self.calls.append("workbook")

    def rgb(self) -> bytes:
        return bytes(320 * 240 * 3)

    def crop(self, *box: int) -> tuple[int, ...]:
        return box

    def settle(self) -> str:
        return "quiet"

    def settle_after_load(self, *, fresh: bool) -> str:
        return "quiet"

    def wait(self, seconds: float) -> str:
        self.calls.append(("wait", seconds))
        return "quiet"

    def recover(self) -> None:
        pass

    def follow(self, span_sec: float) -> None:
        self.follow_spans.put(span_sec)
        if self.error is not None:
            raise self.error

    def catch_up(self) -> None:
        pass

    def after_input(self, span_sec: float = 0.0) -> None:
        pass

    def act(self, op: str, *numbers: int) -> None:
        self.calls.append((op, *numbers))

    def release(self) -> None:
        self.calls.append("button up")

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        self.calls.append(("keys", names, repeats))

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        self.calls.append(("hold", names))
        return lambda: self.calls.append("let go")

    def type(self, text: str) -> None:
        self.calls.append(("type", text))

    def titles(self) -> list[str]:
        return ["plan.pptx"]

    def activate(self, title: str) -> bool:
        return title == "plan.pptx"

    def text(self) -> str:
        return "copied"

    def put_text(self, text: str) -> None:
        self.calls.append(("copied", text))

    def put_image(self, image: Any) -> None:
        self.calls.append(("picture", image))

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        return [], f"at most {limits.nodes}"


class Host:
    """A host that is connected to a guest with the components `parts`."""

    def __init__(self, home: Path) -> None:
        self.parts = RecordingComponents()
        self.settings: list[Settings] = []
        self.home = home
        host_socket, guest_socket = socket.socketpair()
        self.link = GuestLink(host_socket)
        fatal_errors = (ScreenGoneError,)

        def run_guest() -> None:
            with guest_socket:
                serve(guest_socket, self.start, fatal_errors)

        self.thread = threading.Thread(target=run_guest)
        self.thread.start()

    def start(self, settings: Settings) -> Desktop:
        self.settings.append(settings)
        p: Any = self.parts
        refresh = lambda: p.calls.append("refresh")  # noqa: E731
        return Desktop(Components(p, p, p, p, p, p, p, p, self.home, refresh), settings)

    def request(self, method: str, *blobs: bytes, **params: Any) -> Any:
        return self.link.request(method, params, 5.0, *blobs)

    def perform(self, command: Command) -> Any:
        return self.request("perform", command=command.to_json())

    def end(self) -> None:
        self.link.close()
        self.thread.join(5)
        assert not self.thread.is_alive(), "the guest outlived its host"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    connected_host = Host(tmp_path)
    yield connected_host
    connected_host.end()


@pytest.fixture
def loaded(host: Host) -> Host:
    host.request(
        "hello", version=PROTOCOL_VERSION, settings={"tree_nodes": 7, "unknown_setting": 1}
    )
    host.request("load", b"deck", name="../plan.pptx")
    return host


def test_attachments_are_collected_from_the_folder_of_the_deck(loaded: Host) -> None:
    (loaded.parts.path.parent / "chart.png").write_bytes(b"PNG")
    frame = loaded.request("collect", names=["chart.png", "gone.png"])
    assert (frame.header, frame.blobs) == ({"found": ["chart.png"]}, (b"PNG",))


def test_attachments_are_written_to_the_folder_of_the_deck(loaded: Host, tmp_path: Path) -> None:
    loaded.request("load", b"deck", b"1,2", name="a.pptx", files=["../x.csv"])
    contents = {each.name: each.read_bytes() for each in (tmp_path / "Documents").iterdir()}
    assert contents == {"a.pptx": b"deck", "plan.pptx": b"deck", "x.csv": b"1,2"}
    with pytest.raises(MachineError, match="zip"):
        loaded.request("load", b"deck", name="a.pptx", files=["x.csv"])


def test_hello_applies_settings_and_returns_the_application(loaded: Host) -> None:
    assert loaded.settings == [Settings(tree_nodes=7)]
    reply = loaded.request("hello", version=PROTOCOL_VERSION, settings={})
    assert reply.header == {"application": "Stand 1.0"}


def test_run_on_lets_time_pass_between_requests(loaded: Host) -> None:
    assert loaded.parts.follow_spans.empty()
    for _ in range(2):
        assert loaded.request("run_on").header == {}
    assert 0 < loaded.parts.follow_spans.get(timeout=5) < 1
    loaded.parts.error = OfficeTimeoutError("busy")
    for _ in range(3):
        loaded.parts.follow_spans.get(timeout=5)
    loaded.parts.error = None
    assert loaded.perform(Command("observe")).header["document"]["slide"] == 1
    loaded.end()
    while not loaded.parts.follow_spans.empty():
        loaded.parts.follow_spans.get()
    with pytest.raises(queue.Empty):
        loaded.parts.follow_spans.get(timeout=0.2)


def test_other_protocol_version_is_rejected(host: Host) -> None:
    with pytest.raises(
        MachineError, match=f"the host has protocol version 99, this guest {PROTOCOL_VERSION}"
    ):
        host.request("hello", version=99, settings={})
    with pytest.raises(MachineError, match="expected hello before"):
        host.request("save", commit=False)


def test_load_refreshes_and_observation_has_all_parts(loaded: Host) -> None:
    assert loaded.parts.calls == ["refresh", ("load", "plan.pptx", b"deck")]
    observation = parse_observation(
        loaded.perform(Command("observe")), MachineConfig(width_px=320, height_px=240)
    )
    assert observation.screenshot.shape == (240, 320, 3)
    assert observation.tree.reason == "at most 7"
    assert (observation.window_titles, observation.clipboard) == (("plan.pptx",), "copied")
    assert (observation.document.revision, observation.document.slide) == (3, 1)
    assert observation.timing["settled_by"] == "quiet"


EXPECTED_CALLS = {
    "observe": [],
    "key": [("keys", ("a",), 2)],
    "type": [("type", "words")],
    "copy_text": [("copied", "words")],
    "copy_image": [("picture", (1, 2, 3, 4))],
    "paste": [("keys", ("Control_L", "v"), 1)],
    "wait": [("wait", 2)],
}


@pytest.mark.parametrize("op", [op for op in OPS if op not in ("open_program", "switch_window")])
def test_each_operation_calls_its_component(loaded: Host, op: str) -> None:
    loaded.parts.calls.clear()
    loaded.perform(Command(op, 1, 2, 3, 4, (1, 2, 3, 4), ("a",), "words", 2))
    expected = EXPECTED_CALLS.get(op, [("hold", ("a",)), (op, 1, 2, 3, 4, 2), "let go"])
    assert loaded.parts.calls == expected


def test_programs_and_windows_are_found_by_name(loaded: Host) -> None:
    loaded.perform(Command("open_program", text=" PowerPoint "))
    assert loaded.parts.calls[-1] == "reopen"
    loaded.perform(Command("open_program", text="Excel"))
    assert loaded.parts.calls[-1] == "workbook"
    loaded.perform(Command("switch_window", text="plan.pptx"))
    with pytest.raises(ActionError, match="no program 'paint' on this machine; available:"):
        loaded.perform(Command("open_program", text="paint"))
    with pytest.raises(ActionError, match=r"no window titled 'letter'; open: plan.pptx"):
        loaded.perform(Command("switch_window", text="letter"))
    with pytest.raises(ActionError, match="a box with an area"):
        loaded.perform(Command("copy_image", box=(5, 5, 0, 3)))


def test_save_ends_a_text_edit_only_with_commit(loaded: Host, tmp_path: Path) -> None:
    loaded.parts.editing = True
    with pytest.raises(ActionError, match="text edit is open"):
        loaded.request("save", commit=False)
    assert loaded.request("save", commit=True).blobs == (b"saved",)
    assert loaded.parts.calls[-1] == "button up"
    assert [path.name for path in tmp_path.iterdir()] == ["Documents"], "a copy was left"


def test_unreadable_deck_is_a_deck_error(loaded: Host) -> None:
    with pytest.raises(DeckError, match="cannot open the deck"):
        loaded.request("load", b"broken", name="plan.pptx")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OfficeLostError("gone"), MachineOverloadedError),
        (ScreenGoneError("gone"), MachineOverloadedError),
        (OfficeTimeoutError("late"), MachineOverloadedError),
        (OverloadError("large"), MachineOverloadedError),
        (RuntimeError("a fault"), MachineError),
    ],
)
def test_guest_errors_are_mapped_to_host_errors(
    loaded: Host, error: Exception, expected: type[Exception]
) -> None:
    loaded.parts.error = error
    with pytest.raises(expected, match=str(error)):
        loaded.perform(Command("observe"))
    loaded.parts.error = None
    assert loaded.perform(Command("observe")).header["document"]["open"]


def test_state_of_a_busy_application_is_unscored(loaded: Host) -> None:
    loaded.parts.require_alive = lambda: None  # type: ignore[method-assign]
    loaded.parts.error = OfficeTimeoutError("busy")
    state = loaded.perform(Command("observe")).header["document"]
    assert (state["open"], state["revision"], state["editing"]) == (True, -1, True)


def test_closed_deck_is_read_from_the_file(loaded: Host) -> None:
    loaded.parts.closed = True
    assert loaded.request("save", commit=True).blobs == (b"deck",)
    loaded.parts.error = OfficeLostError("it crashed")
    with pytest.raises(MachineOverloadedError, match="it crashed"):
        loaded.request("save", commit=True)
    assert loaded.request("kept").blobs == (b"deck",)


def test_deleted_deck_is_an_overload(loaded: Host) -> None:
    loaded.parts.path.unlink()
    loaded.parts.closed = True
    for method, params in (("kept", {}), ("save", {"commit": True})):
        with pytest.raises(MachineOverloadedError, match=r"cannot be read.* No such file"):
            loaded.request(method, **params)
    with pytest.raises(ActionError, match="the deck can no longer be opened: gone"):
        loaded.perform(Command("open_program", text="impress"))


def test_long_texts_are_truncated(loaded: Host) -> None:
    texts = {"name": "n" * 9000, "text": "t" * 9000, "description": "["}
    fields = {"parent": -1, "role": "frame", "box": [0, 0, 1, 1], "states": []}
    nodes = [{"index": index, **texts, **fields} for index in range(7)]
    loaded.parts.read = lambda limits: (nodes, "r" * 9000)  # type: ignore[method-assign]
    loaded.parts.titles = lambda: ["x" * 9000] * 900  # type: ignore[method-assign]
    config = MachineConfig(width_px=320, height_px=240)
    observation = parse_observation(loaded.perform(Command("observe")), config)
    assert {len(node.text) for node in observation.tree.nodes} == {500}
    assert (len(observation.window_titles), len(observation.tree.reason)) == (64, 500)
    assert truncated_tree([{**nodes[0]} for _ in range(2000)], "", 500)[1] == "more text than fits"

"""The server and the desktop's dispatch, shared by all systems, on parts that write down."""

import queue
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_reply import observed_from
from pptarena.errors import (
    ActionError,
    DeckError,
    MachineError,
    MachineOverloadedError,
)
from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
    OverloadError,
)
from pptarena.vm_images.guest.parts import Parts
from pptarena.vm_images.guest.protocol import OPS, PROTOCOL_VERSION, Command, DocumentState
from pptarena.vm_images.guest.server import serve
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree_shape import TreeLimits, shortened


class ScreenGoneError(Exception):
    """What this system's screen raises when it is gone."""


class Everything:
    """All parts in one: writes down what is asked of it."""

    version = "Stand 1.0"
    width_px, height_px = 320, 240

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.passed: queue.SimpleQueue[float] = queue.SimpleQueue()
        self.trouble: Exception | None = None
        self.editing = False
        self.closed = False
        self.path = Path()

    def require_alive(self) -> None:
        if self.trouble is not None:
            raise self.trouble

    def load(self, path: Path, timeout_sec: float) -> None:
        self.path = path
        self.done.append(("load", path.name, path.read_bytes()))
        if path.read_bytes() == b"broken":
            raise DeckUnreadableError("the application cannot open the deck")

    def state(self, timeout_sec: float) -> DocumentState:
        if self.trouble is not None:
            raise self.trouble
        return DocumentState(open=True, revision=3, editing=self.editing, slide=1, slide_count=2)

    def save(self, target: Path, commit: bool, timeout_sec: float) -> bool:
        if self.editing and not commit:
            raise CommandError("a text edit is open")
        if self.trouble is not None:
            raise self.trouble
        if not self.closed:
            target.write_bytes(b"saved")
        return not self.closed

    def reopen(self, deadline: float) -> None:
        self.done.append("reopen")
        if not self.path.exists():
            raise DeckUnreadableError("gone")

    def new_workbook(self, deadline: float) -> None:
        self.done.append("workbook")

    def rgb(self) -> bytes:
        return bytes(320 * 240 * 3)

    def crop(self, *box: int) -> tuple[int, ...]:
        return box

    def settle(self) -> str:
        return "quiet"

    def settle_new(self, *, fresh: bool) -> str:
        return "quiet"

    def wait(self, seconds: float) -> str:
        self.done.append(("wait", seconds))
        return "quiet"

    def recover(self) -> None:
        pass

    def follow(self, span_sec: float) -> None:
        self.passed.put(span_sec)
        if self.trouble is not None:
            raise self.trouble

    def catch_up(self) -> None:
        pass

    def after_input(self, span_sec: float = 0.0) -> None:
        pass

    def act(self, op: str, *numbers: int) -> None:
        self.done.append((op, *numbers))

    def stir(self) -> None:
        pass

    def release(self) -> None:
        self.done.append("button up")

    def combination(self, names: tuple[str, ...], repeats: int = 1) -> None:
        self.done.append(("keys", names, repeats))

    def hold(self, names: tuple[str, ...]) -> Callable[[], None]:
        self.done.append(("hold", names))
        return lambda: self.done.append("let go")

    def type(self, text: str) -> None:
        self.done.append(("type", text))

    def titles(self) -> list[str]:
        return ["plan.pptx"]

    def activate(self, title: str) -> bool:
        return title == "plan.pptx"

    def text(self) -> str:
        return "copied"

    def put_text(self, text: str) -> None:
        self.done.append(("copied", text))

    def put_image(self, image: Any) -> None:
        self.done.append(("picture", image))

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        return [], f"at most {limits.nodes}"


class Host:
    """A host, connected to a guest whose desktop is made of `parts`."""

    def __init__(self, home: Path) -> None:
        self.parts = Everything()
        self.settings: list[Settings] = []
        self.home = home
        ours, theirs = socket.socketpair()
        self.link = GuestLink(ours)
        lost = (ScreenGoneError,)

        def work() -> None:
            with theirs:
                serve(theirs, self.start, lost)

        self.thread = threading.Thread(target=work)
        self.thread.start()

    def start(self, settings: Settings) -> Desktop:
        self.settings.append(settings)
        p: Any = self.parts
        refresh = lambda: p.done.append("refresh")  # noqa: E731
        return Desktop(Parts(p, p, p, p, p, p, p, p, self.home, refresh), settings)

    def ask(self, method: str, *blobs: bytes, **params: Any) -> Any:
        return self.link.request(method, params, 5.0, *blobs)

    def perform(self, command: Command) -> Any:
        return self.ask("perform", command=command.to_json())

    def end(self) -> None:
        self.link.close()
        self.thread.join(5)
        assert not self.thread.is_alive(), "the guest outlives its host"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    made = Host(tmp_path)
    yield made
    made.end()


@pytest.fixture
def loaded(host: Host) -> Host:
    host.ask("hello", version=PROTOCOL_VERSION, settings={"tree_nodes": 7, "of_tomorrow": 1})
    host.ask("load", b"deck", name="../plan.pptx")
    return host


def test_files_beside_the_deck_are_collected(loaded: Host, tmp_path: Path) -> None:
    (loaded.parts.path.parent / "chart.png").write_bytes(b"PNG")
    frame = loaded.ask("collect", names=["chart.png", "gone.png"])
    assert (frame.header, frame.blobs) == ({"found": ["chart.png"]}, (b"PNG",))


def test_files_go_beside_the_deck(loaded: Host, tmp_path: Path) -> None:
    loaded.ask("load", b"deck", b"1,2", name="a.pptx", files=["../x.csv"])
    found = {each.name: each.read_bytes() for each in (tmp_path / "Documents").iterdir()}
    assert found == {"a.pptx": b"deck", "plan.pptx": b"deck", "x.csv": b"1,2"}
    with pytest.raises(MachineError, match="zip"):
        loaded.ask("load", b"deck", name="a.pptx", files=["x.csv"])


def test_hello_names_the_application_and_takes_settings(loaded: Host) -> None:
    assert loaded.settings == [Settings(tree_nodes=7)]
    reply = loaded.ask("hello", version=PROTOCOL_VERSION, settings={})
    assert reply.header == {"application": "Stand 1.0"}


def test_time_runs_on_between_requests_once_asked_to(loaded: Host) -> None:
    assert loaded.parts.passed.empty()
    for _ in range(2):
        assert loaded.ask("run_on").header == {}
    assert 0 < loaded.parts.passed.get(timeout=5) < 1
    loaded.parts.trouble = OfficeTimeoutError("busy")
    for _ in range(3):
        loaded.parts.passed.get(timeout=5)
    loaded.parts.trouble = None
    assert loaded.perform(Command("observe")).header["document"]["slide"] == 1
    loaded.end()
    while not loaded.parts.passed.empty():
        loaded.parts.passed.get()
    with pytest.raises(queue.Empty):
        loaded.parts.passed.get(timeout=0.2)


def test_another_version_is_refused(host: Host) -> None:
    with pytest.raises(
        MachineError, match=f"the host speaks version 99, this guest {PROTOCOL_VERSION}"
    ):
        host.ask("hello", version=99, settings={})
    with pytest.raises(MachineError, match="expected hello before"):
        host.ask("save", commit=False)


def test_load_refreshes_writes_and_observes(loaded: Host) -> None:
    assert loaded.parts.done == ["refresh", ("load", "plan.pptx", b"deck")]
    seen = observed_from(
        loaded.perform(Command("observe")), MachineConfig(width_px=320, height_px=240)
    )
    assert seen.screenshot.shape == (240, 320, 3)
    assert seen.tree.reason == "at most 7"
    assert (seen.window_titles, seen.clipboard) == (("plan.pptx",), "copied")
    assert (seen.document.revision, seen.document.slide) == (3, 1)
    assert seen.timing["settled_by"] == "quiet"


DONE = {
    "observe": [],
    "key": [("keys", ("a",), 2)],
    "type": [("type", "words")],
    "copy_text": [("copied", "words")],
    "copy_image": [("picture", (1, 2, 3, 4))],
    "paste": [("keys", ("Control_L", "v"), 1)],
    "wait": [("wait", 2)],
}


@pytest.mark.parametrize("op", [op for op in OPS if op not in ("open_program", "switch_window")])
def test_each_operation_reaches_its_part(loaded: Host, op: str) -> None:
    loaded.parts.done.clear()
    loaded.perform(Command(op, 1, 2, 3, 4, (1, 2, 3, 4), ("a",), "words", 2))
    expected = DONE.get(op, [("hold", ("a",)), (op, 1, 2, 3, 4, 2), "let go"])
    assert loaded.parts.done == expected


def test_programs_and_windows_are_by_name(loaded: Host) -> None:
    loaded.perform(Command("open_program", text=" PowerPoint "))
    assert loaded.parts.done[-1] == "reopen"
    loaded.perform(Command("open_program", text="Excel"))
    assert loaded.parts.done[-1] == "workbook"
    loaded.perform(Command("switch_window", text="plan.pptx"))
    with pytest.raises(ActionError, match="no program 'paint' on this machine; there is:"):
        loaded.perform(Command("open_program", text="paint"))
    with pytest.raises(ActionError, match=r"no window titled 'letter'; there is: plan.pptx"):
        loaded.perform(Command("switch_window", text="letter"))
    with pytest.raises(ActionError, match="a box with an area"):
        loaded.perform(Command("copy_image", box=(5, 5, 0, 3)))


def test_save_ends_an_edit_only_when_told(loaded: Host, tmp_path: Path) -> None:
    loaded.parts.editing = True
    with pytest.raises(ActionError, match="text edit is open"):
        loaded.ask("save", commit=False)
    assert loaded.ask("save", commit=True).blobs == (b"saved",)
    assert loaded.parts.done[-1] == "button up"
    assert [path.name for path in tmp_path.iterdir()] == ["Documents"], "a copy was left"


def test_a_deck_that_is_refused(loaded: Host) -> None:
    with pytest.raises(DeckError, match="cannot open the deck"):
        loaded.ask("load", b"broken", name="plan.pptx")


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        (OfficeLostError("gone"), MachineOverloadedError),
        (ScreenGoneError("gone"), MachineOverloadedError),
        (OfficeTimeoutError("late"), MachineOverloadedError),
        (OverloadError("large"), MachineOverloadedError),
        (RuntimeError("a fault"), MachineError),
    ],
)
def test_trouble_has_a_name(loaded: Host, trouble: Exception, expected: type[Exception]) -> None:
    loaded.parts.trouble = trouble
    with pytest.raises(expected, match=str(trouble)):
        loaded.perform(Command("observe"))
    loaded.parts.trouble = None
    assert loaded.perform(Command("observe")).header["document"]["open"]


def test_a_busy_application_is_never_scored(loaded: Host) -> None:
    loaded.parts.require_alive = lambda: None  # type: ignore[method-assign]
    loaded.parts.trouble = OfficeTimeoutError("busy")
    state = loaded.perform(Command("observe")).header["document"]
    assert (state["open"], state["revision"], state["editing"]) == (True, -1, True)


def test_what_the_user_closed_is_taken_from_the_disk(loaded: Host) -> None:
    loaded.parts.closed = True
    assert loaded.ask("save", commit=True).blobs == (b"deck",)
    loaded.parts.trouble = OfficeLostError("it crashed")
    with pytest.raises(MachineOverloadedError, match="it crashed"):
        loaded.ask("save", commit=True)
    assert loaded.ask("kept").blobs == (b"deck",)


def test_a_file_that_the_user_took_away_is_his_doing(loaded: Host) -> None:
    loaded.parts.path.unlink()
    loaded.parts.closed = True
    for method, params in (("kept", {}), ("save", {"commit": True})):
        with pytest.raises(MachineOverloadedError, match=r"cannot be read.* No such file"):
            loaded.ask(method, **params)
    with pytest.raises(ActionError, match="there is no deck to open any more: gone"):
        loaded.perform(Command("open_program", text="impress"))


def test_what_the_user_made_too_long_is_cut(loaded: Host) -> None:
    texts = {"name": "n" * 9000, "text": "t" * 9000, "description": "["}
    rest = {"parent": -1, "role": "frame", "box": [0, 0, 1, 1], "states": []}
    nodes = [{"index": place, **texts, **rest} for place in range(7)]
    loaded.parts.read = lambda limits: (nodes, "r" * 9000)  # type: ignore[method-assign]
    loaded.parts.titles = lambda: ["x" * 9000] * 900  # type: ignore[method-assign]
    config = MachineConfig(width_px=320, height_px=240)
    seen = observed_from(loaded.perform(Command("observe")), config)
    assert {len(node.text) for node in seen.tree.nodes} == {500}
    assert (len(seen.window_titles), len(seen.tree.reason)) == (64, 500)
    assert shortened([{**nodes[0]} for _ in range(2000)], "", 500)[1] == "more text than fits"

"""The contract of machines: one suite that runs on each kind."""

from collections.abc import Callable, Iterator
from io import BytesIO

import numpy as np
import pytest
from pptx import Presentation

from pptarena.envs.config import MachineConfig
from pptarena.envs.machines import (
    Machine,
    MachineCheckpoint,
    MachineObservation,
    Node,
    make_machine,
)
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.machines.sandbox import SandboxConfig
from pptarena.errors import ActionError, ConfigError, DeckError, MachineLostError
from pptarena.tasks.deck_files import read_deck_file
from pptarena.vm_images.guest.protocol import OPS, POINTER_OPS, Command

QEMU = pytest.param("qemu", marks=[pytest.mark.image, pytest.mark.vm])
KINDS = [
    "fake",
    pytest.param("sandbox", marks=pytest.mark.image),
    QEMU,
    pytest.param("remote", marks=pytest.mark.image),
]
CONFIG = MachineConfig()

# Behavior of the guest program alone, which is the same in every image; emulated, it takes minutes.
decided_by_guest = pytest.mark.parametrize(
    "make",
    [
        pytest.param("qemu", marks=[*QEMU.marks, pytest.mark.nightly]) if kind is QEMU else kind
        for kind in KINDS
    ],
    indirect=True,
)

# Guests run the same program everywhere; emulated, each command takes seconds.
EMULATED_OPS = ("observe", "click", "drag", "key", "type", "copy_image", "open_program")

Make = Callable[[], Machine]


@pytest.fixture(scope="module", params=KINDS)
def make(request: pytest.FixtureRequest) -> Make:
    kind: str = request.param
    config = request.getfixturevalue("remote_config") if kind == "remote" else CONFIG
    if kind == "sandbox":
        config = SandboxConfig()
    return lambda: make_machine(kind, config)


@pytest.fixture(scope="module")
def shared(make: Make) -> Iterator[Machine]:
    """One machine for all tests that load their own deck."""
    machine = make()
    yield machine
    machine.close()


def texts(deck: bytes) -> list[list[str]]:
    """Return the texts of every slide's shapes."""
    return [
        [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        for slide in Presentation(BytesIO(deck)).slides
    ]


def find(observed: MachineObservation, text: str) -> Node:
    """Return the deepest visible node of the slide that shows this text."""
    nodes = observed.tree.nodes
    inside = {node.index for node in nodes if node.role == "document presentation"}
    matches = []
    for node in nodes:
        if node.parent in inside:
            inside.add(node.index)
            is_visible = node.states >= {"showing", "visible"} and node.box[2] > 0 < node.box[3]
            if is_visible and text in f"{node.name} {node.text}":
                matches.append(node)
    assert matches, f"{text!r} is not on the screen"
    return matches[-1]


def point(op: str, node: Node, **arguments: int) -> Command:
    left, top, width, height = node.box
    return Command(op, x=left + width // 2, y=top + height // 2, **arguments)  # type: ignore[arg-type]


def require_valid(observed: MachineObservation, slide_count: int) -> None:
    size = (CONFIG.height_px, CONFIG.width_px, 3)
    assert observed.screenshot.shape == size
    assert observed.screenshot.dtype == np.uint8
    assert len(np.unique(observed.screenshot)) > 2, "the screen is blank"
    assert observed.document.open
    assert observed.document.slide_count == slide_count
    assert 1 <= observed.document.slide <= slide_count
    nodes = observed.tree.nodes
    assert nodes, "the tree is empty"
    assert len(nodes) <= CONFIG.max_nodes
    for index, node in enumerate(nodes):
        assert node.index == index
        assert -1 <= node.parent < index
        assert len(node.box) == 4
        assert isinstance(node.states, frozenset)
    assert observed.timing["settled_by"]
    assert all(observed.timing[part] >= 0 for part in ("action", "settle", "screenshot", "tree"))


def attachment_names(machine: Machine) -> set[str]:
    """Return the names of the files next to the deck, from the application's own dialog."""
    if isinstance(machine, FakeMachine):
        return set(machine.files)
    opened = machine.perform(Command("key", keys=("Control_L", "o")))
    folder = next(each for each in opened.tree.nodes if each.name == "Documents")
    opened = machine.perform(point("double_click", folder))
    cells = {node.name for node in opened.tree.nodes if node.role == "table cell"}
    machine.perform(Command("key", keys=("Escape",)))
    assert "garden.pptx" in cells
    return {name for name in cells if name.endswith((".csv", ".txt", ".png"))}


def type_at_end(
    machine: Machine, observed: MachineObservation, shape_text: str, text: str
) -> MachineObservation:
    """Start editing the shape that shows `shape_text` and type at the end of its text."""
    node = find(observed, shape_text)
    machine.perform(point("click", node))
    machine.perform(Command("key", keys=("F2",)))
    machine.perform(Command("key", keys=("Control_L", "End")))
    return machine.perform(Command("type", text=text))


def test_load_opens_the_deck_on_its_first_slide(shared: Machine, deck: bytes) -> None:
    observed = shared.load(deck, "garden.pptx")
    require_valid(observed, 3)
    assert observed.document.slide == 1
    assert not observed.document.editing
    assert "garden" in observed.window_titles[0]
    assert find(observed, "Harvest").box[2] > 0
    assert shared.application_version


def test_files_are_collected_by_name(shared: Machine, deck: bytes) -> None:
    shared.load(deck, "plan.pptx", {"plan.csv": b"a,b", "new.png": b"PNG"})
    assert shared.collect(()) == {}
    assert shared.collect(("plan.csv", "more.csv", "../plan.csv")) == {"plan.csv": b"a,b"}


@decided_by_guest
def test_attachments_are_those_of_the_last_load(shared: Machine, deck: bytes) -> None:
    shared.load(deck, "garden.pptx", {"plan.csv": b"bed,seeds", "old.txt": b"old"})
    shared.load(deck, "garden.pptx", {"plan.csv": b"bed,bulbs", "new.png": b"no picture"})
    assert attachment_names(shared) == {"plan.csv", "new.png"}
    shared.load(deck, "garden.pptx")
    assert attachment_names(shared) == set()


def test_save_returns_the_deck_and_changes_nothing(shared: Machine, deck: bytes) -> None:
    before = shared.load(deck, "garden.pptx")
    assert texts(shared.save()) == texts(deck)
    shared.save(commit_edit=True)
    after = shared.perform(Command("observe"))
    assert after.document == before.document
    assert not np.shares_memory(after.screenshot, before.screenshot)
    assert after.screenshot.flags.writeable


@pytest.mark.slow
@decided_by_guest
def test_every_operation_returns_a_valid_observation(shared: Machine, deck: bytes) -> None:
    target = find(shared.load(deck, "garden.pptx"), "Harvest")
    failed = {}
    for op in EMULATED_OPS if shared.kind == "qemu" else OPS:
        observed = shared.perform(command_of(op, target))
        if shared.kind == "qemu" and observed.tree.degraded:  # emulated, on a busy computer
            observed = shared.perform(Command("observe"))
        try:
            require_valid(observed, 3)
        except AssertionError as error:
            failed[op] = str(error)
        # Clear selections, edits and menus.
        shared.perform(Command("key", keys=("Escape",), amount=3))
    assert failed == {}


def command_of(op: str, target: Node) -> Command:
    """Return a command of the given kind that has an effect on the open deck."""
    if op in POINTER_OPS:
        return point(op, target, end_x=700, end_y=400, amount=1)
    if op == "copy_image":
        return Command(op, box=target.box)
    if op in ("type", "copy_text"):
        return Command(op, text="text")
    if op == "key":
        return Command(op, keys=("Escape",), amount=2)
    if op in ("open_program", "switch_window"):
        return Command(op, text="impress" if op == "open_program" else "garden")
    return Command(op, amount=1 if op == "wait" else 0)


@decided_by_guest
def test_clipboard_is_observed(shared: Machine, deck: bytes) -> None:
    shared.load(deck, "garden.pptx")
    assert shared.perform(Command("copy_text", text="é 漢字 and\nmore")).clipboard == (
        "é 漢字 and\nmore"
    )


@decided_by_guest
def test_page_down_shows_the_next_slide(shared: Machine, deck: bytes) -> None:
    before = shared.load(deck, "garden.pptx")
    after = shared.perform(Command("key", keys=("Page_Down",)))
    assert after.document.slide == 2
    assert find(after, "Orchard").box[2] > 0
    assert after.document.revision == before.document.revision
    assert not np.array_equal(after.screenshot, before.screenshot)


@pytest.mark.slow
@decided_by_guest
def test_edits_are_reported_saved_committed_and_undone(shared: Machine, deck: bytes) -> None:
    loaded = shared.load(deck, "garden.pptx")
    typed = type_at_end(shared, loaded, "Harvest", " moon")
    assert typed.document.editing
    with pytest.raises(ActionError, match="text edit is open"):
        shared.save()
    assert shared.perform(Command("observe")).document.editing, "saving ended the edit"
    ended = shared.perform(Command("key", keys=("Escape",)))
    assert not ended.document.editing
    assert ended.document.revision > loaded.document.revision
    assert texts(shared.save())[0][0] == "Harvest moon"
    # A second edit of the same text is saved completely, and committing ends it.
    type_at_end(shared, ended, "Harvest moon", " feast")
    assert texts(shared.save(commit_edit=True))[0][0] == "Harvest moon feast"
    assert not shared.perform(Command("observe")).document.editing
    shared.perform(Command("key", keys=("Escape",)))
    shared.perform(Command("key", keys=("Control_L", "z"), amount=6))
    assert texts(shared.save()) == texts(deck)


@pytest.mark.slow
@decided_by_guest
def test_save_does_not_change_the_document(shared: Machine) -> None:
    # LibreOffice's export of this deck adds a slide and removes it again.
    loaded = shared.load(read_deck_file("resistance"), "resistance.pptx")
    for _ in range(2):
        shared.save()
        assert shared.perform(Command("observe")).document == loaded.document


@pytest.mark.slow
def test_load_clears_the_previous_state(shared: Machine, deck: bytes, other_deck: bytes) -> None:
    type_at_end(shared, shared.load(deck, "garden.pptx"), "Harvest", " gone")
    shared.perform(Command("copy_text", text="secret of the last episode"))
    require_valid(loaded := shared.load(other_deck, "other.pptx"), 2)
    assert not loaded.document.editing
    assert "secret" not in loaded.clipboard
    assert texts(shared.save()) == texts(other_deck)
    undone = shared.perform(Command("key", keys=("Control_L", "z")))
    assert undone.document.revision == loaded.document.revision
    require_valid(shared.load(deck, "garden.pptx"), 3)
    assert texts(shared.save()) == texts(deck)


@decided_by_guest
def test_unknown_key_is_rejected(shared: Machine, deck: bytes) -> None:
    loaded = shared.load(deck, "garden.pptx")
    with pytest.raises(ActionError, match="NoSuchKey"):
        shared.perform(Command("key", keys=("Control_L", "NoSuchKey")))
    assert shared.perform(Command("observe")).document == loaded.document


@decided_by_guest
def test_unknown_program_or_window_is_rejected(shared: Machine, deck: bytes) -> None:
    shared.load(deck, "garden.pptx")
    for op in ("open_program", "switch_window"):
        with pytest.raises(ActionError, match="no such thing"):
            shared.perform(Command(op, text="no such thing"))


def test_damaged_deck_is_rejected_and_the_next_one_loads(shared: Machine, deck: bytes) -> None:
    for broken in (b"", b"no zip at all", deck[: len(deck) // 2]):
        with pytest.raises(DeckError):
            shared.load(broken, "broken.pptx")
        with pytest.raises(MachineLostError, match="no deck is loaded"):
            shared.save()
    require_valid(shared.load(deck, "garden.pptx"), 3)


def require_checkpoints(machine: Machine) -> Machine:
    if not machine.can_checkpoint:
        pytest.skip(f"the {machine.kind} machine keeps no checkpoints")
    return machine


def same_state(first: MachineObservation, second: MachineObservation) -> bool:
    return (
        np.array_equal(first.screenshot, second.screenshot)
        and first.tree == second.tree
        and first.document == second.document
        and first.window_titles == second.window_titles
        and first.clipboard == second.clipboard
    )


@pytest.mark.slow
def test_restore_returns_to_an_open_edit(shared: Machine, deck: bytes) -> None:
    loaded = require_checkpoints(shared).load(deck, "garden.pptx")
    saved_observation = type_at_end(shared, loaded, "Harvest", " moon")
    with shared.checkpoint() as checkpoint:
        assert checkpoint.kind == shared.kind
        assert same_state(shared.perform(Command("observe")), saved_observation), (
            "the checkpoint changed the state"
        )
        for _ in range(2):
            shared.perform(Command("type", text="light"))
            shared.perform(Command("copy_text", text="later"))
            assert texts(shared.save(commit_edit=True))[0][0] == "Harvest moonlight"
            restored = shared.restore(checkpoint)
            require_valid(restored, 3)
            assert same_state(restored, saved_observation)
    assert texts(shared.save(commit_edit=True))[0][0] == "Harvest moon"
    require_valid(shared.load(deck, "garden.pptx"), 3)
    assert texts(shared.save()) == texts(deck)


def test_checkpoint_outlives_its_machine(make: Make, shared: Machine, deck: bytes) -> None:
    require_checkpoints(shared)
    with make() as machine:
        saved_observation = type_at_end(machine, machine.load(deck, "garden.pptx"), "Harvest", " x")
        checkpoint = machine.checkpoint()
    with checkpoint, make() as other:
        assert same_state(other.restore(checkpoint), saved_observation)
        assert texts(other.save(commit_edit=True))[0][0] == "Harvest x"


def test_fork_is_an_independent_machine(shared: Machine, deck: bytes) -> None:
    saved_observation = type_at_end(
        shared, require_checkpoints(shared).load(deck, "garden.pptx"), "Harvest", " a"
    )
    with shared.checkpoint() as checkpoint:
        twins = [shared.fork(checkpoint) for _ in range(2)]
    try:
        for twin, text in zip(twins, ("b", "c"), strict=True):
            assert type(twin) is type(shared)
            assert same_state(twin.perform(Command("observe")), saved_observation)
            twin.perform(Command("type", text=text))
            assert texts(twin.save(commit_edit=True))[0][0] == f"Harvest a{text}"
        assert same_state(shared.perform(Command("observe")), saved_observation)
        twins[0].close()
        assert texts(twins[1].save())[0][0] == "Harvest ac"
    finally:
        for twin in twins:
            twin.close()


def test_closed_checkpoint_is_rejected(shared: Machine, deck: bytes) -> None:
    require_checkpoints(shared).load(deck, "garden.pptx")
    checkpoint = shared.checkpoint()
    checkpoint.close()
    checkpoint.close()
    for method in (shared.restore, shared.fork):
        with pytest.raises(ConfigError, match="the checkpoint is closed"):
            method(checkpoint)
    assert shared.perform(Command("observe")).document.open, "the machine was harmed"


def test_invalid_checkpoint_calls_are_rejected(make: Make) -> None:
    machine = make()
    checkpoint = MachineCheckpoint("fake")
    if machine.can_checkpoint:
        with pytest.raises(MachineLostError, match="call load first"):
            machine.checkpoint()
        checkpoint.kind = "another"
        for method in (machine.restore, machine.fork):
            with pytest.raises(ConfigError, match="got one of kind 'another'"):
                method(checkpoint)
        return
    for call in (
        machine.checkpoint,
        lambda: machine.restore(checkpoint),
        lambda: machine.fork(checkpoint),
    ):
        with pytest.raises(ConfigError, match=r"cannot save a checkpoint .* use machine='qemu'"):
            call()
    assert machine.memory_bytes() is None, "the machine was started"


def test_commands_require_a_loaded_deck(make: Make) -> None:
    machine = make()
    assert machine.memory_bytes() is None, "the constructor started something"
    with pytest.raises(MachineLostError, match="call load first"):
        machine.perform(Command("observe"))
    machine.close()


def test_close_releases_everything(make: Make, deck: bytes) -> None:
    with make() as machine:
        machine.load(deck, "garden.pptx")
        assert machine.memory_bytes() is None or machine.memory_bytes() > 2**20  # type: ignore[operator]
    machine.close()
    assert machine.memory_bytes() is None
    with pytest.raises(MachineLostError):
        machine.save()
    with pytest.raises(MachineLostError, match="closed"):
        machine.load(deck, "garden.pptx")

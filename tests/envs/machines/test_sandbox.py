"""What only the sandbox promises: isolation, limits, and that nothing is left behind."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pptarena.envs.machines.memory import process_tree
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.errors import MachineLostError, MachineOverloadedError, MachineTimeoutError
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image


@pytest.fixture
def machine(deck: bytes) -> Iterator[SandboxMachine]:
    with SandboxMachine() as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def inside(machine: SandboxMachine, name: str) -> int:
    """Return the host's id of a process inside the machine."""
    pid = machine.pid
    assert pid is not None
    for process in process_tree(pid):
        if Path(f"/proc/{process}/comm").read_text().strip() == name:
            return process
    raise AssertionError(f"no {name} in the machine")


def gone(pids: list[int], within_sec: float) -> bool:
    deadline = time.monotonic() + within_sec
    while time.monotonic() < deadline:
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.05)
    return False


def test_there_is_no_network_but_loopback(machine: SandboxMachine) -> None:
    lines = Path(f"/proc/{inside(machine, 'soffice.bin')}/net/dev").read_text().splitlines()
    assert [line.split(":")[0].strip() for line in lines[2:]] == ["lo"]


def test_the_host_is_out_of_sight(machine: SandboxMachine, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("not for agents")
    process = inside(machine, "soffice.bin")
    root = Path(f"/proc/{process}/root")
    assert not root.joinpath(*secret.parts[1:]).exists()
    assert os.listdir(root / "home") == ["agent"]
    assert not root.joinpath(*Path.home().parts[1:], ".cache").exists()
    visible = {int(name) for name in os.listdir(root / "proc") if name.isdigit()}
    assert max(visible) < 1000, "the machine sees processes of the host"
    mounts = [line.split() for line in Path(f"/proc/{process}/mountinfo").read_text().splitlines()]
    options = {fields[4]: fields[5].split(",") for fields in mounts}
    assert "ro" in options["/"], "the image can be written to"
    # Written to by the machine: only file systems in memory.
    writable = [f[f.index("-") + 1] for f in mounts if "rw" in f[5].split(",")]
    assert set(writable) <= {"tmpfs", "proc", "devpts", "mqueue", "devtmpfs"}


def test_processes_have_no_powers_and_bounded_memory(machine: SandboxMachine) -> None:
    process = inside(machine, "soffice.bin")
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines()
    )
    assert int(status["CapEff"], 16) == 0
    assert status["NoNewPrivs"].strip() == "1"
    limits = Path(f"/proc/{process}/limits").read_text()
    for name in ("Max address space", "Max processes", "Max file size"):
        line = next(line for line in limits.splitlines() if line.startswith(name))
        assert "unlimited" not in line


def test_any_text_can_be_typed(machine: SandboxMachine, deck: bytes) -> None:
    text = "É ß Ω ж 漢字 かな 한국 😀 €«»"
    machine.load(deck, "garden.pptx")
    observed = machine.perform(Command("key", keys=("Tab",)))
    assert observed.document.open
    machine.perform(Command("key", keys=("F2",)))
    machine.perform(Command("key", keys=("Control_L", "a")))
    machine.perform(Command("type", text=text))
    observed = machine.perform(Command("key", keys=("Escape",)))
    assert text in {node.text for node in observed.tree.nodes}


def test_more_characters_than_spare_keys(machine: SandboxMachine, deck: bytes) -> None:
    text = "".join(chr(0x4E00 + 7 * place) for place in range(300))
    machine.load(deck, "garden.pptx")
    machine.perform(Command("key", keys=("Tab",)))
    machine.perform(Command("key", keys=("F2",)))
    machine.perform(Command("key", keys=("Control_L", "a")))
    machine.perform(Command("type", text=text))
    observed = machine.perform(Command("key", keys=("Escape",)))
    assert text in {node.text for node in observed.tree.nodes}


def test_every_view_says_which_slide_it_shows(machine: SandboxMachine) -> None:
    def view(place: int) -> int:
        machine.perform(Command("key", keys=("Alt_L", "v")))
        if place:
            machine.perform(Command("key", keys=("Down",), amount=place))
        return machine.perform(Command("key", keys=("Return",))).document.slide

    assert machine.perform(Command("key", keys=("Next",))).document.slide == 2
    normal, sorter = 0, 3  # places in the menu
    assert view(sorter) == 0  # it shows them all
    assert machine.perform(Command("observe")).document.open
    assert view(normal) == 2
    assert machine.perform(Command("key", keys=("Prior",))).document.slide == 1


def test_a_text_edit_is_known_when_it_opens_and_when_it_ends(machine: SandboxMachine) -> None:
    keys = (("Tab",), ("F2",), ("Escape",), ("F2",))
    seen = [machine.perform(Command("key", keys=names)).document.editing for names in keys]
    assert seen == [False, True, False, True]
    before = machine.perform(Command("observe")).document
    after = machine.perform(Command("type", text="more")).document
    assert (before.editing, after.editing) == (True, True)
    assert after.revision > before.revision


def test_nothing_moves_between_two_steps(machine: SandboxMachine) -> None:
    machine.perform(Command("key", keys=("Tab",)))
    editing = machine.perform(Command("key", keys=("F2",)))  # with a cursor that blinks
    before = [
        Path(f"/proc/{inside(machine, name)}/schedstat").read_text().split()[2]
        for name in ("soffice.bin", "openbox")
    ]
    time.sleep(1.5)
    after = [
        Path(f"/proc/{inside(machine, name)}/schedstat").read_text().split()[2]
        for name in ("soffice.bin", "openbox")
    ]
    assert before == after, "the application or its window manager has run"
    again = machine.perform(Command("wait", amount=1))
    assert again.document == editing.document


@pytest.mark.parametrize("victim", ["soffice.bin", "python3", "Xvfb"])
def test_a_killed_part_is_a_lost_machine(machine: SandboxMachine, deck: bytes, victim: str) -> None:
    os.kill(inside(machine, victim), signal.SIGKILL)
    with pytest.raises((MachineLostError, MachineTimeoutError)):
        machine.perform(Command("key", keys=("Page_Down",)))
    assert machine.load(deck, "garden.pptx").document.open


def test_a_frozen_application_is_noticed(deck: bytes) -> None:
    with SandboxMachine(SandboxConfig(step_timeout_sec=6.0)) as machine:
        machine.load(deck, "garden.pptx")
        os.kill(inside(machine, "soffice.bin"), signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(MachineOverloadedError):
            machine.save()
        assert time.monotonic() - started < 60
        assert machine.load(deck, "garden.pptx").document.open


def test_loads_repeat_and_leave_nothing_behind(deck: bytes) -> None:
    with SandboxMachine() as machine:
        first = machine.load(deck, "garden.pptx")
        assert machine.pid is not None
        old = process_tree(machine.pid)
        second = machine.load(deck, "garden.pptx")
        assert gone(old, 5.0), "the machine before is still there"
        assert np.array_equal(first.screenshot, second.screenshot)
        assert first.tree == second.tree
        third = machine.load(deck, "other.pptx")
        assert third.window_titles[0].startswith("other.pptx")


def test_close_leaves_no_process_and_no_descriptor(deck: bytes) -> None:
    gc.collect()
    descriptors = len(os.listdir("/proc/self/fd"))
    children = set(process_tree(os.getpid()))
    for snapshots in (False, True):
        with SandboxMachine(SandboxConfig(snapshots=snapshots)) as machine:
            machine.load(deck, "garden.pptx")
    gc.collect()
    left = [pid for pid in process_tree(os.getpid()) if pid not in children]
    assert gone(left, 5.0)
    assert len(os.listdir("/proc/self/fd")) <= descriptors


def test_it_dies_with_its_parent(deck: bytes, tmp_path: Path) -> None:
    (tmp_path / "deck.pptx").write_bytes(deck)
    program = (
        "import sys, time\n"
        "from pptarena.envs.machines.sandbox import SandboxMachine\n"
        "machine = SandboxMachine()\n"
        f"machine.load(open({str(tmp_path / 'deck.pptx')!r}, 'rb').read(), 'plan.pptx')\n"
        "print('up', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        children = [pid for pid in process_tree(parent.pid) if pid != parent.pid]
        assert len(children) >= 4
        parent.kill()
    assert gone(children, 5.0)

"""Guarantees of the sandbox: isolation, limits and cleanup."""

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

from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine
from pptarena.errors import MachineLostError, MachineOverloadedError, MachineTimeoutError
from pptarena.vm_images.guest.protocol import Command

pytestmark = pytest.mark.image


@pytest.fixture
def machine(deck: bytes) -> Iterator[SandboxMachine]:
    with SandboxMachine() as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def pid_of(machine: SandboxMachine, name: str) -> int:
    """Return the host's id of a process inside the machine."""
    pid = machine.pid
    assert pid is not None
    for process in process_tree(pid):
        if Path(f"/proc/{process}/comm").read_text().strip() == name:
            return process
    raise AssertionError(f"no {name} in the machine")


def all_exited(pids: list[int], within_sec: float) -> bool:
    deadline = time.monotonic() + within_sec
    while time.monotonic() < deadline:
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.05)
    return False


def test_network_has_only_loopback(machine: SandboxMachine) -> None:
    lines = Path(f"/proc/{pid_of(machine, 'soffice.bin')}/net/dev").read_text().splitlines()
    assert [line.split(":")[0].strip() for line in lines[2:]] == ["lo"]


def test_host_is_invisible(machine: SandboxMachine, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("not for agents")
    process = pid_of(machine, "soffice.bin")
    root = Path(f"/proc/{process}/root")
    assert not root.joinpath(*secret.parts[1:]).exists()
    assert os.listdir(root / "home") == ["agent"]
    assert not root.joinpath(*Path.home().parts[1:], ".cache").exists()
    visible = {int(name) for name in os.listdir(root / "proc") if name.isdigit()}
    assert max(visible) < 1000, "the machine sees processes of the host"
    mounts = [line.split() for line in Path(f"/proc/{process}/mountinfo").read_text().splitlines()]
    options = {fields[4]: fields[5].split(",") for fields in mounts}
    assert "ro" in options["/"], "the image can be written to"
    # The machine can write only to file systems in memory.
    writable = [f[f.index("-") + 1] for f in mounts if "rw" in f[5].split(",")]
    assert set(writable) <= {"tmpfs", "proc", "devpts", "mqueue", "devtmpfs"}


def test_processes_have_no_capabilities_and_limited_memory(machine: SandboxMachine) -> None:
    process = pid_of(machine, "soffice.bin")
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines()
    )
    assert int(status["CapEff"], 16) == 0
    assert status["NoNewPrivs"].strip() == "1"
    limits = Path(f"/proc/{process}/limits").read_text()
    for name in ("Max address space", "Max processes", "Max file size"):
        line = next(line for line in limits.splitlines() if line.startswith(name))
        assert "unlimited" not in line


@pytest.mark.parametrize(
    "text",
    ["É ß Ω ж 漢字 かな 한국 😀 €«»", "".join(chr(0x4E00 + 7 * index) for index in range(300))],
    ids=["several scripts", "more characters than spare keys"],
)
def test_typed_text_is_observed(machine: SandboxMachine, text: str) -> None:
    assert machine.perform(Command("key", keys=("Tab",))).document.open
    machine.perform(Command("key", keys=("F2",)))
    machine.perform(Command("key", keys=("Control_L", "a")))
    machine.perform(Command("type", text=text))
    observed = machine.perform(Command("key", keys=("Escape",)))
    assert text in {node.text for node in observed.tree.nodes}


def test_slide_number_in_normal_and_sorter_view(machine: SandboxMachine) -> None:
    def view(index: int) -> int:
        machine.perform(Command("key", keys=("Alt_L", "v")))
        if index:
            machine.perform(Command("key", keys=("Down",), amount=index))
        return machine.perform(Command("key", keys=("Return",))).document.slide

    assert machine.perform(Command("key", keys=("Next",))).document.slide == 2
    normal, sorter = 0, 3  # positions in the menu
    assert view(sorter) == 0  # the sorter shows all slides
    assert machine.perform(Command("observe")).document.open
    assert view(normal) == 2
    assert machine.perform(Command("key", keys=("Prior",))).document.slide == 1


def test_editing_flag_follows_text_edits(machine: SandboxMachine) -> None:
    keys = (("Tab",), ("F2",), ("Escape",), ("F2",))
    editing = [machine.perform(Command("key", keys=names)).document.editing for names in keys]
    assert editing == [False, True, False, True]
    before = machine.perform(Command("observe")).document
    after = machine.perform(Command("type", text="more")).document
    assert (before.editing, after.editing) == (True, True)
    assert after.revision > before.revision


def test_processes_stand_still_between_steps(machine: SandboxMachine) -> None:
    def time_slices() -> list[str]:
        return [
            Path(f"/proc/{pid_of(machine, name)}/schedstat").read_text().split()[2]
            for name in ("soffice.bin", "openbox")
        ]

    machine.perform(Command("key", keys=("Tab",)))
    editing = machine.perform(Command("key", keys=("F2",)))  # the cursor blinks
    before = time_slices()
    time.sleep(1.5)
    assert time_slices() == before, "the application or its window manager has run"
    again = machine.perform(Command("wait", amount=1))
    assert again.document == editing.document


@pytest.mark.parametrize("victim", ["soffice.bin", "python3", "Xvfb"])
def test_killed_process_loses_the_machine(
    machine: SandboxMachine, deck: bytes, victim: str
) -> None:
    os.kill(pid_of(machine, victim), signal.SIGKILL)
    with pytest.raises((MachineLostError, MachineTimeoutError)):
        machine.perform(Command("key", keys=("Page_Down",)))
    assert machine.load(deck, "garden.pptx").document.open


def test_frozen_application_is_detected(deck: bytes) -> None:
    with SandboxMachine(SandboxConfig(step_timeout_sec=6.0)) as machine:
        machine.load(deck, "garden.pptx")
        os.kill(pid_of(machine, "soffice.bin"), signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(MachineOverloadedError):
            machine.save()
        assert time.monotonic() - started < 60
        assert machine.load(deck, "garden.pptx").document.open


def test_repeated_loads_are_equal_and_clean_up(deck: bytes) -> None:
    with SandboxMachine() as machine:
        first = machine.load(deck, "garden.pptx")
        assert machine.pid is not None
        old = process_tree(machine.pid)
        second = machine.load(deck, "garden.pptx")
        assert all_exited(old, 5.0), "the previous machine still runs"
        assert np.array_equal(first.screenshot, second.screenshot)
        assert first.tree == second.tree
        third = machine.load(deck, "other.pptx")
        assert third.window_titles[0].startswith("other.pptx")


def test_close_leaves_no_process_or_descriptor(deck: bytes) -> None:
    gc.collect()
    descriptors = len(os.listdir("/proc/self/fd"))
    children = set(process_tree(os.getpid()))
    for snapshots in (False, True):
        with SandboxMachine(SandboxConfig(snapshots=snapshots)) as machine:
            machine.load(deck, "garden.pptx")
    gc.collect()
    remaining = [pid for pid in process_tree(os.getpid()) if pid not in children]
    assert all_exited(remaining, 5.0)
    assert len(os.listdir("/proc/self/fd")) <= descriptors


def test_sandbox_dies_with_its_parent(deck: bytes, tmp_path: Path) -> None:
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
    assert all_exited(children, 5.0)

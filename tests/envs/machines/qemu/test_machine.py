"""Virtual machines as machines: isolation, standing still, faults, and nothing left behind."""

import dataclasses
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pptarena.envs.machines.memory import process_tree
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.qemu.machine import QemuMachine
from pptarena.envs.machines.snapshots.scratch import (
    clear_stale_scratch,
    scratch_home,
    stale_scratch,
)
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import (
    HostError,
    MachineLostError,
    MachineStartError,
    MachineTimeoutError,
)
from pptarena.paths import cache_home
from pptarena.vm_images.guest.protocol import Command

pytestmark = [pytest.mark.image, pytest.mark.vm]
OBSERVE = Command("observe")


@pytest.fixture(scope="module")
def machine(deck: bytes) -> Iterator[QemuMachine]:
    with QemuMachine(QemuConfig()) as machine:
        machine.load(deck, "garden.pptx")
        yield machine


def pid_of(machine: QemuMachine) -> int:
    assert machine.pid is not None
    return machine.pid


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def turn_pages(machine: QemuMachine) -> None:
    for _ in range(20):
        machine.perform(Command("key", keys=("Page_Down",)))


def no_scratch_is_left() -> bool:
    """Wait while tests of another worker, whose scratch files lie in the same folder, go on."""
    return until(lambda: disk_bytes(scratch_home()) == 0, timeout_sec=200.0)


def until(condition: object, timeout_sec: float = 10.0) -> bool:
    deadline = time.monotonic() + timeout_sec
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def test_it_has_no_network_and_listens_nowhere(machine: QemuMachine) -> None:
    command = Path(f"/proc/{pid_of(machine)}/cmdline").read_text().split("\0")
    assert command[command.index("-nic") + 1] == "none"
    assert not any("net" in word and "virtio" in word for word in command)
    inodes = {os.readlink(link) for link in Path(f"/proc/{pid_of(machine)}/fd").iterdir()}
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            assert f"socket:[{line.split()[9]}]" not in inodes, f"QEMU has a {table} socket"


def test_its_time_stands_still_between_steps(machine: QemuMachine, deck: bytes) -> None:
    before = machine.load(deck, "garden.pptx")
    ticks = cpu_ticks(pid_of(machine))
    time.sleep(1.0)
    assert cpu_ticks(pid_of(machine)) - ticks <= 10, "it works while nobody asked it to"
    after = machine.perform(OBSERVE)
    assert cpu_ticks(pid_of(machine)) > ticks
    assert np.array_equal(after.screenshot, before.screenshot)


def test_in_real_time_it_runs_on(deck: bytes) -> None:
    with QemuMachine(QemuConfig(realtime=True)) as machine:
        machine.load(deck, "garden.pptx")
        ticks = cpu_ticks(pid_of(machine))
        assert until(lambda: cpu_ticks(pid_of(machine)) > ticks), "it stands still"
        with machine.checkpoint() as kept:
            ticks = cpu_ticks(pid_of(machine))
            assert until(lambda: cpu_ticks(pid_of(machine)) > ticks), "a checkpoint stopped it"
            assert machine.restore(kept).document.open


def test_a_save_of_an_untouched_deck_is_the_baseline(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    ticks = cpu_ticks(pid_of(machine))
    first = machine.save()
    assert cpu_ticks(pid_of(machine)) == ticks, "the machine was asked"
    machine.load(deck, "garden.pptx")
    assert machine.save() == first
    machine.perform(OBSERVE)
    assert machine.save()[:2] == b"PK", "now it is the machine that saves"


def test_ten_resets_are_equal_and_leave_nothing(machine: QemuMachine, deck: bytes) -> None:
    first = machine.load(deck, "garden.pptx")

    def footprint() -> tuple[int, int, int]:
        here = os.getpid()
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return len(process_tree(here)), descriptors, disk_bytes(cache_home() / "snapshots")

    before = footprint()
    for number in range(10):
        again = machine.load(deck, "garden.pptx")
        assert np.array_equal(again.screenshot, first.screenshot), f"pixels of reset {number}"
        assert again.tree == first.tree, f"tree of reset {number}"
        assert again.document == first.document
    assert footprint() == before
    assert no_scratch_is_left()


@pytest.mark.parametrize("moment", ["paused", "working"])
def test_a_killed_qemu_is_a_lost_machine(machine: QemuMachine, deck: bytes, moment: str) -> None:
    machine.load(deck, "garden.pptx")
    pid, started = pid_of(machine), time.monotonic()
    if moment == "working":
        killer = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {pid}"])
    else:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(MachineLostError):
        turn_pages(machine)
    assert time.monotonic() - started < 60
    if moment == "working":
        killer.wait()
    assert machine.load(deck, "garden.pptx").document.open


def test_a_frozen_qemu_is_noticed(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    os.kill(pid_of(machine), signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError):
        machine.perform(OBSERVE)
    assert time.monotonic() - started < 200
    assert machine.load(deck, "garden.pptx").document.open


def test_a_frozen_guest_is_noticed(deck: bytes) -> None:
    with QemuMachine(QemuConfig(realtime=True)) as machine:
        machine.load(deck, "garden.pptx")
        machine.config = dataclasses.replace(machine.config, step_timeout_sec=6.0)
        machine._require_vm().pause()  # processors that stand still answer nothing
        started = time.monotonic()
        with pytest.raises(MachineTimeoutError, match="no reply to perform within 6 s"):
            machine.perform(OBSERVE)
        assert time.monotonic() - started < 60
        with pytest.raises(MachineLostError, match="the link to the machine is broken"):
            machine.perform(OBSERVE)
        assert machine.load(deck, "garden.pptx").document.open


def test_a_lost_socket_is_a_lost_machine(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    connection = machine._require_vm().link._socket
    assert isinstance(connection, socket.socket)
    connection.shutdown(socket.SHUT_RDWR)
    with pytest.raises(MachineLostError):
        machine.perform(OBSERVE)
    assert machine.load(deck, "garden.pptx").document.open


def test_a_damaged_snapshot_is_made_again(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "damaged.pptx")
    with machine._snapshots.deck(deck, "damaged.pptx") as snapshot:
        devices = snapshot.folder / "devices"
        devices.write_bytes(b"\0" * devices.stat().st_size)
    with pytest.raises(MachineStartError):
        machine.load(deck, "damaged.pptx")
    assert machine.load(deck, "damaged.pptx").document.open


def test_without_room_for_a_checkpoint_the_episode_goes_on(deck: bytes) -> None:
    with QemuMachine(QemuConfig()) as machine:
        machine.load(deck, "garden.pptx")
        machine._snapshots.store._limit_bytes = 2**29
        with pytest.raises(HostError, match="pptarena image rm --snapshots"):
            machine.checkpoint()
        assert machine.perform(OBSERVE).document.open
    assert no_scratch_is_left()


def test_a_checkpoint_takes_its_files_with_it(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    kept = machine.checkpoint()
    assert disk_bytes(scratch_home()) > 2**28
    twin = machine.fork(kept)
    kept.close()
    assert no_scratch_is_left()
    with twin:
        assert twin.perform(OBSERVE).document.open
        with twin.checkpoint() as later, machine.fork(later) as third:  # of a file that is gone
            assert third.perform(OBSERVE).document.open


def test_nothing_outlives_a_killed_host(deck: bytes, tmp_path: Path) -> None:
    (tmp_path / "deck.pptx").write_bytes(deck)
    script = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from pptarena.envs.machines.qemu import QemuConfig
        from pptarena.envs.machines.qemu.machine import QemuMachine
        machine = QemuMachine(QemuConfig())
        machine.load(Path(sys.argv[1]).read_bytes(), "garden.pptx")
        kept = machine.checkpoint()
        print(machine.pid, flush=True)
        time.sleep(600)
        """
    )
    command = [sys.executable, "-c", script, str(tmp_path / "deck.pptx")]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    with host, host.stdout as said:
        pid = int(said.readline())
        assert Path(f"/proc/{pid}").exists()
        assert stale_scratch() == [], "a checkpoint in use counts as left behind"
        host.kill()
        host.wait()
    assert until(lambda: not Path(f"/proc/{pid}").exists()), "QEMU outlives its host"
    assert len(clear_stale_scratch()) == 1
    assert no_scratch_is_left()

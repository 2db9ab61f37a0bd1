"""Virtual machines: isolation, stopped time, faults and cleanup."""

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

from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.qemu import QemuConfig
from pptarena.envs.machines.qemu.machine import QemuMachine
from pptarena.envs.machines.snapshots.scratch import (
    clear_stale_scratch,
    scratch_home,
    stale_scratch,
)
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import HostError, MachineLostError, MachineStartError, MachineTimeoutError
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


def scratch_is_cleared() -> bool:
    """Wait for tests of other workers, whose scratch files are in the same folder."""
    return becomes_true(lambda: disk_bytes(scratch_home()) == 0, timeout_sec=200.0)


def becomes_true(condition: object, timeout_sec: float = 10.0) -> bool:
    deadline = time.monotonic() + timeout_sec
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


def test_machine_has_no_network_and_no_listening_socket(machine: QemuMachine) -> None:
    command = Path(f"/proc/{pid_of(machine)}/cmdline").read_text().split("\0")
    assert command[command.index("-nic") + 1] == "none"
    assert not any("net" in word and "virtio" in word for word in command)
    inodes = {os.readlink(link) for link in Path(f"/proc/{pid_of(machine)}/fd").iterdir()}
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            assert f"socket:[{line.split()[9]}]" not in inodes, f"QEMU has a {table} socket"


def test_time_stands_still_between_steps(machine: QemuMachine, deck: bytes) -> None:
    before = machine.load(deck, "garden.pptx")
    ticks = cpu_ticks(pid_of(machine))
    time.sleep(1.0)
    assert cpu_ticks(pid_of(machine)) - ticks <= 10, "the machine ran between steps"
    after = machine.perform(OBSERVE)
    assert cpu_ticks(pid_of(machine)) > ticks
    assert np.array_equal(after.screenshot, before.screenshot)


def test_realtime_machine_keeps_running(deck: bytes) -> None:
    with QemuMachine(QemuConfig(realtime=True)) as machine:
        machine.load(deck, "garden.pptx")
        ticks = cpu_ticks(pid_of(machine))
        assert becomes_true(lambda: cpu_ticks(pid_of(machine)) > ticks), "the machine stands still"
        with machine.checkpoint() as checkpoint:
            ticks = cpu_ticks(pid_of(machine))
            assert becomes_true(lambda: cpu_ticks(pid_of(machine)) > ticks), (
                "a checkpoint stopped it"
            )
            assert machine.restore(checkpoint).document.open


def test_save_of_an_untouched_deck_returns_the_baseline(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    ticks = cpu_ticks(pid_of(machine))
    first = machine.save()
    assert cpu_ticks(pid_of(machine)) == ticks, "the machine ran"
    machine.load(deck, "garden.pptx")
    assert machine.save() == first
    machine.perform(OBSERVE)
    assert machine.save()[:2] == b"PK", "the machine saved no deck"


def test_ten_resets_are_equal_and_leave_nothing_behind(machine: QemuMachine, deck: bytes) -> None:
    first = machine.load(deck, "garden.pptx")

    def footprint() -> tuple[int, int, int]:
        own_pid = os.getpid()
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return len(process_tree(own_pid)), descriptors, disk_bytes(cache_home() / "snapshots")

    before = footprint()
    for number in range(10):
        again = machine.load(deck, "garden.pptx")
        assert np.array_equal(again.screenshot, first.screenshot), f"pixels of reset {number}"
        assert again.tree == first.tree, f"tree of reset {number}"
        assert again.document == first.document
    assert footprint() == before
    assert scratch_is_cleared()


@pytest.mark.parametrize("moment", ["paused", "working"])
def test_killed_qemu_loses_the_machine(machine: QemuMachine, deck: bytes, moment: str) -> None:
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


def test_frozen_qemu_times_out(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    os.kill(pid_of(machine), signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError):
        machine.perform(OBSERVE)
    assert time.monotonic() - started < 200
    assert machine.load(deck, "garden.pptx").document.open


def test_frozen_guest_times_out(deck: bytes) -> None:
    with QemuMachine(QemuConfig(realtime=True)) as machine:
        machine.load(deck, "garden.pptx")
        machine.config = dataclasses.replace(machine.config, step_timeout_sec=6.0)
        machine._require_vm().pause()  # a paused processor sends no reply
        started = time.monotonic()
        with pytest.raises(MachineTimeoutError, match="no reply to perform within 6 s"):
            machine.perform(OBSERVE)
        assert time.monotonic() - started < 60
        with pytest.raises(MachineLostError, match="the link to the machine is broken"):
            machine.perform(OBSERVE)
        assert machine.load(deck, "garden.pptx").document.open


def test_closed_socket_loses_the_machine(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    connection = machine._require_vm().link._socket
    assert isinstance(connection, socket.socket)
    connection.shutdown(socket.SHUT_RDWR)
    with pytest.raises(MachineLostError):
        machine.perform(OBSERVE)
    assert machine.load(deck, "garden.pptx").document.open


def test_damaged_snapshot_is_recreated(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "damaged.pptx")
    with machine._snapshots.deck(deck, "damaged.pptx") as snapshot:
        devices = snapshot.folder / "devices"
        devices.write_bytes(b"\0" * devices.stat().st_size)
    with pytest.raises(MachineStartError):
        machine.load(deck, "damaged.pptx")
    assert machine.load(deck, "damaged.pptx").document.open


def test_episode_continues_without_space_for_a_checkpoint(deck: bytes) -> None:
    with QemuMachine(QemuConfig()) as machine:
        machine.load(deck, "garden.pptx")
        machine._snapshots.store._limit_bytes = 2**29
        with pytest.raises(HostError, match="pptarena image rm --snapshots"):
            machine.checkpoint()
        assert machine.perform(OBSERVE).document.open
    assert scratch_is_cleared()


def test_closing_a_checkpoint_removes_its_files(machine: QemuMachine, deck: bytes) -> None:
    machine.load(deck, "garden.pptx")
    checkpoint = machine.checkpoint()
    assert disk_bytes(scratch_home()) > 2**28
    twin = machine.fork(checkpoint)
    checkpoint.close()
    assert scratch_is_cleared()
    with twin:
        assert twin.perform(OBSERVE).document.open
        with twin.checkpoint() as nested, machine.fork(nested) as third:  # of a deleted file
            assert third.perform(OBSERVE).document.open


def test_killed_host_leaves_nothing_behind(deck: bytes, tmp_path: Path) -> None:
    (tmp_path / "deck.pptx").write_bytes(deck)
    script = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from pptarena.envs.machines.qemu import QemuConfig
        from pptarena.envs.machines.qemu.machine import QemuMachine
        machine = QemuMachine(QemuConfig())
        machine.load(Path(sys.argv[1]).read_bytes(), "garden.pptx")
        checkpoint = machine.checkpoint()
        print(machine.pid, flush=True)
        time.sleep(600)
        """
    )
    command = [sys.executable, "-c", script, str(tmp_path / "deck.pptx")]
    host = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    with host, host.stdout as output:
        pid = int(output.readline())
        assert Path(f"/proc/{pid}").exists()
        assert stale_scratch() == [], "a checkpoint in use counts as left behind"
        host.kill()
        host.wait()
    assert becomes_true(lambda: not Path(f"/proc/{pid}").exists()), "QEMU outlives its host"
    assert len(clear_stale_scratch()) == 1
    assert scratch_is_cleared()

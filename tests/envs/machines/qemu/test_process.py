"""Tiny virtual machines: booted, saved, resumed and killed."""

import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.envs.machines.qemu.conftest import COUNTER_AT, PATTERN, PATTERN_AT, Bare

from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.vm_state import VmState
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import MachineLostError, MachineStartError, MachineTimeoutError

pytestmark = pytest.mark.slow


MEBIBYTE = 2**20


def dump(machine: VirtualMachine, start: int, size: int, to: Path) -> bytes:
    """Return memory of a paused machine, as read by QEMU."""
    arguments = {"val": start, "size": size, "filename": str(to)}
    machine._control().execute("pmemsave", arguments)
    return to.read_bytes()


def read_counter(machine: VirtualMachine, to: Path) -> int:
    return int.from_bytes(dump(machine, COUNTER_AT, 4, to), "little")


def run_until_counting(machine: VirtualMachine, to: Path, above: int = 0) -> int:
    """Run the machine until its counter exceeds a number, pause it, and return the counter."""
    deadline = time.monotonic() + 20
    while True:
        machine.pause()
        count = read_counter(machine, to)
        if count > above:
            return count
        assert time.monotonic() < deadline, "the program in the machine does not run"
        machine.unpause()
        time.sleep(0.02)


def save_state(machine: VirtualMachine, folder: Path) -> VmState:
    folder.mkdir()
    machine.save_state(folder)
    return VmState(folder)


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("name", ["plain", "two words, ü", "link"])
def test_saved_machine_resumes_where_it_was(
    make_bare: Callable[[str], Bare], tmp_path: Path, name: str
) -> None:
    if name == "link":
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    bare, dump_file = make_bare(name), tmp_path / "dump"
    machine = bare.boot()
    count = run_until_counting(machine, dump_file)
    state = save_state(machine, bare.folder / "saved")
    memory = state.memory.read_bytes()
    assert memory[PATTERN_AT : PATTERN_AT + len(PATTERN)] == PATTERN
    # Without the graphics window and the ROM, which are not memory.
    assert dump(machine, 0, 0xA0000, dump_file) == memory[:0xA0000]
    above = machine._control().execute("query-memory-size-summary")["base-memory"] - MEBIBYTE
    assert dump(machine, MEBIBYTE, above, dump_file) == memory[MEBIBYTE:]
    assert disk_bytes(state.folder) < 8 * MEBIBYTE, "holes were filled"

    first, second = bare.resume(state), bare.resume(state)
    assert run_until_counting(first, dump_file, count) > count
    later = save_state(first, bare.folder / "later")  # the saved state of a resumed machine
    assert read_counter(machine, dump_file) == count, "the machine ran while paused"
    assert state.memory.read_bytes() == memory, "a machine wrote to the shared state"
    third = bare.resume(later)
    assert run_until_counting(third, dump_file, count) > count
    machine.unpause()
    assert run_until_counting(machine, dump_file, count) > count, "saving stopped the machine"
    assert second.alive()
    assert second.restore_sec > 0


def test_state_files_of_a_running_machine_may_be_deleted(bare: Bare, tmp_path: Path) -> None:
    machine = bare.boot()
    count = run_until_counting(machine, tmp_path / "dump")
    state = save_state(machine, tmp_path / "saved")
    fork = bare.resume(state)
    for file in (state.memory, state.devices):
        file.unlink()
    with pytest.raises(MachineStartError, match="the saved state cannot be opened"):
        bare.resume(state)
    later = save_state(fork, tmp_path / "later")
    assert run_until_counting(bare.resume(later), tmp_path / "dump", count - 1) >= count


def test_eight_threads_fork_concurrently(bare: Bare, tmp_path: Path) -> None:
    machine = bare.boot()
    count = run_until_counting(machine, tmp_path / "dump")
    state = save_state(machine, tmp_path / "saved")
    with ThreadPoolExecutor(8) as pool:
        forks = list(pool.map(lambda _: bare.resume(state), range(8)))
    assert len({fork.pid for fork in forks}) == 8
    for number, fork in enumerate(forks):
        assert run_until_counting(fork, tmp_path / f"dump-{number}", count) > count


def test_fifty_starts_leave_nothing_behind(bare: Bare, tmp_path: Path) -> None:
    machine = bare.boot()
    machine.pause()
    state = save_state(machine, tmp_path / "saved")
    bare.resume(state).stop()
    before = (open_descriptors(), threading.active_count())
    for number in range(50):
        fork = bare.resume(state)
        if number % 10 == 0:
            os.kill(fork.pid, signal.SIGKILL)
        fork.stop()
        fork.stop()
        assert not Path(f"/proc/{fork.pid}").exists()
    assert (open_descriptors(), threading.active_count()) == before


def test_failed_starts_leave_nothing_behind(bare: Bare, tmp_path: Path) -> None:
    bare.boot().stop()
    before = (open_descriptors(), threading.active_count())
    for _ in range(5):
        with pytest.raises(MachineStartError, match="'nonsense' is not a valid device model name"):
            bare.boot("-device", "nonsense")
    missing = replace(bare.hardware, disk=tmp_path / "no disk")
    bare.hardware = missing
    with pytest.raises(MachineStartError, match=r"standard error: .*no disk.*No such file"):
        bare.boot()
    bare.hardware = replace(missing, program=str(tmp_path / "no qemu"))
    with pytest.raises(MachineStartError, match=r"standard error: .*no qemu"):
        bare.boot()
    assert (open_descriptors(), threading.active_count()) == before


def test_exhausted_descriptors_are_a_start_error(bare: Bare) -> None:
    bare.boot().stop()
    before, limits = open_descriptors(), resource.getrlimit(resource.RLIMIT_NOFILE)
    outcomes = []
    try:
        for spare in range(1, 14):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + spare, limits[1]))
            try:
                bare.boot().stop()
            except MachineStartError as error:
                outcomes.append(str(error))
            else:
                outcomes.append("started")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert "Too many open files" in outcomes[0]
    assert outcomes[-1] == "started"
    assert open_descriptors() == before


@pytest.mark.parametrize("damage", ["cut", "zeros", "gone"])
def test_damaged_state_is_a_start_error(bare: Bare, tmp_path: Path, damage: str) -> None:
    machine = bare.boot()
    machine.pause()
    state = save_state(machine, tmp_path / "saved")
    data = state.devices.read_bytes()
    if damage == "gone":
        state.devices.unlink()
    else:
        state.devices.write_bytes(data[:1000] if damage == "cut" else bytes(len(data)))
    started = time.monotonic()
    with pytest.raises(MachineStartError, match="did not start"):
        bare.resume(state)
    assert time.monotonic() - started < 60


def test_silent_qemu_is_a_start_error(bare: Bare, tmp_path: Path) -> None:
    program = tmp_path / "qemu"
    program.write_text("#!/bin/sh\necho about to sleep >&2\nexec sleep 300\n")
    program.chmod(0o755)
    bare.hardware = replace(bare.hardware, program=str(program))
    started = time.monotonic()
    with pytest.raises(MachineStartError, match=r"did not greet .*standard error: about to sleep"):
        bare.boot(timeout_sec=0.5)
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("moment", ["running", "paused"])
def test_killed_qemu_is_lost(bare: Bare, tmp_path: Path, moment: str) -> None:
    machine = bare.boot()
    if moment == "paused":
        machine.pause()
    os.kill(machine.pid, signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(MachineLostError):
        machine.pause()
    with pytest.raises(MachineLostError):
        save_state(machine, tmp_path / "saved")
    with pytest.raises(MachineLostError):
        machine.link.request("look", {}, 300)
    assert time.monotonic() - started < 60
    machine.stop()
    assert not machine.alive()
    with pytest.raises(MachineLostError, match="stopped"):
        machine.unpause()


def test_qemu_killed_while_saving(bare: Bare, tmp_path: Path) -> None:
    """Whenever QEMU is killed, the state is complete or an error is raised, without a hang."""
    outcomes = set()
    for number in range(6):
        machine = bare.boot()
        machine.pause()
        killer = threading.Timer(number * 0.002, os.kill, (machine.pid, signal.SIGKILL))
        killer.start()
        try:
            state = save_state(machine, tmp_path / f"saved-{number}")
        except MachineLostError:
            outcomes.add("lost")
        else:
            assert bare.resume(state).alive()
            outcomes.add("saved")
        killer.join()
        machine.stop()
    assert "lost" in outcomes


def test_frozen_qemu_times_out(bare: Bare) -> None:
    machine = bare.boot()
    os.kill(machine.pid, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(MachineTimeoutError, match=r"QEMU did not stop within 0.5 s"):
        machine._control().execute("stop", timeout_sec=0.5)
    with pytest.raises(MachineTimeoutError, match=r"no reply to look within 0\.2 s"):
        machine.link.request("look", {}, 0.2)
    machine.stop()
    assert time.monotonic() - started < 60
    assert not Path(f"/proc/{machine.pid}").exists()

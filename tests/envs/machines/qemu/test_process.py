"""Virtual machines of a few bytes: they run, are kept, go on, and die as they should."""

import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.machines.qemu.kept import KeptState
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import MachineLostError, MachineStartError, MachineTimeoutError

pytestmark = pytest.mark.slow

COUNTER_AT, PATTERN_AT, PATTERN = 0x500, 0x1000, b"\xef\xbe" * 0x4000
MEBIBYTE = 2**20


def dump(machine: VirtualMachine, start: int, size: int, to: Path) -> bytes:
    """Return what a paused machine's memory holds, as QEMU itself tells it."""
    arguments = {"val": start, "size": size, "filename": str(to)}
    machine._control().execute("pmemsave", arguments)
    return to.read_bytes()


def counted(machine: VirtualMachine, to: Path) -> int:
    return int.from_bytes(dump(machine, COUNTER_AT, 4, to), "little")


def run_until_it_counts(machine: VirtualMachine, to: Path, above: int = 0) -> int:
    """Let it run until its counter is above a number; return the counter, paused."""
    deadline = time.monotonic() + 20
    while True:
        machine.pause()
        count = counted(machine, to)
        if count > above:
            return count
        assert time.monotonic() < deadline, "its program does not run"
        machine.go_on()
        time.sleep(0.02)


def keep(machine: VirtualMachine, folder: Path) -> KeptState:
    folder.mkdir()
    machine.keep(folder)
    return KeptState(folder)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("name", ["plain", "two words, ü", "link"])
def test_a_kept_machine_goes_on_where_it_was(
    make_bare: Callable[[str], Any], tmp_path: Path, name: str
) -> None:
    if name == "link":
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    bare, seen = make_bare(name), tmp_path / "seen"
    machine = bare.boot()
    count = run_until_it_counts(machine, seen)
    state = keep(machine, bare.folder / "kept")
    kept = state.memory.read_bytes()
    assert kept[PATTERN_AT : PATTERN_AT + len(PATTERN)] == PATTERN
    # Without the window of the graphics card and the ROM, which are no memory.
    assert dump(machine, 0, 0xA0000, seen) == kept[:0xA0000]
    above = machine._control().execute("query-memory-size-summary")["base-memory"] - MEBIBYTE
    assert dump(machine, MEBIBYTE, above, seen) == kept[MEBIBYTE:]
    assert disk_bytes(state.folder) < 8 * MEBIBYTE, "holes were filled"

    first, second = bare.resume(state), bare.resume(state)
    assert run_until_it_counts(first, seen, count) > count
    later = keep(first, bare.folder / "later")  # a kept state of a kept state
    assert counted(machine, seen) == count, "the machine itself stood still"
    assert state.memory.read_bytes() == kept, "a machine wrote into what others share"
    third = bare.resume(later)
    assert run_until_it_counts(third, seen, count) > count
    machine.go_on()
    assert run_until_it_counts(machine, seen, count) > count, "it goes on after it was kept"
    assert second.alive()
    assert second.restore_sec > 0


def test_the_files_of_a_running_machine_may_go(bare: Any, tmp_path: Path) -> None:
    machine = bare.boot()
    count = run_until_it_counts(machine, tmp_path / "seen")
    state = keep(machine, tmp_path / "kept")
    fork = bare.resume(state)
    for file in (state.memory, state.devices):
        file.unlink()
    with pytest.raises(MachineStartError, match="the kept state cannot be opened"):
        bare.resume(state)
    later = keep(fork, tmp_path / "later")
    assert run_until_it_counts(bare.resume(later), tmp_path / "seen", count - 1) >= count


def test_eight_threads_fork_at_once(bare: Any, tmp_path: Path) -> None:
    machine = bare.boot()
    count = run_until_it_counts(machine, tmp_path / "seen")
    state = keep(machine, tmp_path / "kept")
    with ThreadPoolExecutor(8) as pool:
        forks = list(pool.map(lambda _: bare.resume(state), range(8)))
    assert len({fork.pid for fork in forks}) == 8
    for number, fork in enumerate(forks):
        assert run_until_it_counts(fork, tmp_path / f"seen-{number}", count) > count


def test_fifty_starts_leave_nothing(bare: Any, tmp_path: Path) -> None:
    machine = bare.boot()
    machine.pause()
    state = keep(machine, tmp_path / "kept")
    bare.resume(state).stop()
    before = (descriptors(), threading.active_count())
    for number in range(50):
        fork = bare.resume(state)
        if number % 10 == 0:
            os.kill(fork.pid, signal.SIGKILL)
        fork.stop()
        fork.stop()
        assert not Path(f"/proc/{fork.pid}").exists()
    assert (descriptors(), threading.active_count()) == before


def test_failed_starts_leave_nothing(bare: Any, tmp_path: Path) -> None:
    bare.boot().stop()
    before = (descriptors(), threading.active_count())
    for _ in range(5):
        with pytest.raises(MachineStartError, match="'nonsense' is not a valid device model name"):
            bare.boot("-device", "nonsense")
    missing = replace(bare.hardware, disk=tmp_path / "no disk")
    bare.hardware = missing
    with pytest.raises(MachineStartError, match=r"it said: .*no disk.*No such file"):
        bare.boot()
    bare.hardware = replace(missing, program=str(tmp_path / "no qemu"))
    with pytest.raises(MachineStartError, match=r"it said: .*no qemu"):
        bare.boot()
    assert (descriptors(), threading.active_count()) == before


def test_without_descriptors_it_is_an_error_of_the_machine(bare: Any) -> None:
    bare.boot().stop()
    before, limits = descriptors(), resource.getrlimit(resource.RLIMIT_NOFILE)
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
    assert descriptors() == before


@pytest.mark.parametrize("damage", ["cut", "zeros", "gone"])
def test_a_damaged_state_is_an_error(bare: Any, tmp_path: Path, damage: str) -> None:
    machine = bare.boot()
    machine.pause()
    state = keep(machine, tmp_path / "kept")
    data = state.devices.read_bytes()
    if damage == "gone":
        state.devices.unlink()
    else:
        state.devices.write_bytes(data[:1000] if damage == "cut" else bytes(len(data)))
    started = time.monotonic()
    with pytest.raises(MachineStartError, match="did not start"):
        bare.resume(state)
    assert time.monotonic() - started < 60


def test_a_qemu_that_never_greets(bare: Any, tmp_path: Path) -> None:
    program = tmp_path / "qemu"
    program.write_text("#!/bin/sh\necho about to sleep >&2\nexec sleep 300\n")
    program.chmod(0o755)
    bare.hardware = replace(bare.hardware, program=str(program))
    started = time.monotonic()
    with pytest.raises(MachineStartError, match=r"did not greet .*it said: about to sleep"):
        bare.boot(timeout_sec=0.5)
    assert time.monotonic() - started < 60


@pytest.mark.parametrize("moment", ["running", "paused"])
def test_a_killed_qemu_is_lost(bare: Any, tmp_path: Path, moment: str) -> None:
    machine = bare.boot()
    if moment == "paused":
        machine.pause()
    os.kill(machine.pid, signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(MachineLostError):
        machine.pause()
    with pytest.raises(MachineLostError):
        keep(machine, tmp_path / "kept")
    with pytest.raises(MachineLostError):
        machine.link.request("look", {}, 300)
    assert time.monotonic() - started < 60
    machine.stop()
    assert not machine.alive()
    with pytest.raises(MachineLostError, match="stopped"):
        machine.go_on()


def test_one_killed_while_it_is_kept(bare: Any, tmp_path: Path) -> None:
    """Whenever it happens: the state is whole, or it is an error; it never hangs."""
    outcomes = set()
    for number in range(6):
        machine = bare.boot()
        machine.pause()
        killer = threading.Timer(number * 0.002, os.kill, (machine.pid, signal.SIGKILL))
        killer.start()
        try:
            state = keep(machine, tmp_path / f"kept-{number}")
        except MachineLostError:
            outcomes.add("lost")
        else:
            assert bare.resume(state).alive()
            outcomes.add("kept")
        killer.join()
        machine.stop()
    assert "lost" in outcomes


def test_a_frozen_qemu_is_noticed_in_time(bare: Any) -> None:
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

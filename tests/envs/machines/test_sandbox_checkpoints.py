"""Saved and restored sandboxes: equality with started ones, isolation, and failures of saving."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pptarena.envs.machines.base import MachineObservation
from pptarena.envs.machines.process_tree import process_tree
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine, criu, process, snapshots
from pptarena.envs.machines.sandbox.criu import (
    SavedState,
    checkpoint_problem,
    log_tail,
    separate_users,
)
from pptarena.envs.machines.sandbox.pipes import PipeEnds
from pptarena.envs.machines.sandbox.snapshots import SnapshotSupport, snapshot_support
from pptarena.envs.machines.snapshots.scratch import scratch_home
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import ConfigError, HostError, MachineLostError
from pptarena.vm_images import Image, find_image, require_image
from pptarena.vm_images.guest.protocol import Command

needs_image = pytest.mark.image
MEBIBYTE = 2**20


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder for snapshots of the shared image."""
    monkeypatch.setenv("PPTARENA_IMAGES", str(require_image().folder.parent))
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def fresh_support() -> Iterator[None]:
    """Forget what earlier tests learned about this computer."""
    snapshot_support.cache_clear()
    snapshots._DECKS_OPENED_ONCE.clear()
    yield
    snapshot_support.cache_clear()


@pytest.fixture
def supported() -> None:
    """Skip where sandboxes cannot be saved."""
    installed = find_image()
    reason = "no image" if installed is None else checkpoint_problem(installed.root)[0]
    if reason:
        pytest.skip(reason)


def equal(first: MachineObservation, second: MachineObservation) -> bool:
    return (
        np.array_equal(first.screenshot, second.screenshot)
        and first.tree == second.tree
        and first.window_titles == second.window_titles
        and first.clipboard == second.clipboard
        and first.document.slide == second.document.slide
    )


def process_table(machine: SandboxMachine) -> list[str]:
    """Return the processes inside: names, users, rights, limits, and mounts with their flags."""
    assert machine.pid is not None
    rows = []
    for pid in process_tree(criu.first_process(machine.pid)):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        names = "Name", "Uid", "Gid", "NSpid", "NoNewPrivs", "Seccomp", "CapEff", "CapPrm"
        columns = [fields[name] for name in names]
        columns[3] = columns[3].split()[-1]
        mounts = []
        for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines():
            target, _, kind = line.partition(" - ")
            mounts.append(" ".join((*target.split()[4:6], kind.split()[0])))
        columns += sorted(mounts)  # CRIU mounts siblings in another order
        columns.append(Path(f"/proc/{pid}/limits").read_text())
        rows.append(" ".join(columns))
    return sorted(rows)


COMMANDS = (
    Command("key", keys=("Tab",)),
    Command("key", keys=("F2",)),
    Command("type", text="Hello"),
    Command("copy_text", text="copied"),
    Command("key", keys=("Escape",)),
    Command("key", keys=("Control_L", "m")),
    Command("right_click", x=640, y=400),
    Command("wait", amount=2),
)


@needs_image
@pytest.mark.usefixtures("supported")
def test_restored_sandbox_equals_a_started_one(deck: bytes, home: Path) -> None:
    started = SandboxMachine(SandboxConfig(snapshots=False))
    restored = SandboxMachine()
    with started, restored:
        first = started.load(deck, "plan.pptx")
        for _ in range(2):  # opened in a restored desktop, and restored with the deck open
            assert equal(first, restored.load(deck, "plan.pptx"))
        assert started.restore_sec is None
        assert restored.restore_sec is not None
        assert process_table(started) == process_table(restored)
        for command in COMMANDS:
            assert equal(started.perform(command), restored.perform(command)), command


@needs_image
@pytest.mark.usefixtures("supported")
def test_forks_of_forks_are_equal_and_independent(deck: bytes) -> None:
    with SandboxMachine() as first:
        first.load(deck, "plan.pptx")
        first.perform(COMMANDS[0])
        with first.checkpoint() as checkpoint, first.fork(checkpoint) as second:
            second.perform(COMMANDS[1])
            first.perform(COMMANDS[1])
            with second.checkpoint() as later_checkpoint, second.fork(later_checkpoint) as third:
                for command in COMMANDS[2:]:
                    observations = [each.perform(command) for each in (first, second, third)]
                    assert equal(observations[0], observations[1])
                    assert equal(observations[0], observations[2])
                third.perform(Command("type", text="in one fork only"))
                assert equal(first.perform(Command("observe")), second.perform(Command("observe")))


@needs_image
@pytest.mark.usefixtures("supported")
def test_repeated_restores_leave_nothing_behind(deck: bytes, home: Path) -> None:
    def resources() -> tuple[int, int, int, int]:
        return (
            len(process_tree(os.getpid())),
            len(os.listdir("/proc/self/fd")),
            len(Path("/proc/self/mountinfo").read_text().splitlines()),
            sum(1 for _ in home.rglob("*")),
        )

    def play(times: int) -> None:
        with SandboxMachine() as machine:
            for _ in range(2):
                machine.load(deck, "plan.pptx")
            with machine.checkpoint() as checkpoint:
                for _ in range(times):
                    machine.restore(checkpoint)
                    machine.load(deck, "plan.pptx")

    play(1)
    before = resources()
    play(5)
    deadline = time.monotonic() + 20.0
    while resources() != before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert resources() == before
    assert disk_bytes(scratch_home()) == 0


@needs_image
@pytest.mark.usefixtures("supported")
def test_restored_sandbox_dies_with_its_host(deck: bytes, tmp_path: Path) -> None:
    (tmp_path / "deck.pptx").write_bytes(deck)
    program = (
        "import sys, time\n"
        "from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine\n"
        "machine = SandboxMachine()\n"
        f"machine.load(open({str(tmp_path / 'deck.pptx')!r}, 'rb').read(), 'plan.pptx')\n"
        "assert machine.restore_sec is not None\n"
        "print('up', flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        children = process_tree(parent.pid)[1:]
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20.0
    while any(Path(f"/proc/{pid}").exists() for pid in children):
        assert time.monotonic() < deadline, "a restored sandbox outlives its host"
        time.sleep(0.1)


@needs_image
@pytest.mark.usefixtures("supported")
def test_killed_restore_leaves_nothing_behind(deck: bytes) -> None:
    pids: set[int] = set()
    folders = set(Path("/tmp").glob(".criu*"))
    with SandboxMachine() as machine:
        machine.load(deck, "plan.pptx")
        with machine.checkpoint() as checkpoint:
            for delay_sec in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
                ours, theirs = PipeEnds.pairs()
                restoring = process._restore(require_image(), checkpoint.state(), theirs)
                time.sleep(delay_sec)
                pids.update(process_tree(restoring.pid)[1:])
                for clean_up in (restoring.kill, restoring.wait, ours.close, theirs.close):
                    clean_up()
                assert restoring.stderr is not None
                restoring.stderr.close()
    assert len(pids) > 10  # processes of a sandbox existed
    limit = time.monotonic() + 10
    while any(map(is_running, pids)) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not [pid for pid in pids if is_running(pid)]
    assert set(Path("/tmp").glob(".criu*")) <= folders


def is_running(pid: int) -> bool:
    """Return whether a process exists and has not exited."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@needs_image
@pytest.mark.usefixtures("supported")
def test_two_machines_create_a_snapshot_once(
    deck: bytes, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    machines = [SandboxMachine() for _ in range(2)]
    machines[0].load(deck, "a.pptx")
    threads = [threading.Thread(target=each.load, args=(deck, "a.pptx")) for each in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    observations = [machine.perform(Command("observe")) for machine in machines]
    for machine in machines:
        machine.close()
    assert equal(*observations)
    assert sum("creating the snapshot" in message for message in caplog.messages) == 1


@needs_image
@pytest.mark.usefixtures("supported")
@pytest.mark.parametrize("damage", ["cut", "scrambled", "opened"])
def test_damaged_snapshot_is_not_used(deck: bytes, home: Path, damage: str) -> None:
    with SandboxMachine() as machine:
        for _ in range(2):
            first = machine.load(deck, "plan.pptx")
        folder = next(f for f in (home / "snapshots").glob("*-*") if not f.name.endswith("desktop"))
        file = next(folder.glob("core-1.img"))
        if damage == "cut":
            os.truncate(file, 100)
        elif damage == "scrambled":
            file.write_bytes(os.urandom(file.stat().st_size))
        else:
            folder.chmod(0o777)
        assert equal(machine.load(deck, "plan.pptx"), first)
        if damage != "opened":  # it was created again
            assert equal(machine.load(deck, "plan.pptx"), first)
            assert machine.restore_sec is not None


@needs_image
@pytest.mark.usefixtures("supported")
def test_failed_checkpoint_leaves_the_machine_intact(
    deck: bytes, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SandboxMachine() as machine:
        before = machine.load(deck, "plan.pptx")
        small_disk = home / "scratch"
        small_disk.mkdir(exist_ok=True)
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(small_disk)], check=True
        )
        try:
            with pytest.raises(HostError, match="cannot be saved: no space left"):
                machine.checkpoint()
        finally:
            subprocess.run(["umount", "-l", str(small_disk)], check=True)
        assert equal(machine.perform(Command("observe")), before)
        with machine.checkpoint() as checkpoint:
            assert equal(machine.restore(checkpoint), machine.perform(Command("observe")))
        monkeypatch.setattr(criu, "_criu", lambda _: ["sh", "-c", "kill -9 $$"])
        with pytest.raises(MachineLostError, match="CRIU was killed by signal 9"):
            machine.checkpoint()
        monkeypatch.undo()
        assert equal(machine.load(deck, "plan.pptx"), before)


@needs_image
@pytest.mark.usefixtures("supported")
def test_full_disk_starts_a_new_sandbox(
    deck: bytes, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(home)], check=True)
    try:
        with SandboxMachine() as machine:
            assert machine.load(deck, "plan.pptx").document.open
            assert machine.restore_sec is None
        assert disk_bytes(home) < MEBIBYTE
    finally:
        subprocess.run(["umount", "-l", str(home)], check=True)
    assert "starting a new sandbox instead" in caplog.text


@needs_image
def test_missing_checkpoint_support_is_explained(
    deck: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(snapshots, "checkpoint_problem", lambda _: ("saving requires root", ""))
    for _ in range(2):
        with SandboxMachine() as machine:
            assert not machine.can_checkpoint
            with pytest.raises(ConfigError, match="saving requires root; or use machine='qemu'"):
                machine.checkpoint()
            assert machine.load(deck, "plan.pptx").document.open
    assert sum("every episode starts a new sandbox" in each for each in caplog.messages) == 1


def test_requirements_of_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert checkpoint_problem(tmp_path) == (
        "saving the processes of a sandbox requires root",
        "run pptarena as root",
    )
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(criu, "has_all_users", lambda: False)
    assert not separate_users()
    assert "root of a user namespace" in checkpoint_problem(tmp_path)[0]
    monkeypatch.setattr(criu, "has_all_users", lambda: True)
    assert all(checkpoint_problem(tmp_path))  # no CRIU in the image, or no capability on this host
    monkeypatch.setattr(criu, "_CAPABILITIES", {"SYS_ADMIN": 21, "OF_THE_FUTURE": 63})
    reason, fix = checkpoint_problem(tmp_path)
    assert "OF_THE_FUTURE" in reason
    assert "--cap-add OF_THE_FUTURE --security-opt" in fix
    monkeypatch.setattr(os, "uname", lambda: type("Names", (), {"release": "5.4.0-42-generic"})())
    assert not separate_users()
    assert "older than Linux 5.8" in checkpoint_problem(tmp_path)[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_runs_no_file_of_another_user(tmp_path: Path) -> None:
    program = tmp_path / "usr/sbin/criu"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "usr/lib/x86_64-linux-gnu").mkdir(parents=True)
    assert checkpoint_problem(tmp_path) == ("", "")
    program.parent.chmod(0o777)
    assert checkpoint_problem(tmp_path)[1] == "build an image as root"
    program.parent.chmod(0o755)
    os.chown(program, 1000, 1000)
    assert checkpoint_problem(tmp_path)[1] == "build an image as root"


def test_two_failures_are_tolerated(caplog: pytest.LogCaptureFixture) -> None:
    support = SnapshotSupport("")
    for _ in range(2):
        support.record_failure(HostError("full"))
        assert not support.reason
    support.record_failure(HostError("full"))
    assert support.reason == "full"
    assert caplog.text.count("instead of restoring one: full") == 3


def test_log_tail_of_criu(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert log_tail(log) == ""
    log.write_text(
        "Error (criu/util.c:1): rlimit: Can't setup RLIMIT_NOFILE for self: no\n"
        "Warn  (criu/x.c:2): nothing\n"
        "(00.1) Error (criu/page-xfer.c:3): no space\n"
    )
    assert log_tail(log) == "(criu/page-xfer.c:3): no space"


def test_restore_command_inherits_pipes_and_mounts(tmp_path: Path) -> None:
    state = SavedState(tmp_path, (5, 7))
    fake_image = Image(tmp_path, "0" * 12, 0, {}, "")
    command = criu.restore_command(fake_image, state, {"/dev/null": "/x"}, (3, 4))
    assert "--inherit-fd=fd[3]:pipe:[5]" in command
    assert "--inherit-fd=fd[4]:pipe:[7]" in command
    assert "--external=mnt[/dev/null]:/x" in command

"""Saved and restored sandboxes: equal to started ones, isolated, and faults of saving."""

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

from pptarena.envs.machines.base import Observed
from pptarena.envs.machines.memory import process_tree
from pptarena.envs.machines.sandbox import SandboxConfig, SandboxMachine, criu, process, snapshots
from pptarena.envs.machines.sandbox.criu import SavedState, log_tail, separate_users, why_not
from pptarena.envs.machines.sandbox.pipes import PipeEnds
from pptarena.envs.machines.sandbox.snapshots import Support, support
from pptarena.envs.machines.snapshots.scratch import scratch_home
from pptarena.envs.machines.snapshots.store import disk_bytes
from pptarena.errors import ConfigError, HostError, MachineLostError
from pptarena.vm_images import Image, find_image, require_image
from pptarena.vm_images.guest.protocol import Command

image = pytest.mark.image
MEBIBYTE = 2**20


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Snapshots of this test alone, of the shared image."""
    monkeypatch.setenv("PPTARENA_IMAGES", str(require_image().folder.parent))
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def unknown() -> Iterator[None]:
    """What a test learns about this computer does not reach the next."""
    support.cache_clear()
    snapshots._OPENED.clear()
    yield
    support.cache_clear()


@pytest.fixture
def supported() -> None:
    """Skip where sandboxes cannot be saved."""
    found = find_image()
    reason = "no image" if found is None else why_not(found.root)[0]
    if reason:
        pytest.skip(reason)


def equal(first: Observed, second: Observed) -> bool:
    return (
        np.array_equal(first.screenshot, second.screenshot)
        and first.tree == second.tree
        and first.window_titles == second.window_titles
        and first.clipboard == second.clipboard
        and first.document.slide == second.document.slide
    )


def programs(machine: SandboxMachine) -> list[str]:
    """Return the processes inside: names, users, rights, limits, and mounts with their flags."""
    assert machine.pid is not None
    found = []
    for pid in process_tree(criu.first_process(machine.pid)):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        fields = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        names = "Name", "Uid", "Gid", "NSpid", "NoNewPrivs", "Seccomp", "CapEff", "CapPrm"
        kept = [fields[name] for name in names]
        kept[3] = kept[3].split()[-1]
        mounts = []
        for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines():
            place, _, kind = line.partition(" - ")
            mounts.append(" ".join((*place.split()[4:6], kind.split()[0])))
        kept += sorted(mounts)  # CRIU mounts siblings in another order
        kept.append(Path(f"/proc/{pid}/limits").read_text())
        found.append(" ".join(kept))
    return sorted(found)


PLAYED = (
    Command("key", keys=("Tab",)),
    Command("key", keys=("F2",)),
    Command("type", text="Hello"),
    Command("copy_text", text="copied"),
    Command("key", keys=("Escape",)),
    Command("key", keys=("Control_L", "m")),
    Command("right_click", x=640, y=400),
    Command("wait", amount=2),
)


@image
@pytest.mark.usefixtures("supported")
def test_a_restored_one_equals_a_started_one(deck: bytes, home: Path) -> None:
    started = SandboxMachine(SandboxConfig(snapshots=False))
    restored = SandboxMachine()
    with started, restored:
        first = started.load(deck, "plan.pptx")
        for _ in range(2):  # opened in a restored desktop, and restored with the deck open
            assert equal(first, restored.load(deck, "plan.pptx"))
        assert started.restore_sec is None
        assert restored.restore_sec is not None
        assert programs(started) == programs(restored)
        for command in PLAYED:
            assert equal(started.perform(command), restored.perform(command)), command


@image
@pytest.mark.usefixtures("supported")
def test_forks_of_forks_play_alike_and_alone(deck: bytes) -> None:
    with SandboxMachine() as first:
        first.load(deck, "plan.pptx")
        first.perform(PLAYED[0])
        with first.checkpoint() as kept, first.fork(kept) as second:
            second.perform(PLAYED[1])
            first.perform(PLAYED[1])
            with second.checkpoint() as later, second.fork(later) as third:
                for command in PLAYED[2:]:
                    seen = [each.perform(command) for each in (first, second, third)]
                    assert equal(seen[0], seen[1])
                    assert equal(seen[0], seen[2])
                third.perform(Command("type", text="of one alone"))
                assert equal(first.perform(Command("observe")), second.perform(Command("observe")))


@image
@pytest.mark.usefixtures("supported")
def test_nothing_is_left_of_many_restores(deck: bytes, home: Path) -> None:
    def held() -> tuple[int, int, int, int]:
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
            with machine.checkpoint() as kept:
                for _ in range(times):
                    machine.restore(kept)
                    machine.load(deck, "plan.pptx")

    play(1)
    before = held()
    play(5)
    deadline = time.monotonic() + 20.0
    while held() != before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert held() == before
    assert disk_bytes(scratch_home()) == 0


@image
@pytest.mark.usefixtures("supported")
def test_a_restored_one_dies_with_its_host(deck: bytes, tmp_path: Path) -> None:
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


@image
@pytest.mark.usefixtures("supported")
def test_a_restore_that_is_killed_leaves_nothing(deck: bytes) -> None:
    found: set[int] = set()
    folders = set(Path("/tmp").glob(".criu*"))
    with SandboxMachine() as machine:
        machine.load(deck, "plan.pptx")
        with machine.checkpoint() as kept:
            for delay_sec in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3):
                ours, theirs = PipeEnds.pairs()
                restoring = process._restore(require_image(), kept.state(), theirs)
                time.sleep(delay_sec)
                found.update(process_tree(restoring.pid)[1:])
                for each in (restoring.kill, restoring.wait, ours.close, theirs.close):
                    each()
                assert restoring.stderr is not None
                restoring.stderr.close()
    assert len(found) > 10  # processes of a sandbox were there
    limit = time.monotonic() + 10
    while any(map(runs, found)) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not [pid for pid in found if runs(pid)]
    assert set(Path("/tmp").glob(".criu*")) <= folders


def runs(pid: int) -> bool:
    """Return whether a process exists that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@image
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
    seen = [machine.perform(Command("observe")) for machine in machines]
    for machine in machines:
        machine.close()
    assert equal(*seen)
    assert sum("creating the snapshot" in message for message in caplog.messages) == 1


@image
@pytest.mark.usefixtures("supported")
@pytest.mark.parametrize("harm", ["cut", "scrambled", "opened"])
def test_a_damaged_snapshot_is_not_used(deck: bytes, home: Path, harm: str) -> None:
    with SandboxMachine() as machine:
        for _ in range(2):
            first = machine.load(deck, "plan.pptx")
        folder = next(f for f in (home / "snapshots").glob("*-*") if not f.name.endswith("desktop"))
        file = next(folder.glob("core-1.img"))
        if harm == "cut":
            os.truncate(file, 100)
        elif harm == "scrambled":
            file.write_bytes(os.urandom(file.stat().st_size))
        else:
            folder.chmod(0o777)
        assert equal(machine.load(deck, "plan.pptx"), first)
        if harm != "opened":  # it was created again
            assert equal(machine.load(deck, "plan.pptx"), first)
            assert machine.restore_sec is not None


@image
@pytest.mark.usefixtures("supported")
def test_saving_that_fails_harms_nothing(
    deck: bytes, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SandboxMachine() as machine:
        before = machine.load(deck, "plan.pptx")
        small = home / "scratch"
        small.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=60m", "tmpfs", str(small)], check=True)
        try:
            with pytest.raises(HostError, match="cannot be saved: no space left"):
                machine.checkpoint()
        finally:
            subprocess.run(["umount", "-l", str(small)], check=True)
        assert equal(machine.perform(Command("observe")), before)
        with machine.checkpoint() as kept:
            assert equal(machine.restore(kept), machine.perform(Command("observe")))
        monkeypatch.setattr(criu, "_criu", lambda _: ["sh", "-c", "kill -9 $$"])
        with pytest.raises(MachineLostError, match="CRIU was killed by signal 9"):
            machine.checkpoint()
        monkeypatch.undo()
        assert equal(machine.load(deck, "plan.pptx"), before)


@image
@pytest.mark.usefixtures("supported")
def test_a_full_disk_is_a_fresh_start(
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


@image
def test_where_it_cannot_be_saved_the_reason_is_given(
    deck: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(snapshots, "why_not", lambda _: ("saving requires root", ""))
    for _ in range(2):
        with SandboxMachine() as machine:
            assert not machine.can_checkpoint
            with pytest.raises(ConfigError, match="saving requires root; or use machine='qemu'"):
                machine.checkpoint()
            assert machine.load(deck, "plan.pptx").document.open
    assert sum("every episode starts a new sandbox" in each for each in caplog.messages) == 1


def test_conditions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert why_not(tmp_path) == (
        "saving the processes of a sandbox requires root",
        "run pptarena as root",
    )
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(criu, "has_all_users", lambda: False)
    assert not separate_users()
    assert "root of a user namespace" in why_not(tmp_path)[0]
    monkeypatch.setattr(criu, "has_all_users", lambda: True)
    assert all(why_not(tmp_path))  # no CRIU there, or no capability here
    monkeypatch.setattr(criu, "_CAPABILITIES", {"SYS_ADMIN": 21, "OF_THE_FUTURE": 63})
    reason, fix = why_not(tmp_path)
    assert "OF_THE_FUTURE" in reason
    assert "--cap-add OF_THE_FUTURE --security-opt" in fix
    monkeypatch.setattr(os, "uname", lambda: type("Names", (), {"release": "5.4.0-42-generic"})())
    assert not separate_users()
    assert "older than Linux 5.8" in why_not(tmp_path)[0]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_runs_no_file_of_another_user(tmp_path: Path) -> None:
    program = tmp_path / "usr/sbin/criu"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "usr/lib/x86_64-linux-gnu").mkdir(parents=True)
    assert why_not(tmp_path) == ("", "")
    program.parent.chmod(0o777)
    assert why_not(tmp_path)[1] == "build an image as root"
    program.parent.chmod(0o755)
    os.chown(program, 1000, 1000)
    assert why_not(tmp_path)[1] == "build an image as root"


def test_a_few_failures_are_forgiven(caplog: pytest.LogCaptureFixture) -> None:
    found = Support("")
    for _ in range(2):
        found.failed(HostError("full"))
        assert not found.reason
    found.failed(HostError("full"))
    assert found.reason == "full"
    assert caplog.text.count("instead of restoring one: full") == 3


def test_the_log_of_criu(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert log_tail(log) == ""
    log.write_text(
        "Error (criu/util.c:1): rlimit: Can't setup RLIMIT_NOFILE for self: no\n"
        "Warn  (criu/x.c:2): nothing\n"
        "(00.1) Error (criu/page-xfer.c:3): no space\n"
    )
    assert log_tail(log) == "(criu/page-xfer.c:3): no space"


def test_a_state_is_two_pipes_and_a_folder(tmp_path: Path) -> None:
    state = SavedState(tmp_path, (5, 7))
    found = Image(tmp_path, "0" * 12, 0, {}, "")
    command = criu.restore_command(found, state, {"/dev/null": "/x"}, (3, 4))
    assert "--inherit-fd=fd[3]:pipe:[5]" in command
    assert "--inherit-fd=fd[4]:pipe:[7]" in command
    assert "--external=mnt[/dev/null]:/x" in command

"""Snapshots on disk: created once, complete or absent, removed when unused."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs.machines.snapshots.scratch import Scratch, scratch_home
from pptarena.envs.machines.snapshots.store import SnapshotStore, disk_bytes
from pptarena.errors import DeckError, HostError, MachineTimeoutError

MEBIBYTE = 2**20
LIMIT = 100 * MEBIBYTE


def build(folder: Path) -> dict[str, Any]:
    (folder / "memory").write_bytes(b"m" * MEBIBYTE)
    (folder / "devices").write_bytes(b"devices")
    return {"application": "4.2"}


def fail_to_build(folder: Path) -> dict[str, Any]:
    raise AssertionError(f"created again in {folder}")


def create(store: SnapshotStore, name: str) -> None:
    with store.use(name, build, MEBIBYTE, 5) as snapshot:
        assert (snapshot.folder / "memory").exists()


@pytest.fixture
def store() -> SnapshotStore:
    return SnapshotStore(LIMIT)


def entries(store: SnapshotStore) -> list[str]:
    return sorted(entry.name for entry in store.folder.iterdir() if entry.name != ".locks")


def test_snapshot_is_created_once_and_complete(store: SnapshotStore) -> None:
    with store.use("a", build, MEBIBYTE, 5) as first:
        assert first.facts == {"application": "4.2"}
        assert (first.folder / "memory").read_bytes() == b"m" * MEBIBYTE
        assert first.disk_bytes >= MEBIBYTE
    with SnapshotStore(LIMIT).use("a", fail_to_build, MEBIBYTE, 5) as second:
        assert second == first
    assert entries(store) == ["a"]
    assert [snapshot.name for snapshot in store.all()] == ["a"]


def test_snapshot_may_be_built_from_another(store: SnapshotStore) -> None:
    def build_on_desktop(folder: Path) -> dict[str, Any]:
        with store.use("desktop", build, MEBIBYTE, 5) as desktop:
            return {**desktop.facts, **build(folder)}

    with store.use("deck", build_on_desktop, MEBIBYTE, 5) as deck:
        assert deck.facts == {"application": "4.2"}
    assert entries(store) == ["deck", "desktop"]


def test_failed_build_leaves_nothing_behind(store: SnapshotStore) -> None:
    def fail(folder: Path) -> dict[str, Any]:
        (folder / "memory").write_bytes(b"m")
        raise DeckError("no deck")

    with pytest.raises(DeckError), store.use("a", fail, MEBIBYTE, 5):
        pass
    assert entries(store) == []
    create(store, "a")
    assert store.remove("a")


@pytest.mark.parametrize("damage", ["facts", "not facts", "cut", "gone", "no facts", "a file"])
def test_damaged_snapshot_is_recreated(
    store: SnapshotStore, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    create(store, "a")
    folder = store.folder / "a"
    if damage == "facts":
        (folder / "facts.json").write_bytes(b"{\xff")
    elif damage == "not facts":
        (folder / "facts.json").write_text('{"facts": 3}')
    elif damage == "cut":
        os.truncate(folder / "memory", 100)
    elif damage == "gone":
        (folder / "devices").unlink()
    elif damage == "no facts":
        (folder / "facts.json").unlink()
    else:
        shutil.rmtree(folder)
        folder.write_text("what is this?")
    assert [snapshot.facts for snapshot in store.all()] == [{}]
    if damage == "a file":
        with pytest.raises(HostError, match="cannot write to"):
            create(store, "a")
        return
    create(store, "a")
    assert "is recreated" in caplog.text
    assert entries(store) == ["a"]
    assert (store.folder / "a/memory").stat().st_size == MEBIBYTE
    assert store.all()[0].facts == {"application": "4.2"}


def test_least_recently_used_snapshot_is_removed_first(store: SnapshotStore) -> None:
    for age, name in enumerate(("new", "used", "old", "oldest")):
        create(store, name)
        os.utime(store.folder / name, (1000 - age, 1000 - age))
    store._limit_bytes = disk_bytes(store.folder) + MEBIBYTE // 2
    with SnapshotStore(LIMIT).use("oldest", fail_to_build, MEBIBYTE, 5):
        os.utime(store.folder / "oldest", (1, 1))
        create(store, "fresh")
        assert entries(store) == ["fresh", "new", "oldest", "used"]
    with store.use("used", fail_to_build, MEBIBYTE, 5):
        pass  # updates its time of last use
    os.utime(store.folder / "oldest", (1, 1))
    create(store, "fresher")
    create(store, "freshest")
    assert entries(store) == ["fresh", "fresher", "freshest", "used"]


def test_reached_limit_is_reported(store: SnapshotStore) -> None:
    create(store, "a")
    tight = SnapshotStore(disk_bytes(store.folder) + MEBIBYTE // 2)
    with (
        store.use("a", fail_to_build, MEBIBYTE, 5),
        pytest.raises(HostError, match=r"raise snapshot_limit_bytes, .*pptarena image rm"),
        tight.use("b", build, MEBIBYTE, 5),
    ):
        pass
    impossible = SnapshotStore(MEBIBYTE)
    with pytest.raises(HostError, match="snapshot_limit_bytes"):
        impossible.ensure_space(2 * MEBIBYTE)
    assert entries(store) == ["a"], "a snapshot was removed in vain"


def test_checkpoints_count_toward_the_limit(store: SnapshotStore) -> None:
    scratch = Scratch()
    (scratch.folder / "memory").write_bytes(b"m" * 3 * MEBIBYTE)
    tight = SnapshotStore(3 * MEBIBYTE)
    with pytest.raises(HostError):
        tight.ensure_space(MEBIBYTE)
    scratch.release()
    tight.ensure_space(MEBIBYTE)


@pytest.mark.slow
def test_concurrent_threads_build_once(store: SnapshotStore) -> None:
    builds = []
    together = threading.Barrier(8, timeout=60)  # breaks if the threads wait for each other

    def build_slowly(folder: Path) -> dict[str, Any]:
        builds.append(folder)
        time.sleep(0.3)
        return build(folder)

    def use_snapshot(_: int) -> str:
        with SnapshotStore(LIMIT).use("a", build_slowly, MEBIBYTE, 60) as snapshot:
            together.wait()
            return snapshot.name

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use_snapshot, range(8))) == ["a"] * 8
    assert len(builds) == 1


def test_waiting_for_a_build_times_out(store: SnapshotStore) -> None:
    started, finish = threading.Event(), threading.Event()

    def build_until_told(folder: Path) -> dict[str, Any]:
        started.set()
        finish.wait(30)
        return build(folder)

    def run_build() -> None:
        with store.use("a", build_until_told, MEBIBYTE, 5):
            pass

    thread = threading.Thread(target=run_build)
    thread.start()
    started.wait(10)
    waiting = SnapshotStore(LIMIT)
    with (
        pytest.raises(MachineTimeoutError, match=r"did not finish the snapshot a within 0\.2 s"),
        waiting.use("a", fail_to_build, MEBIBYTE, 0.2),
    ):
        pass
    assert not waiting.remove("a")
    assert waiting.clear_interrupted() == []
    finish.set()
    thread.join()
    create(waiting, "a")


MAKER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from pptarena.envs.machines.snapshots.store import SnapshotStore
    def build(folder):
        with open(sys.argv[1], "a") as log:
            log.write("built\\n")
        (folder / "memory").write_bytes(b"m" * 2**20)
        print("building", flush=True)
        time.sleep(float(sys.argv[2]))
        return {}
    with SnapshotStore(2**30).use("a", build, 2**20, 30) as snapshot:
        print("has", snapshot.name, flush=True)
    """
)


def start_maker(log: Path, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", MAKER, str(log), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_concurrent_processes_build_once(tmp_path: Path) -> None:
    processes = [start_maker(tmp_path / "log", 0.7) for _ in range(3)]
    outputs = [process.communicate(timeout=30)[0] for process in processes]
    assert sorted(outputs) == ["building\nhas a\n", "has a\n", "has a\n"]
    assert (tmp_path / "log").read_text() == "built\n"


@pytest.mark.slow
def test_build_of_a_killed_process_is_repeated(tmp_path: Path, store: SnapshotStore) -> None:
    first = start_maker(tmp_path / "log", 60)
    assert first.stdout is not None
    with first, first.stdout as output:
        assert output.readline() == "building\n"
        second = start_maker(tmp_path / "log", 0)
        unfinished = [name for name in entries(store) if name.startswith(".building-a-")]
        assert len(unfinished) == 1
        time.sleep(0.5)
        assert second.poll() is None, "the second process does not wait"
        first.send_signal(signal.SIGKILL)
    assert second.communicate(timeout=30)[0] == "building\nhas a\n"
    assert entries(store) == ["a"], "the unfinished build remains"


def test_empty_store_and_its_first_snapshot(store: SnapshotStore) -> None:
    assert store.folders() == []
    assert store.all() == []
    assert store.clear_interrupted() == []
    assert disk_bytes(scratch_home()) == 0
    assert not store.has("a")
    create(store, "a")
    assert store.has("a")

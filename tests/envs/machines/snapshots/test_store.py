"""Snapshots on disk: made once, complete or absent, removed when unused."""

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


def refuse(folder: Path) -> dict[str, Any]:
    raise AssertionError(f"made again in {folder}")


def make(store: SnapshotStore, name: str) -> None:
    with store.use(name, build, MEBIBYTE, 5) as snapshot:
        assert (snapshot.folder / "memory").exists()


@pytest.fixture
def store() -> SnapshotStore:
    return SnapshotStore(LIMIT)


def entries(store: SnapshotStore) -> list[str]:
    return sorted(entry.name for entry in store.folder.iterdir() if entry.name != ".locks")


def test_one_is_made_once_and_whole(store: SnapshotStore) -> None:
    with store.use("a", build, MEBIBYTE, 5) as first:
        assert first.facts == {"application": "4.2"}
        assert (first.folder / "memory").read_bytes() == b"m" * MEBIBYTE
        assert first.disk_bytes >= MEBIBYTE
    with SnapshotStore(LIMIT).use("a", refuse, MEBIBYTE, 5) as second:
        assert second == first
    assert entries(store) == ["a"]
    assert [snapshot.name for snapshot in store.all()] == ["a"]


def test_one_may_be_made_from_another(store: SnapshotStore) -> None:
    def grow(folder: Path) -> dict[str, Any]:
        with store.use("desktop", build, MEBIBYTE, 5) as desktop:
            return {**desktop.facts, **build(folder)}

    with store.use("deck", grow, MEBIBYTE, 5) as deck:
        assert deck.facts == {"application": "4.2"}
    assert entries(store) == ["deck", "desktop"]


def test_a_build_that_fails_leaves_nothing(store: SnapshotStore) -> None:
    def fail(folder: Path) -> dict[str, Any]:
        (folder / "memory").write_bytes(b"m")
        raise DeckError("no deck")

    with pytest.raises(DeckError), store.use("a", fail, MEBIBYTE, 5):
        pass
    assert entries(store) == []
    make(store, "a")
    assert store.remove("a")


@pytest.mark.parametrize("damage", ["facts", "not facts", "cut", "gone", "no facts", "a file"])
def test_a_damaged_one_is_made_again(
    store: SnapshotStore, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    make(store, "a")
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
            make(store, "a")
        return
    make(store, "a")
    assert "made again" in caplog.text
    assert entries(store) == ["a"]
    assert (store.folder / "a/memory").stat().st_size == MEBIBYTE
    assert store.all()[0].facts == {"application": "4.2"}


def test_the_oldest_use_goes_first_and_never_what_is_in_use(store: SnapshotStore) -> None:
    for age, name in enumerate(("new", "used", "old", "oldest")):
        make(store, name)
        os.utime(store.folder / name, (1000 - age, 1000 - age))
    store._limit_bytes = disk_bytes(store.folder) + MEBIBYTE // 2
    with SnapshotStore(LIMIT).use("oldest", refuse, MEBIBYTE, 5):
        os.utime(store.folder / "oldest", (1, 1))
        make(store, "fresh")
        assert entries(store) == ["fresh", "new", "oldest", "used"]
    with store.use("used", refuse, MEBIBYTE, 5):
        pass  # its use makes it younger
    os.utime(store.folder / "oldest", (1, 1))
    make(store, "fresher")
    make(store, "freshest")
    assert entries(store) == ["fresh", "fresher", "freshest", "used"]


def test_a_bound_that_is_reached_is_said(store: SnapshotStore) -> None:
    make(store, "a")
    tight = SnapshotStore(disk_bytes(store.folder) + MEBIBYTE // 2)
    with (
        store.use("a", refuse, MEBIBYTE, 5),
        pytest.raises(HostError, match=r"raise snapshot_limit_bytes, .*pptarena image rm"),
        tight.use("b", build, MEBIBYTE, 5),
    ):
        pass
    impossible = SnapshotStore(MEBIBYTE)
    with pytest.raises(HostError, match="snapshot_limit_bytes"):
        impossible.make_room(2 * MEBIBYTE)
    assert entries(store) == ["a"], "it was removed though that could not help"


def test_checkpoints_count(store: SnapshotStore) -> None:
    scratch = Scratch()
    (scratch.folder / "memory").write_bytes(b"m" * 3 * MEBIBYTE)
    tight = SnapshotStore(3 * MEBIBYTE)
    with pytest.raises(HostError):
        tight.make_room(MEBIBYTE)
    scratch.release()
    tight.make_room(MEBIBYTE)


@pytest.mark.slow
def test_many_threads_want_the_same(store: SnapshotStore) -> None:
    made = []
    together = threading.Barrier(8, timeout=60)  # breaks if they wait for one another

    def slow(folder: Path) -> dict[str, Any]:
        made.append(folder)
        time.sleep(0.3)
        return build(folder)

    def want(_: int) -> str:
        with SnapshotStore(LIMIT).use("a", slow, MEBIBYTE, 60) as snapshot:
            together.wait()
            return snapshot.name

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(want, range(8))) == ["a"] * 8
    assert len(made) == 1


def test_who_waits_too_long_is_told(store: SnapshotStore) -> None:
    begun, over = threading.Event(), threading.Event()

    def endless(folder: Path) -> dict[str, Any]:
        begun.set()
        over.wait(30)
        return build(folder)

    def make_it() -> None:
        with store.use("a", endless, MEBIBYTE, 5):
            pass

    thread = threading.Thread(target=make_it)
    thread.start()
    begun.wait(10)
    waiting = SnapshotStore(LIMIT)
    with (
        pytest.raises(MachineTimeoutError, match=r"did not finish the snapshot a within 0\.2 s"),
        waiting.use("a", refuse, MEBIBYTE, 0.2),
    ):
        pass
    assert not waiting.remove("a")
    assert waiting.clear_interrupted() == []
    over.set()
    thread.join()
    make(waiting, "a")


MAKER = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from pptarena.envs.machines.snapshots.store import SnapshotStore
    def build(folder):
        with open(sys.argv[1], "a") as log:
            log.write("made\\n")
        (folder / "memory").write_bytes(b"m" * 2**20)
        print("building", flush=True)
        time.sleep(float(sys.argv[2]))
        return {}
    with SnapshotStore(2**30).use("a", build, 2**20, 30) as snapshot:
        print("has", snapshot.name, flush=True)
    """
)


def maker(log: Path, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", MAKER, str(log), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_make_it_once(tmp_path: Path) -> None:
    makers = [maker(tmp_path / "log", 0.7) for _ in range(3)]
    said = [process.communicate(timeout=30)[0] for process in makers]
    assert sorted(said) == ["building\nhas a\n", "has a\n", "has a\n"]
    assert (tmp_path / "log").read_text() == "made\n"


@pytest.mark.slow
def test_a_killed_maker_is_followed_by_another(tmp_path: Path, store: SnapshotStore) -> None:
    first = maker(tmp_path / "log", 60)
    assert first.stdout is not None
    with first, first.stdout as said:
        assert said.readline() == "building\n"
        second = maker(tmp_path / "log", 0)
        left = [name for name in entries(store) if name.startswith(".building-a-")]
        assert len(left) == 1
        time.sleep(0.5)
        assert second.poll() is None, "it does not wait"
        first.send_signal(signal.SIGKILL)
    assert second.communicate(timeout=30)[0] == "building\nhas a\n"
    assert entries(store) == ["a"], "what the killed one left is still there"


def test_whether_one_exists(store: SnapshotStore) -> None:
    assert not store.has("a")
    make(store, "a")
    assert store.has("a")


def test_nothing_is_there_yet(store: SnapshotStore) -> None:
    assert store.folders() == []
    assert store.all() == []
    assert store.clear_interrupted() == []
    assert disk_bytes(scratch_home()) == 0

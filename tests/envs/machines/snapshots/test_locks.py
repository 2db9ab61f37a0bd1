"""Locks between processes."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pptarena.envs.machines.snapshots.locks import FileLock

pytestmark = pytest.mark.slow

HOLD = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from pptarena.envs.machines.snapshots.locks import FileLock
    lock = FileLock.acquire(Path(sys.argv[1]), shared=sys.argv[2] == "shared")
    print("held" if lock else "busy", flush=True)
    time.sleep(float(sys.argv[3]))
    """
)


def hold(path: Path, mode: str, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(path), mode, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    with process:
        process.kill()


def test_shared_and_exclusive_locks(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/lock"
    first = FileLock.acquire(path, shared=True)
    second = FileLock.acquire(path, shared=True)
    assert first is not None
    assert second is not None
    assert FileLock.acquire(path, shared=False) is None
    first.release()
    assert FileLock.acquire(path, shared=False) is None
    second.release()
    second.release()
    owner = FileLock.acquire(path, shared=False)
    assert owner is not None
    assert FileLock.acquire(path, shared=True) is None
    owner.release()


def test_acquire_waits_for_wait_sec(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "alone", 300)
    started = time.monotonic()
    assert FileLock.acquire(path, shared=True, wait_sec=0.3) is None
    assert 0.25 < time.monotonic() - started < 60
    end(other)


def test_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "alone", 60)
    other.kill()
    lock = FileLock.acquire(path, shared=False, wait_sec=5)
    end(other)
    assert lock is not None
    lock.release()


def test_waiting_acquire_succeeds_after_the_release(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "shared", 0.3)
    lock = FileLock.acquire(path, shared=False, wait_sec=30)
    assert lock is not None
    lock.release()
    end(other)


def test_forked_process_neither_holds_nor_releases_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    script = textwrap.dedent(
        """
        import os, sys, time
        from pathlib import Path
        from pptarena.envs.machines.snapshots.locks import FileLock
        path = Path(sys.argv[1])
        ours = FileLock.acquire(path, shared=False)
        child = os.fork()
        if child == 0:
            ours.release()          # has no effect on the parent's lock
            time.sleep(60)          # it still has the descriptor of `other`
            os._exit(0)
        time.sleep(0.2)
        print(FileLock.acquire(path, shared=False) is None)
        other = FileLock.acquire(path.with_name("other"), shared=False)
        second = os.fork()
        if second == 0:
            time.sleep(60)
            os._exit(0)
        other.release()
        print(FileLock.acquire(path.with_name("other"), shared=False) is not None)
        os.kill(child, 9), os.kill(second, 9)
        """
    )
    command = [sys.executable, "-c", script, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert result.stdout.split() == ["True", "True"]


def test_no_descriptor_leaks(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        owner = FileLock.acquire(tmp_path / "lock", shared=False)
        assert owner is not None
        assert FileLock.acquire(tmp_path / "lock", shared=False) is None
        owner.release()
    assert len(os.listdir("/proc/self/fd")) == before

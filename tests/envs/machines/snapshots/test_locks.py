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
    lock = FileLock.take(Path(sys.argv[1]), shared=sys.argv[2] == "shared")
    print("held" if lock else "busy", flush=True)
    time.sleep(float(sys.argv[3]))
    """
)


def hold(path: Path, how: str, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(path), how, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: "subprocess.Popen[str]") -> None:
    with process:
        process.kill()


def test_many_may_share_and_one_may_own(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/lock"
    first = FileLock.take(path, shared=True)
    second = FileLock.take(path, shared=True)
    assert first is not None
    assert second is not None
    assert FileLock.take(path, shared=False) is None
    first.release()
    assert FileLock.take(path, shared=False) is None
    second.release()
    second.release()
    owner = FileLock.take(path, shared=False)
    assert owner is not None
    assert FileLock.take(path, shared=True) is None
    owner.release()


def test_it_waits_as_long_as_it_was_told(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "alone", 300)
    started = time.monotonic()
    assert FileLock.take(path, shared=True, wait_sec=0.3) is None
    assert 0.25 < time.monotonic() - started < 60
    end(other)


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "alone", 60)
    other.kill()
    lock = FileLock.take(path, shared=False, wait_sec=5)
    end(other)
    assert lock is not None
    lock.release()


def test_one_that_is_waited_for_is_taken_when_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    other = hold(path, "shared", 0.3)
    lock = FileLock.take(path, shared=False, wait_sec=30)
    assert lock is not None
    lock.release()
    end(other)


def test_a_forked_process_neither_keeps_nor_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    script = textwrap.dedent(
        """
        import os, sys, time
        from pathlib import Path
        from pptarena.envs.machines.snapshots.locks import FileLock
        path = Path(sys.argv[1])
        ours = FileLock.take(path, shared=False)
        child = os.fork()
        if child == 0:
            ours.release()          # not its own
            time.sleep(60)          # and it still has the descriptor of `kept`
            os._exit(0)
        time.sleep(0.2)
        print(FileLock.take(path, shared=False) is None)
        kept = FileLock.take(path.with_name("other"), shared=False)
        second = os.fork()
        if second == 0:
            time.sleep(60)
            os._exit(0)
        kept.release()
        print(FileLock.take(path.with_name("other"), shared=False) is not None)
        os.kill(child, 9), os.kill(second, 9)
        """
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.split() == ["True", "True"]


def test_no_descriptor_is_left(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        owner = FileLock.take(tmp_path / "lock", shared=False)
        assert owner is not None
        assert FileLock.take(tmp_path / "lock", shared=False) is None
        owner.release()
    assert len(os.listdir("/proc/self/fd")) == before

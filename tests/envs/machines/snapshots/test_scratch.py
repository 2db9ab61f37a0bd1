"""Scratch folders, and their cleanup after a crash."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pptarena.envs.machines.snapshots.scratch import (
    Scratch,
    clear_stale_scratch,
    scratch_home,
    stale_scratch,
)
from pptarena.errors import HostError

CRASH = """
import os, signal
from pptarena.envs.machines.snapshots.scratch import Scratch
scratch = Scratch()
(scratch.folder / "memory").write_bytes(bytes(100))
print(scratch.folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_scratch_is_private_and_removed() -> None:
    scratch = Scratch()
    assert stat.S_IMODE(scratch.folder.stat().st_mode) == 0o700
    assert scratch.folder.parent == scratch_home()
    (scratch.folder / "memory").write_bytes(b"x")
    assert stale_scratch() == []
    scratch.release()
    scratch.release()
    assert list(scratch_home().iterdir()) == []


@pytest.mark.slow
def test_scratch_of_a_killed_process_is_cleared() -> None:
    own = Scratch()
    result = subprocess.run([sys.executable, "-c", CRASH], capture_output=True, text=True)
    stale = Path(result.stdout.strip())
    assert (stale / "memory").exists()
    assert stale_scratch() == [stale]
    assert clear_stale_scratch() == [stale]
    assert list(scratch_home().iterdir()) == [own.folder]
    own.release()


def test_new_scratch_is_never_cleared() -> None:
    """A folder is created before its lock, and must not be taken for stale in between."""
    stop, failures = threading.Event(), []

    def clear() -> None:
        while not stop.is_set():
            failures.extend(clear_stale_scratch())

    thread = threading.Thread(target=clear)
    thread.start()
    try:
        folders = [Scratch() for _ in range(100)]
    finally:
        stop.set()
        thread.join()
    assert failures == []
    assert all(scratch.folder.is_dir() for scratch in folders)
    for scratch in folders:
        scratch.release()
    assert list(scratch_home().iterdir()) == []


def test_unfinished_scratch_is_cleared_when_old() -> None:
    scratch_home().mkdir(parents=True)
    new = scratch_home() / ".new-abcd1234"
    new.mkdir()
    assert stale_scratch() == []
    os.utime(new, (0, 0))
    assert clear_stale_scratch() == [new]


def test_home_that_is_a_file_is_reported(home: Path) -> None:
    home.write_text("a file")
    with pytest.raises(HostError, match="set PPTARENA_HOME to another disk"):
        Scratch()
    assert stale_scratch() == []


def test_relative_home_is_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PPTARENA_HOME", "here")
    scratch = Scratch()
    assert scratch.folder.is_absolute()
    scratch.release()

"""Private folders, and what a crash leaves of them."""

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


def test_only_its_owner_can_enter_it_and_it_goes() -> None:
    scratch = Scratch()
    assert stat.S_IMODE(scratch.folder.stat().st_mode) == 0o700
    assert scratch.folder.parent == scratch_home()
    (scratch.folder / "memory").write_bytes(b"x")
    assert stale_scratch() == []
    scratch.release()
    scratch.release()
    assert list(scratch_home().iterdir()) == []


@pytest.mark.slow
def test_what_a_killed_process_left_is_found_and_cleared() -> None:
    mine = Scratch()
    done = subprocess.run([sys.executable, "-c", CRASH], capture_output=True, text=True)
    left = Path(done.stdout.strip())
    assert (left / "memory").exists()
    assert stale_scratch() == [left]
    assert clear_stale_scratch() == [left]
    assert list(scratch_home().iterdir()) == [mine.folder]
    mine.release()


def test_nothing_is_cleared_while_it_is_made() -> None:
    """A folder has its name before its lock: no process may take it for stale in between."""
    stop, failures = threading.Event(), []

    def clear() -> None:
        while not stop.is_set():
            failures.extend(clear_stale_scratch())

    thread = threading.Thread(target=clear)
    thread.start()
    try:
        kept = [Scratch() for _ in range(100)]
    finally:
        stop.set()
        thread.join()
    assert failures == []
    assert all(scratch.folder.is_dir() for scratch in kept)
    for scratch in kept:
        scratch.release()
    assert list(scratch_home().iterdir()) == []


def test_one_that_was_never_finished_is_cleared_in_time() -> None:
    scratch_home().mkdir(parents=True)
    new = scratch_home() / ".new-abcd1234"
    new.mkdir()
    assert stale_scratch() == []
    os.utime(new, (0, 0))
    assert clear_stale_scratch() == [new]


def test_a_home_that_is_no_folder(home: Path) -> None:
    home.write_text("a file")
    with pytest.raises(HostError, match="set PPTARENA_HOME to another disk"):
        Scratch()
    assert stale_scratch() == []


def test_the_home_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PPTARENA_HOME", "here")
    scratch = Scratch()
    assert scratch.folder.is_absolute()
    scratch.release()

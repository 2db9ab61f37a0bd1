"""The program that has a virtual machine: killed, forked, or ended without a word."""

import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

HOST = textwrap.dedent(
    """
    import importlib.util, os, signal, sys, time
    from pathlib import Path
    spec = importlib.util.spec_from_file_location("bare", sys.argv[1])
    bare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bare)
    machines = bare.Bare(sys.argv[2], Path(sys.argv[3]))
    machine = machines.boot()
    """
)


def host(bare: Any, folder: Path, more: str, stderr: int | None = None) -> "subprocess.Popen[str]":
    """Run a program of its own that has a machine."""
    here = Path(__file__).with_name("conftest.py")
    arguments = (str(here), bare.hardware.program, str(folder))
    script = HOST + textwrap.dedent(more)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)


def test_it_dies_with_a_killed_host(bare: Any, tmp_path: Path) -> None:
    script = """
    machine.pause()
    print(machine.pid, flush=True)
    time.sleep(60)
    """
    process = host(bare, tmp_path / "theirs", script)
    assert process.stdout is not None
    with process, process.stdout as said:
        pid = int(said.readline())
        assert Path(f"/proc/{pid}/comm").read_text().startswith("qemu")
        process.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "QEMU outlives its host"
        time.sleep(0.02)


def test_a_forked_process_has_machines_of_its_own(bare: Any, tmp_path: Path) -> None:
    script = """
    child = os.fork()
    if child == 0:
        signal.alarm(30)                # a hang ends here
        machine.stop()                  # what is not its own it cannot kill
        mine = machines.boot()
        mine.pause()
        mine.stop()
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), machine.alive())
    machine.pause()
    machine.stop()
    print("done")
    """
    process = host(bare, tmp_path / "theirs", script)
    said, _ = process.communicate(timeout=60)
    assert said.split() == ["7", "True", "done"]


def test_one_that_nobody_stopped_makes_no_noise_at_the_end(bare: Any, tmp_path: Path) -> None:
    process = host(bare, tmp_path / "theirs", "machines.stack.pop_all()", stderr=subprocess.PIPE)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0

"""The program that owns a virtual machine: killed, forked, or exited without cleanup."""

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


def start_host(
    bare: Any, folder: Path, commands: str, stderr: int | None = None
) -> "subprocess.Popen[str]":
    """Start a program that boots a machine and runs these commands."""
    bare_module = Path(__file__).with_name("conftest.py")
    arguments = (str(bare_module), bare.hardware.program, str(folder))
    script = HOST + textwrap.dedent(commands)
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)


def test_machine_dies_with_its_host(bare: Any, tmp_path: Path) -> None:
    script = """
    machine.pause()
    print(machine.pid, flush=True)
    time.sleep(60)
    """
    process = start_host(bare, tmp_path / "theirs", script)
    assert process.stdout is not None
    with process, process.stdout as output:
        pid = int(output.readline())
        assert Path(f"/proc/{pid}/comm").read_text().startswith("qemu")
        process.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "QEMU outlives its host"
        time.sleep(0.02)


def test_forked_process_owns_only_its_machines(bare: Any, tmp_path: Path) -> None:
    script = """
    child = os.fork()
    if child == 0:
        signal.alarm(30)                # a hang ends here
        machine.stop()                  # has no effect on the parent's machine
        own = machines.boot()
        own.pause()
        own.stop()
        os._exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), machine.alive())
    machine.pause()
    machine.stop()
    print("done")
    """
    process = start_host(bare, tmp_path / "theirs", script)
    output, _ = process.communicate(timeout=60)
    assert output.split() == ["7", "True", "done"]


def test_unstopped_machine_exits_silently(bare: Any, tmp_path: Path) -> None:
    process = start_host(
        bare, tmp_path / "theirs", "machines.stack.pop_all()", stderr=subprocess.PIPE
    )
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0

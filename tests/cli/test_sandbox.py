"""The command line on the real application."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pptarena.tasks import list_tasks

pytestmark = pytest.mark.image
TASK = list_tasks("starter")[0].id
SANDBOX = ("--machine", "sandbox")
CODE = "from pptarena.cli import main; main()"


def children(pid: int) -> set[int]:
    """Return the processes below a process."""
    processes: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it ended meanwhile
            continue
        if parent == pid:
            processes |= {int(folder.name)} | children(int(folder.name))
    return processes


def run(tmp_path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", CODE, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_bench_prints_only_json_and_never_fails(tmp_path: Path) -> None:
    done = run(tmp_path, "bench", *SANDBOX, "--steps", "6", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["machine"], figures["steps"]) == ("sandbox", 6)
    assert figures["memory_mb"] > 100
    assert figures["infra_errors"] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_run_leaves_no_process(tmp_path: Path, number: int) -> None:
    arguments = ("run", *SANDBOX, "--agent", "random", "--task", TASK, "--out", "out")
    process: subprocess.Popen[bytes] = subprocess.Popen(
        [sys.executable, "-c", CODE, *arguments, "--repeats", "50"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        while not list(tmp_path.rglob("step_002.png")):
            assert process.poll() is None
            time.sleep(0.1)
        below = children(process.pid)
        assert below
        os.kill(process.pid, number)
        process.wait(60)
    deadline = time.monotonic() + 10
    while alive := {pid for pid in below if Path(f"/proc/{pid}").exists()}:
        assert time.monotonic() < deadline, alive
        time.sleep(0.1)

"""CPU time of process trees."""

import os
import subprocess
import sys
import time

import pytest

from pptarena.envs.machines.process_tree import ProcessTreeCpu, tree_cpu_sec

pytestmark = pytest.mark.slow

_WORK = "import time, sys; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"


def test_time_of_exited_processes_still_counts() -> None:
    cpu = ProcessTreeCpu(os.getpid())
    start_sec = cpu.sec()
    code = _WORK + "print(flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        used_sec = cpu.sec()
        assert used_sec >= start_sec + 0.3
        worker.kill()
    assert cpu.sec() >= used_sec


def test_tree_time_includes_children() -> None:
    start_sec = tree_cpu_sec(os.getpid())
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    subprocess.run([sys.executable, "-c", _WORK], check=True)
    assert tree_cpu_sec(os.getpid()) - start_sec >= 0.45

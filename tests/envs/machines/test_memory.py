"""CPU time of process trees."""

import os
import subprocess
import sys
import time

import pytest

from pptarena.envs.machines.memory import TreeCpu, tree_cpu_sec

pytestmark = pytest.mark.slow

_WORK = "import time, sys; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"


def test_what_ended_processes_had_used_still_counts() -> None:
    cpu = TreeCpu(os.getpid())
    first = cpu.sec()
    code = _WORK + "print(flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        used = cpu.sec()
        assert used >= first + 0.3
        worker.kill()
    assert cpu.sec() >= used


def test_time_of_a_tree_is_that_of_its_processes() -> None:
    begin = tree_cpu_sec(os.getpid())
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    subprocess.run([sys.executable, "-c", _WORK], check=True)
    assert tree_cpu_sec(os.getpid()) - begin >= 0.45

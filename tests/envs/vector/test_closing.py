"""Closing and interrupting, in the middle of things."""

import gc
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from pptarena.envs.actions import wait

pytestmark = pytest.mark.slow

REST = [wait(0), wait(0)]

SCRIPT = """
import os, sys, gymnasium as gym, pptarena
from pptarena.envs.actions import wait
from gymnasium import Wrapper

class Mine(Wrapper):
    def pid(self):
        return os.getpid()

envs = gym.make_vec("PPTArena-v0", num_envs=2, machine="fake", env_wrappers=[Mine])
envs.reset(seed=0)
print(*envs.call("pid"), flush=True)
envs.step([wait(0), wait(0)])
sys.stdin.read()
"""


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for_exit(processes: list[int]) -> None:
    limit = time.monotonic() + 60
    while any(map(is_running, processes)):
        assert time.monotonic() < limit, "a process is left"
        time.sleep(0.05)


def test_closing_during_a_step(farm: Any) -> None:
    envs = farm.vector(2)
    envs.reset(seed=1)
    process = farm.arm(envs, 1, "hang")
    closer = threading.Timer(1.0, envs.close)
    closer.start()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(REST)
    closer.join()
    wait_for_exit([process])
    for call in (envs.reset, envs.render, lambda: envs.call("last"), lambda: envs.step(REST)):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_closing_leaves_nothing(farm: Any, tmp_path: Path, monkeypatch: Any) -> None:
    farm.vector(1).close()  # Python's fork server stays
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    envs = farm.vector(2)
    envs.reset(seed=0)
    processes = [farm.arm(envs, number, "killed", "") for number in (0, 1)]
    envs.step(REST)
    envs.close()
    envs.close()
    wait_for_exit(processes)
    gc.collect()
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) <= files
    assert not list((tmp_path / "tmp").iterdir())


def test_one_that_is_forgotten_is_closed(farm: Any) -> None:
    envs = farm.vector(2)
    envs.reset(seed=0)
    processes = [farm.arm(envs, number) for number in (0, 1)]
    farm.made.clear()
    del envs
    gc.collect()
    wait_for_exit(processes)


def test_after_an_interrupted_step_reset_and_close_work(farm: Any, interrupt: Any) -> None:
    envs = farm.vector(2)
    envs.reset(seed=1)
    process = farm.arm(envs, 1, "hang")
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        envs.step(REST)
    with pytest.raises(ResetNeeded):
        envs.step(REST)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]
    envs.step(REST)
    wait_for_exit([process])


@pytest.mark.parametrize("how", ["exit", "kill"])
def test_a_script_needs_no_main_guard_and_its_exit_ends_all(tmp_path: Path, how: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    environ = {**os.environ, "PPTARENA_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, tmp_path / "script.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    ) as script:
        assert script.stdout is not None
        processes = [int(word) for word in script.stdout.readline().split()]
        assert len(processes) == 2, script.stderr and script.stderr.read()
        if how == "kill":
            script.kill()
        _, errors = script.communicate()
    assert errors == b""
    wait_for_exit(processes)

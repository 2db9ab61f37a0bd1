"""Closing and interrupting vector environments during steps."""

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

WAITS = [wait(0), wait(0)]

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
        assert time.monotonic() < limit, "a process still runs"
        time.sleep(0.05)


def test_close_during_a_step(factory: Any) -> None:
    envs = factory.vector(2)
    envs.reset(seed=1)
    process = factory.arm(envs, 1, "hang")
    closer = threading.Timer(1.0, envs.close)
    closer.start()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(WAITS)
    closer.join()
    wait_for_exit([process])
    for call in (envs.reset, envs.render, lambda: envs.call("last"), lambda: envs.step(WAITS)):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_close_leaves_nothing_behind(factory: Any, tmp_path: Path, monkeypatch: Any) -> None:
    factory.vector(1).close()  # Python's fork server stays
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    envs = factory.vector(2)
    envs.reset(seed=0)
    processes = [factory.arm(envs, number, "killed", "") for number in (0, 1)]
    envs.step(WAITS)
    envs.close()
    envs.close()
    wait_for_exit(processes)
    gc.collect()
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) <= files
    assert not list((tmp_path / "tmp").iterdir())


def test_unreferenced_vector_is_closed(factory: Any) -> None:
    envs = factory.vector(2)
    envs.reset(seed=0)
    processes = [factory.arm(envs, number) for number in (0, 1)]
    factory.vectors.clear()
    del envs
    gc.collect()
    wait_for_exit(processes)


def test_reset_works_after_an_interrupted_step(factory: Any, interrupt: Any) -> None:
    envs = factory.vector(2)
    envs.reset(seed=1)
    process = factory.arm(envs, 1, "hang")
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        envs.step(WAITS)
    with pytest.raises(ResetNeeded):
        envs.step(WAITS)
    assert envs.reset(seed=1)[1]["infra_error"].tolist() == [None, None]
    envs.step(WAITS)
    wait_for_exit([process])


@pytest.mark.parametrize("ending", ["exit", "kill"])
def test_script_needs_no_main_guard_and_its_exit_ends_all_processes(
    tmp_path: Path, ending: str
) -> None:
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
        if ending == "kill":
            script.kill()
        _, errors = script.communicate()
    assert errors == b""
    wait_for_exit(processes)

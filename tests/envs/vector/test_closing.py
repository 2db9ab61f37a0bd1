"""Closing and interrupting, in the middle of things."""

import gc
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

from pptarena.envs.actions import done, wait
from pptarena.envs.vector import PPTArenaVectorEnv

pytestmark = pytest.mark.slow

SMALL: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240}
REST = [wait(0), wait(0)]
HANG_SEC = 300.0


def test_closing_during_a_step(farm: Any) -> None:
    envs = farm.vector(2, step_deadline_sec=HANG_SEC)
    envs.reset(seed=1)
    farm.machines[1].working.clear()
    farm.machines[1].perform_sec = HANG_SEC

    def close() -> None:
        farm.machines[1].working.wait(10)
        envs.close()

    closer = threading.Thread(target=close)
    closer.start()
    before = time.monotonic()
    with pytest.raises(ClosedEnvironmentError):
        envs.step(REST)
    assert time.monotonic() - before < 60
    closer.join(10)
    assert not closer.is_alive()
    assert all(machine.ended for machine in farm.machines)
    with pytest.raises(ClosedEnvironmentError):
        envs.step(REST)


def test_closing_in_a_signal_handler_during_a_step(farm: Any, interrupt: Any) -> None:
    envs = farm.vector(2, step_deadline_sec=HANG_SEC)
    envs.reset(seed=1)
    farm.machines[1].perform_sec = HANG_SEC
    former = signal.signal(signal.SIGINT, lambda *_: envs.close())
    try:
        interrupt(0.3)
        before = time.monotonic()
        with pytest.raises(ClosedEnvironmentError):
            envs.step(REST)
        assert time.monotonic() - before < 60
    finally:
        signal.signal(signal.SIGINT, former)
    assert all(machine.ended for machine in farm.machines)


def test_closing_while_machines_come_up(farm: Any) -> None:
    farm.prepare = lambda n, m: setattr(m, "load_sec", HANG_SEC)
    envs = farm.vector(2)
    closer = threading.Timer(0.3, envs.close)
    closer.start()
    with pytest.raises(ClosedEnvironmentError):
        envs.reset(seed=1)
    closer.join(10)
    assert not closer.is_alive()
    assert all(machine.ended for machine in farm.machines)


def test_an_interrupted_step(farm: Any, interrupt: Any) -> None:
    envs = farm.vector(2, step_deadline_sec=20)
    envs.reset(seed=1)
    farm.machines[0].perform_sec = 1.0
    interrupt(0.3)
    with pytest.raises(KeyboardInterrupt):
        envs.step(REST)
    with pytest.raises(ResetNeeded):
        envs.step(REST)
    farm.machines[0].perform_sec = 0.0
    _, infos = envs.reset(seed=1)
    assert infos["infra_error"].tolist() == [None, None]
    assert infos["task_id"].tolist() == envs.reset(seed=1)[1]["task_id"].tolist()
    envs.step(REST)
    envs.close()


def test_an_interrupted_step_then_close(farm: Any, interrupt: Any) -> None:
    envs = farm.vector(2, step_deadline_sec=HANG_SEC)
    envs.reset(seed=1)
    farm.machines[0].perform_sec = HANG_SEC
    interrupt(0.3)
    with pytest.raises(KeyboardInterrupt):
        envs.step(REST)
    before = time.monotonic()
    envs.close()
    envs.close()
    assert time.monotonic() - before < 60


def test_closing_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    envs = PPTArenaVectorEnv(3, **SMALL)
    envs.reset(seed=0)
    envs.step([done(), wait(0), wait(0)])
    envs.close()
    envs.close()
    assert envs.closed
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == files
    for call in (envs.reset, envs.render, lambda: envs.call("last"), lambda: envs.step(REST)):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_one_that_is_forgotten_is_closed() -> None:
    envs = PPTArenaVectorEnv(2, **SMALL)
    envs.reset(seed=0)
    machines = [env.machine for env in envs.envs]  # type: ignore[attr-defined]
    del envs
    gc.collect()
    for thread in threading.enumerate():
        if "pptarena-vector" in thread.name:
            thread.join(5)
    assert all(machine._closed for machine in machines)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_closing_while_machines_start_logs_no_warning(mode: str, caplog: Any) -> None:
    for _ in range(3):
        envs = PPTArenaVectorEnv(3, autoreset_mode=mode, max_steps=1, look="never", **SMALL)
        envs.reset(seed=0)
        envs.step([wait(0)] * 3)
        envs.close()
    assert [record.getMessage() for record in caplog.records] == []

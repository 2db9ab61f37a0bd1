"""A wrapper that fails on command, and fixtures for vector environments in processes."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import gymnasium as gym
import pytest

from pptarena.envs.ppt_arena import base_env
from pptarena.envs.vector import PPTArenaVectorEnv

SMALL: dict[str, Any] = {"machine": "fake", "width_px": 320, "height_px": 240, "judge": None}
HANG_SEC = 300.0


class FaultyWrapper(gym.Wrapper[Any, Any, Any, Any]):
    """Injects the faults set by `arm` into the next steps or resets."""

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        self.armed: list[str] = []

    def arm(self, *faults: str) -> int:
        self.armed = list(faults)
        return os.getpid()

    def step(self, action: Any) -> Any:
        match self.armed.pop(0) if self.armed else "":
            case "hang":
                time.sleep(HANG_SEC)
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "stopped":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "exits":
                os._exit(0)
            case "raises":
                raise ValueError("a bug in a wrapper")
            case "machine lost":
                base_env(self).machine.fail_next("lost")  # type: ignore[attr-defined]
        return self.env.step(action)

    def reset(self, **arguments: Any) -> Any:
        match self.armed.pop(0) if self.armed else "":
            case "slow":
                time.sleep(1.5)
            case "hang":
                time.sleep(HANG_SEC)
            case "no start":
                base_env(self).machine.fail_next("start", on="load")  # type: ignore[attr-defined]
        return self.env.reset(**arguments)


# The processes cannot import the tests.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class VectorFactory:
    """Makes vector environments with `FaultyWrapper`."""

    def __init__(self) -> None:
        self.vectors: list[PPTArenaVectorEnv] = []

    def vector(self, count: int, mode: str = "NextStep", **arguments: Any) -> PPTArenaVectorEnv:
        settings = {"autoreset_mode": mode, "env_wrappers": [FaultyWrapper], **SMALL, **arguments}
        self.vectors.append(PPTArenaVectorEnv(count, **settings))
        return self.vectors[-1]

    def arm(self, envs: PPTArenaVectorEnv, number: int, *faults: str) -> int:
        """Inject faults into a sub-environment and return the id of its process."""
        link: Any = envs.parent_pipes[number]
        link.send(("_call", ("arm", faults, {})))
        process, succeeded = link.recv()
        assert succeeded
        return int(process)


@pytest.fixture
def factory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[VectorFactory]:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    factory = VectorFactory()
    yield factory
    for vector in factory.vectors:
        vector.close()


@pytest.fixture
def interrupt() -> Iterator[Callable[[], None]]:
    """Press Ctrl+C after one second."""
    import threading

    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(1.0, signal.pthread_kill, (main, signal.SIGINT))
    # Shells make background processes ignore SIGINT, and the tests would hang.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield timer.start
    timer.join()
    signal.signal(signal.SIGINT, before)

"""Fake machines that can be told to be slow, to hang and to fail; what the tests compare with."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pptarena.envs import PPTArenaEnv, ppt_arena
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import MachineConfig
from pptarena.envs.machines.base import Files, Observed
from pptarena.envs.machines.fake import FakeMachine
from pptarena.envs.vector import Deadlines, ParallelVectorEnv
from pptarena.errors import DeckError
from pptarena.vm_images.guest.protocol import Command

SIZE: dict[str, Any] = {"width_px": 320, "height_px": 240}


class SlowMachine(FakeMachine):
    """A fake machine that takes its time, or never answers; closing it ends its sleep."""

    def __init__(self, load_sec: float = 0.0, perform_sec: float = 0.0) -> None:
        super().__init__(MachineConfig(**SIZE))
        self.load_sec = load_sec
        self.perform_sec = perform_sec
        self.refuses = False
        self.working = threading.Event()
        self._ended = threading.Event()

    @property
    def ended(self) -> bool:
        return self._ended.is_set()

    def _load_impl(self, deck: bytes, name: str, files: Files) -> Observed:
        self.working.set()
        self._ended.wait(self.load_sec)
        if self.refuses:
            raise DeckError("this machine opens no deck")
        return super()._load_impl(deck, name, files)

    def _perform_impl(self, command: Command) -> Observed:
        self.working.set()
        self._ended.wait(self.perform_sec)
        return super()._perform_impl(command)

    def _close_impl(self) -> None:
        self._ended.set()
        super()._close_impl()


class Farm:
    """Makes vector environments of slow machines, and keeps every machine it made."""

    def __init__(self, prepare: Callable[[int, SlowMachine], None] = lambda n, m: None) -> None:
        self.machines: list[SlowMachine] = []
        self.prepare = prepare
        self.options: dict[str, Any] = {"max_steps": 1000, "judge": None}
        self.vectors: list[ParallelVectorEnv] = []

    def env(self) -> PPTArenaEnv:
        machine = SlowMachine()
        self.prepare(len(self.machines), machine)
        self.machines.append(machine)
        return PPTArenaEnv(machine=machine, **SIZE, **self.options)

    def vector(self, count: int, mode: str = "NextStep", **deadlines: float) -> ParallelVectorEnv:
        limits: dict[str, Any] = {"step_deadline_sec": 0.5, "reset_wait_sec": 5.0, **deadlines}
        made = ParallelVectorEnv(
            [self.env] * count, autoreset_mode=mode, deadlines=Deadlines(**limits)
        )
        self.vectors.append(made)
        return made


@pytest.fixture(autouse=True)
def own_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppt_arena, "_BASELINES", BaselineStore(tmp_path / "baselines"))


def vector_threads() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("pptarena-vector")]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    yield
    limit = time.monotonic() + 5
    while vector_threads() and time.monotonic() < limit:
        time.sleep(0.01)
    assert not vector_threads()


def until(condition: Callable[[], bool], limit_sec: float = 10.0) -> None:
    """Wait for what happens in another thread."""
    limit = time.monotonic() + limit_sec
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.005)


@pytest.fixture
def farm() -> Iterator[Farm]:
    made = Farm()
    yield made
    for envs in made.vectors:  # for tests that failed before they closed it
        envs.close()


@pytest.fixture
def interrupt() -> Iterator[Callable[[float], None]]:
    """Press Ctrl+C some seconds from now."""
    timers: list[threading.Timer] = []

    def later(seconds: float) -> None:
        main = threading.main_thread().ident
        assert main is not None
        timers.append(threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT)))
        timers[-1].start()

    # A shell has what it starts in the background ignore the signal, and the tests would wait.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield later
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give these tests a second chance: deadlines are short, and others run beside them."""
    for item in items:
        if Path(__file__).parent in item.path.parents and not item.get_closest_marker("image"):
            item.add_marker(pytest.mark.flaky(reruns=2))

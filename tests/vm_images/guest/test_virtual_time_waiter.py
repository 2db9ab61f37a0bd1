"""Waiting in virtual time for a scripted application."""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.vm_images.guest import virtual_time_waiter
from pptarena.vm_images.guest.clock import SECOND_NS, Clock
from pptarena.vm_images.guest.descendants import ProcessTree
from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.observer import NEVER_NS, IdleReply, Observer
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.thread_monitor import ThreadMonitor
from pptarena.vm_images.guest.tree_shape import TreeLimits
from pptarena.vm_images.guest.virtual_time_waiter import VirtualTimeWaiter

MS = SECOND_NS // 1000


class Application(Observer):
    """An application with timers: pairs of a moment and, if it repeats, an interval."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.timers: list[tuple[int, int]] = []
        self.fired: list[int] = []
        self.endless = self.gone = self.silent = self.was_peek = False
        self.sleeps_until = 0
        self.pictures: set[int] = set()
        self.painted: list[tuple[int, bool]] = []
        self.draws = False

    @property
    def attached(self) -> bool:
        return not self.gone

    def request_idle(self, *, again: bool = False) -> None:
        if self.gone:
            raise OfficeLostError("gone")
        self.was_peek = False

    def request_peek(self) -> None:
        self.was_peek = True

    def request_paint(self, *, again: bool = False) -> None:
        if self.gone:
            raise OfficeLostError("gone")
        self.was_peek = True
        self.painted.append((self.clock.now_ns, again))

    def readable(self, timeout_sec: float) -> bool:
        return not self.silent and self.clock.now_ns >= self.sleeps_until

    def wait_for_idle(self, timeout_sec: float) -> IdleReply | None:
        if self.clock.now_ns < self.sleeps_until:
            self.pictures.add(self.clock.now_ns)
            return None
        if self.silent:
            return None
        now = self.clock.now_ns
        due = [] if self.was_peek else self.timers
        for moment, interval in list(due):
            if moment <= now:
                self.fired.append(now)
                self.timers.remove((moment, interval))
                if interval:
                    self.timers.append((now + interval, interval))
        next_ns = min((moment for moment, _ in self.timers), default=NEVER_NS)
        drawings = int(self.draws and bool(self.fired) and self.fired[-1] == now)
        return IdleReply(self.clock.now_ns if self.endless else next_ns, 0, self.endless, drawings)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path / "clock")


@pytest.fixture
def application(clock: Clock) -> Application:
    return Application(clock)


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A sleeping process that stands for all processes."""
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process.pid
        process.kill()


@pytest.fixture
def waiter(clock: Clock, application: Application, sleeper: int) -> VirtualTimeWaiter:
    settings = Settings(answer_sec=0.3)
    return VirtualTimeWaiter(
        clock, application, lambda: [sleeper], lambda: sleeper, lambda: [sleeper], settings
    )


def test_step_fires_the_timers_of_its_time(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.timers = [(start + 100 * MS, 0), (start + 300 * MS, 0), (start + 60 * SECOND_NS, 0)]
    assert waiter.settle() == "quiet"
    waiter.recover()
    assert clock.now_ns == start + 2 * SECOND_NS
    assert application.fired == [start + 100 * MS, start + 300 * MS]
    waiter.wait(59)
    waiter.recover()
    assert clock.now_ns == start + 61 * SECOND_NS
    assert application.fired[-1] == start + 60 * SECOND_NS


def test_changes_are_painted_once_at_the_end_of_a_step(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.timers = [(start + 100 * MS, 0), (start + 300 * MS, 0)]
    waiter.settle()
    assert application.painted == []
    waiter.recover()
    assert application.painted == [(start + 2 * SECOND_NS, False)]
    application.endless = True
    waiter.settle()
    waiter.recover()
    assert application.painted[1:] == [(start + 4 * SECOND_NS, True)]
    application.gone = True
    waiter.recover()  # without an application


def test_endless_redrawing_ends_at_the_cap(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    application.timers = [(clock.now_ns, 100 * MS)]
    assert waiter.settle() == "quiet"
    waiter.recover()
    application.draws = True
    assert waiter.settle() == "cap"


def test_time_between_keys_is_the_given_span(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.timers = [(start + MS, 0)]
    waiter.catch_up()
    waiter.after_input()
    assert (clock.now_ns, application.fired) == (start, [])
    waiter.after_input(0.02)
    assert (clock.now_ns, application.fired) == (start + 20 * MS, [start + MS])


@pytest.mark.parametrize("took_sec", [0, 3, 7])
def test_clock_after_a_start_is_independent_of_its_duration(
    clock: Clock, waiter: VirtualTimeWaiter, took_sec: int
) -> None:
    start = clock.now_ns
    clock.move_to(start + took_sec * SECOND_NS)
    waiter.settle_after_load(fresh=True)
    assert clock.now_ns == start + 10 * SECOND_NS


def test_endless_animation_ends_at_the_cap(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.endless = True
    assert waiter.settle() == "cap"
    assert clock.now_ns == start + 1500 * MS


@pytest.mark.parametrize(("sleeps_ms", "most"), [(700, 12), (1497, 24), (6000, 70)])
def test_slide_show_draws_few_frames_and_ends_with_the_step(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter, sleeps_ms: int, most: int
) -> None:
    start = clock.now_ns
    application.sleeps_until = start + sleeps_ms * MS
    waiter.settle()
    assert 0 < len(application.pictures) <= most
    assert clock.now_ns <= start + max(1500, sleeps_ms + 100) * MS


def test_animation_after_input_draws_few_frames(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    application.sleeps_until = clock.now_ns + 2 * SECOND_NS
    waiter.after_input()
    assert 0 < len(application.pictures) <= 24


def test_ended_application_does_not_block(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.gone = True
    assert waiter.settle() == "quiet"
    assert clock.now_ns > start


@pytest.mark.slow
def test_hanging_application_times_out_in_wall_clock_time(
    application: Application, waiter: VirtualTimeWaiter
) -> None:
    application.silent = True
    started = time.monotonic()
    with pytest.raises(OfficeTimeoutError):
        waiter.settle()
    assert time.monotonic() - started < 60


def test_drive_stops_when_its_condition_holds(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start = clock.now_ns
    application.timers = [(start + 50 * MS, 0), (start + 90 * MS, 0)]
    waiter.drive(lambda: bool(application.fired), time.monotonic() + 10)
    assert (clock.now_ns, application.fired) == (start + 50 * MS, [start + 50 * MS])


def test_drive_unblocks_a_modal_application_without_delay(
    clock: Clock, application: Application, waiter: VirtualTimeWaiter
) -> None:
    start, boxes = clock.now_ns, ["a message", "another one"]
    application.timers = [(start + 50 * MS, 0)]

    def close() -> bool:
        return bool(boxes and boxes.pop())

    waiter.drive(lambda: not boxes, time.monotonic() + 10, unblock=close)
    assert not boxes
    assert (clock.now_ns, application.fired) == (start, [])


@pytest.mark.slow
def test_busy_application_at_the_deadline_of_drive_is_not_an_error(
    application: Application, waiter: VirtualTimeWaiter
) -> None:
    waiter.catch_up()
    requests = []

    def request_peek() -> None:  # new input keeps the application busy
        requests.append(True)
        application.silent = True

    application.request_peek = request_peek  # type: ignore[method-assign]
    waiter.drive(lambda: False, time.monotonic() + 0.3)
    assert requests


def test_clock_never_moves_back(clock: Clock) -> None:
    now = clock.now_ns
    clock.move_to(now - 1)
    assert clock.now_ns == now


def test_busy_and_sleeping_processes_are_distinguished(sleeper: int) -> None:
    thread_monitor = ThreadMonitor()
    first = thread_monitor.wait_until_asleep(
        lambda: [sleeper], time.monotonic() + 10, all_threads=True
    )
    assert first == thread_monitor.wait_until_asleep(
        lambda: [sleeper], time.monotonic() + 10, all_threads=True
    )
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        with pytest.raises(TimeoutError):
            thread_monitor.wait_until_asleep(
                lambda: [sleeper, busy.pid], time.monotonic() + 0.2, all_threads=False
            )
        assert thread_monitor.is_asleep(sleeper)
        assert not thread_monitor.is_asleep(busy.pid)
        busy.kill()
    ended = thread_monitor.wait_until_asleep(
        lambda: [busy.pid, sleeper], time.monotonic() + 10, all_threads=False
    )
    assert ended[0] == -1
    assert thread_monitor.is_asleep(busy.pid)  # its threads have ended


@pytest.mark.slow
def test_process_started_during_the_check_is_included(sleeper: int) -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        lists = iter([[sleeper]])
        with pytest.raises(TimeoutError):
            ThreadMonitor().wait_until_asleep(
                lambda: next(lists, [sleeper, busy.pid]), time.monotonic() + 0.3, all_threads=True
            )
        busy.kill()


@pytest.mark.slow
def test_calling_thread_is_ignored_but_its_siblings_count() -> None:
    thread_monitor, end = ThreadMonitor(), threading.Event()

    def work() -> None:
        while not end.is_set():
            pass

    own = [os.getpid()]
    thread_monitor.wait_until_asleep(lambda: own, time.monotonic() + 10, all_threads=True)
    worker = threading.Thread(target=work)
    worker.start()
    try:
        with pytest.raises(TimeoutError):
            thread_monitor.wait_until_asleep(lambda: own, time.monotonic() + 0.3, all_threads=True)
    finally:
        end.set()
        worker.join()


def test_run_counters_change_only_when_threads_run() -> None:
    thread_monitor, go, end = ThreadMonitor(), threading.Event(), threading.Event()
    ready = threading.Event()

    def sleep() -> None:
        while not end.is_set():
            ready.set()
            go.wait()
            go.clear()

    thread = threading.Thread(target=sleep)
    thread.start()
    ready.wait()
    thread_monitor.wait_until_asleep(lambda: [os.getpid()], time.monotonic() + 10, all_threads=True)
    before = thread_monitor.worker_run_counters(os.getpid())
    assert before is not None
    assert before == thread_monitor.worker_run_counters(os.getpid())
    ready.clear()
    go.set()
    ready.wait()
    thread_monitor.wait_until_asleep(lambda: [os.getpid()], time.monotonic() + 10, all_threads=True)
    assert thread_monitor.worker_run_counters(os.getpid()) != before
    end.set()
    go.set()
    thread.join()


@pytest.mark.slow
def test_thread_that_waits_for_a_cpu_is_waited_for(
    clock: Clock, application: Application, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other programs may keep the CPUs busy for longer than a thread may be busy itself."""
    monkeypatch.setattr(virtual_time_waiter, "_THREADS_SEC", 0.5)
    waiter = VirtualTimeWaiter(
        *(clock, application, tuple, lambda: sleeper, lambda: [sleeper]), Settings(answer_sec=60)
    )
    os.kill(sleeper, signal.SIGSTOP)  # neither asleep nor running
    continued = threading.Event()

    def resume() -> None:
        continued.set()
        os.kill(sleeper, signal.SIGCONT)

    timer = threading.Timer(0.8, resume)
    timer.start()
    waiter.settle()
    assert continued.is_set()


@pytest.mark.slow
def test_busy_thread_is_given_up(
    clock: Clock, application: Application, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(virtual_time_waiter, "_THREADS_SEC", 0.2)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        waiter = VirtualTimeWaiter(
            *(clock, application, lambda: [sleeper], lambda: busy.pid, lambda: [busy.pid]),
            Settings(answer_sec=60),
        )
        start = clock.now_ns
        assert waiter.settle() == "quiet"
        assert clock.now_ns > start
        busy.kill()


@pytest.mark.slow
@pytest.mark.parametrize("busy", [True, False])
def test_time_passes_for_a_silent_application_only_without_busy_processes(
    clock: Clock, application: Application, sleeper: int, busy: bool
) -> None:
    application.silent = True
    program = "while True: pass" if busy else "import time; time.sleep(300)"
    with subprocess.Popen([sys.executable, "-c", program]) as other:
        time.sleep(0.3)  # it has started
        waiter = VirtualTimeWaiter(
            *(clock, application, lambda: [sleeper], lambda: sleeper),
            lambda: [sleeper, other.pid],
            Settings(answer_sec=0.3),
        )
        start = clock.now_ns
        with pytest.raises(OfficeTimeoutError):
            waiter.settle()
        assert (clock.now_ns == start) is busy
        other.kill()


def test_process_tree_follows_its_processes() -> None:
    tree = ProcessTree(os.getpid())
    assert os.getpid() in tree.pids()
    with subprocess.Popen(["sleep", "300"]) as child:
        assert child.pid in tree.pids()
        child.kill()
    assert child.pid not in tree.pids()


@pytest.mark.parametrize(
    "reply", [b"", b"nonsense" * 10, struct.pack("=IHHIIqqQ", 1, 1, 2, *[0] * 5)]
)
def test_observer_with_invalid_replies_is_dropped(reply: bytes) -> None:
    observer = Observer()
    with (
        observer.new_connection() as (descriptor, _module),
        socket.socket(fileno=os.dup(descriptor)) as application,
    ):
        application.sendall(reply)
    with pytest.raises(OfficeLostError):
        observer.tree(TreeLimits(), time.monotonic() + 5)
    assert not observer.attached

"""Rest with a scripted application: what the clock does between its answers."""

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

from pptarena.vm_images.guest import exact_rest
from pptarena.vm_images.guest.clock import SECOND_NS, Clock
from pptarena.vm_images.guest.descendants import Family
from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.exact_rest import ExactRest
from pptarena.vm_images.guest.observer import NEVER_NS, Observer, RestReply
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.sleepers import Sleepers
from pptarena.vm_images.guest.tree_shape import TreeLimits

MS = SECOND_NS // 1000


class Application(Observer):
    """An application with timers; each has a moment and, if it repeats, an interval.

    Args:
        clock: Its clock.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.timers: list[tuple[int, int]] = []
        self.fired: list[int] = []
        self.endless = self.gone = self.silent = self.peeked = False
        self.sleeps_until = 0
        self.pictures: set[int] = set()
        self.painted: list[tuple[int, bool]] = []
        self.draws = False

    @property
    def attached(self) -> bool:
        return not self.gone

    def ask_rest(self, *, again: bool = False) -> None:
        if self.gone:
            raise OfficeLostError("gone")
        self.peeked = False

    def ask_peek(self) -> None:
        self.peeked = True

    def ask_paint(self, *, again: bool = False) -> None:
        if self.gone:
            raise OfficeLostError("gone")
        self.peeked = True
        self.painted.append((self.clock.now_ns, again))

    def readable(self, timeout_sec: float) -> bool:
        return not self.silent and self.clock.now_ns >= self.sleeps_until

    def rested(self, timeout_sec: float) -> RestReply | None:
        if self.clock.now_ns < self.sleeps_until:
            self.pictures.add(self.clock.now_ns)
            return None
        if self.silent:
            return None
        now = self.clock.now_ns
        due = [] if self.peeked else self.timers
        for moment, interval in list(due):
            if moment <= now:
                self.fired.append(now)
                self.timers.remove((moment, interval))
                if interval:
                    self.timers.append((now + interval, interval))
        next_ns = min((moment for moment, _ in self.timers), default=NEVER_NS)
        drawings = int(self.draws and bool(self.fired) and self.fired[-1] == now)
        return RestReply(self.clock.now_ns if self.endless else next_ns, 0, self.endless, drawings)


@pytest.fixture
def clock(tmp_path: Path) -> Clock:
    return Clock(tmp_path / "clock")


@pytest.fixture
def application(clock: Clock) -> Application:
    return Application(clock)


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A process that does nothing, for all that take part."""
    with subprocess.Popen(["sleep", "300"]) as process:
        yield process.pid
        process.kill()


@pytest.fixture
def rest(clock: Clock, application: Application, sleeper: int) -> ExactRest:
    settings = Settings(answer_sec=0.3)
    return ExactRest(
        clock, application, lambda: [sleeper], lambda: sleeper, lambda: [sleeper], settings
    )


def test_a_step_takes_its_time_and_fires_the_timers_in_it(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.timers = [(start + 100 * MS, 0), (start + 300 * MS, 0), (start + 60 * SECOND_NS, 0)]
    assert rest.settle() == "quiet"
    rest.recover()
    assert clock.now_ns == start + 2 * SECOND_NS
    assert application.fired == [start + 100 * MS, start + 300 * MS]
    rest.wait(59)
    rest.recover()
    assert clock.now_ns == start + 61 * SECOND_NS
    assert application.fired[-1] == start + 60 * SECOND_NS


def test_what_has_changed_is_drawn_once_at_the_end_of_a_step(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.timers = [(start + 100 * MS, 0), (start + 300 * MS, 0)]
    rest.settle()
    assert application.painted == []
    rest.recover()
    assert application.painted == [(start + 2 * SECOND_NS, False)]
    application.endless = True
    rest.settle()
    rest.recover()
    assert application.painted[1:] == [(start + 4 * SECOND_NS, True)]
    application.gone = True
    rest.recover()  # no process to ask


def test_what_wants_to_be_drawn_again_and_again_ends_by_the_cap(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    application.timers = [(clock.now_ns, 100 * MS)]
    assert rest.settle() == "quiet"
    rest.recover()
    application.draws = True
    assert rest.settle() == "cap"


def test_no_time_passes_between_two_keys(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.timers = [(start + MS, 0)]
    rest.catch_up()
    rest.after_input()
    assert (clock.now_ns, application.fired) == (start, [])
    rest.after_input(0.02)
    assert (clock.now_ns, application.fired) == (start + 20 * MS, [start + MS])


@pytest.mark.parametrize("took_sec", [0, 3, 7])
def test_how_long_a_start_took_leaves_no_trace(
    clock: Clock, rest: ExactRest, took_sec: int
) -> None:
    start = clock.now_ns
    clock.move_to(start + took_sec * SECOND_NS)
    rest.settle_new(fresh=True)
    assert clock.now_ns == start + 10 * SECOND_NS


def test_an_endless_animation_is_a_cap(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.endless = True
    assert rest.settle() == "cap"
    assert clock.now_ns == start + 1500 * MS


@pytest.mark.parametrize(("sleeps_ms", "most"), [(700, 12), (1497, 24), (6000, 70)])
def test_a_slide_show_draws_few_pictures_and_ends_with_the_step(
    clock: Clock, application: Application, rest: ExactRest, sleeps_ms: int, most: int
) -> None:
    start = clock.now_ns
    application.sleeps_until = start + sleeps_ms * MS
    rest.settle()
    assert 0 < len(application.pictures) <= most
    assert clock.now_ns <= start + max(1500, sleeps_ms + 100) * MS


def test_what_input_sets_going_draws_few_pictures(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    application.sleeps_until = clock.now_ns + 2 * SECOND_NS
    rest.after_input()
    assert 0 < len(application.pictures) <= 24


def test_an_application_that_left_does_not_hold_up(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.gone = True
    assert rest.settle() == "quiet"
    assert clock.now_ns > start


@pytest.mark.slow
def test_one_that_hangs_is_an_error_in_real_time(application: Application, rest: ExactRest) -> None:
    application.silent = True
    started = time.monotonic()
    with pytest.raises(OfficeTimeoutError):
        rest.settle()
    assert time.monotonic() - started < 60


def test_time_passes_for_a_question_only_until_it_is_answered(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start = clock.now_ns
    application.timers = [(start + 50 * MS, 0), (start + 90 * MS, 0)]
    rest.drive(lambda: bool(application.fired), time.monotonic() + 10)
    assert (clock.now_ns, application.fired) == (start + 50 * MS, [start + 50 * MS])


def test_an_application_that_waits_for_the_user_is_unblocked_at_once(
    clock: Clock, application: Application, rest: ExactRest
) -> None:
    start, boxes = clock.now_ns, ["a message", "another one"]
    application.timers = [(start + 50 * MS, 0)]

    def close() -> bool:
        return bool(boxes and boxes.pop())

    rest.drive(lambda: not boxes, time.monotonic() + 10, unblock=close)
    assert not boxes
    assert (clock.now_ns, application.fired) == (start, [])


@pytest.mark.slow
def test_an_application_that_works_at_the_deadline_of_a_look_is_no_error(
    application: Application, rest: ExactRest
) -> None:
    rest.catch_up()
    asked = []

    def ask_peek() -> None:  # something came in since it rested, and it is busy with that
        asked.append(True)
        application.silent = True

    application.ask_peek = ask_peek  # type: ignore[method-assign]
    rest.drive(lambda: False, time.monotonic() + 0.3)
    assert asked


def test_the_clock_never_goes_back(clock: Clock) -> None:
    now = clock.now_ns
    clock.move_to(now - 1)
    assert clock.now_ns == now


def test_a_process_that_works_is_told_from_one_that_sleeps(sleeper: int) -> None:
    sleepers = Sleepers()
    first = sleepers.ran(lambda: [sleeper], time.monotonic() + 10, all_threads=True)
    assert first == sleepers.ran(lambda: [sleeper], time.monotonic() + 10, all_threads=True)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        with pytest.raises(TimeoutError):
            sleepers.ran(lambda: [sleeper, busy.pid], time.monotonic() + 0.2, all_threads=False)
        assert sleepers.sleeps(sleeper)
        assert not sleepers.sleeps(busy.pid)
        busy.kill()
    ended = sleepers.ran(lambda: [busy.pid, sleeper], time.monotonic() + 10, all_threads=False)
    assert ended[0] == -1
    assert sleepers.sleeps(busy.pid)  # no thread works there anymore


@pytest.mark.slow
def test_a_process_that_comes_while_others_are_looked_at_counts(sleeper: int) -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        lists = iter([[sleeper]])
        with pytest.raises(TimeoutError):
            Sleepers().ran(
                lambda: next(lists, [sleeper, busy.pid]), time.monotonic() + 0.3, all_threads=True
            )
        busy.kill()


@pytest.mark.slow
def test_the_thread_that_looks_does_not_count_but_the_others_of_its_process_do() -> None:
    sleepers, end = Sleepers(), threading.Event()

    def work() -> None:
        while not end.is_set():
            pass

    own = [os.getpid()]
    sleepers.ran(lambda: own, time.monotonic() + 10, all_threads=True)
    worker = threading.Thread(target=work)
    worker.start()
    try:
        with pytest.raises(TimeoutError):
            sleepers.ran(lambda: own, time.monotonic() + 0.3, all_threads=True)
    finally:
        end.set()
        worker.join()


def test_threads_that_have_run_are_told_from_those_that_have_not() -> None:
    sleepers, go, end = Sleepers(), threading.Event(), threading.Event()
    ready = threading.Event()

    def sleep() -> None:
        while not end.is_set():
            ready.set()
            go.wait()
            go.clear()

    thread = threading.Thread(target=sleep)
    thread.start()
    ready.wait()
    sleepers.ran(lambda: [os.getpid()], time.monotonic() + 10, all_threads=True)
    before = sleepers.workers(os.getpid())
    assert before is not None
    assert before == sleepers.workers(os.getpid())
    ready.clear()
    go.set()
    ready.wait()
    sleepers.ran(lambda: [os.getpid()], time.monotonic() + 10, all_threads=True)
    assert sleepers.workers(os.getpid()) != before
    end.set()
    go.set()
    thread.join()


@pytest.mark.slow
def test_a_thread_that_waits_for_a_cpu_is_waited_for(
    clock: Clock, application: Application, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other programs may keep the CPUs busy for longer than a thread may be busy itself."""
    monkeypatch.setattr(exact_rest, "_THREADS_SEC", 0.5)
    rest = ExactRest(
        *(clock, application, tuple, lambda: sleeper, lambda: [sleeper]), Settings(answer_sec=60)
    )
    os.kill(sleeper, signal.SIGSTOP)  # neither asleep nor running
    continued = threading.Event()

    def resume() -> None:
        continued.set()
        os.kill(sleeper, signal.SIGCONT)

    timer = threading.Timer(0.8, resume)
    timer.start()
    rest.settle()
    assert continued.is_set()


def test_a_thread_that_is_always_busy_is_left(
    clock: Clock, application: Application, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_rest, "_THREADS_SEC", 0.2)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        rest = ExactRest(
            *(clock, application, lambda: [sleeper], lambda: busy.pid, lambda: [busy.pid]),
            Settings(answer_sec=60),
        )
        start = clock.now_ns
        assert rest.settle() == "quiet"
        assert clock.now_ns > start
        busy.kill()


@pytest.mark.slow
@pytest.mark.parametrize("works", [True, False])
def test_time_passes_for_a_silent_application_only_while_nobody_works(
    clock: Clock, application: Application, sleeper: int, works: bool
) -> None:
    application.silent = True
    program = "while True: pass" if works else "import time; time.sleep(300)"
    with subprocess.Popen([sys.executable, "-c", program]) as other:
        time.sleep(0.3)  # it has started
        rest = ExactRest(
            *(clock, application, lambda: [sleeper], lambda: sleeper),
            lambda: [sleeper, other.pid],
            Settings(answer_sec=0.3),
        )
        start = clock.now_ns
        with pytest.raises(OfficeTimeoutError):
            rest.settle()
        assert (clock.now_ns == start) is works
        other.kill()


def test_a_family_grows_with_its_processes() -> None:
    family = Family(os.getpid())
    assert os.getpid() in family.pids()
    with subprocess.Popen(["sleep", "300"]) as child:
        assert child.pid in family.pids()
        child.kill()
    assert child.pid not in family.pids()


@pytest.mark.parametrize(
    "said", [b"", b"nonsense" * 10, struct.pack("=IHHIIqqQ", 1, 1, 2, *[0] * 5)]
)
def test_an_observer_that_says_something_else_is_left(said: bytes) -> None:
    observer = Observer()
    with (
        observer.handed_over() as (descriptor, _module),
        socket.socket(fileno=os.dup(descriptor)) as application,
    ):
        application.sendall(said)
    with pytest.raises(OfficeLostError):
        observer.tree(TreeLimits(), time.monotonic() + 5)
    assert not observer.attached

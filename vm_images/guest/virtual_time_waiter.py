"""Deterministic waiting: application, window manager and X server have no pending work.

Time stands still except for the jumps made here: when all threads sleep, virtual time jumps to the
application's next timer, within the time budget of the step.
"""

import os
import time
from collections.abc import Callable, Iterable

from pptarena.vm_images.guest.clock import SECOND_NS, Clock
from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.growing_intervals import GrowingIntervals
from pptarena.vm_images.guest.observer import IdleReply, Observer
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.thread_monitor import ThreadMonitor

__all__ = ["VirtualTimeWaiter"]

_FIRST_NS = SECOND_NS // 1000  # of an endless animation
_START_NS = 10 * SECOND_NS
_MIN_NS = 1000  # a timer that is due but does not fire must not stop time
_MAX_DRAWINGS = 5  # in the last half of the time: more than a blinking cursor causes
_THREADS_SEC = 2.0  # of CPU time of the application, or ten times that of wall-clock time
_WALL_SHARE = 0.1
_POLL_SEC, _LONG_POLL_SEC = 0.002, 0.01
_PAUSE_SEC = 0.0001
_FOLLOW_SEC = 1.0
# After this time without a reply, the application may be asleep in the middle of an operation. The
# first limit applies to conditions. The others apply to replies: the time doubles from the minimum
# to the maximum while the application works.
_PATIENCE_SEC = 0.005
_MIN_PATIENCE_SEC, _MAX_PATIENCE_SEC = 0.0002, 0.02
_FIRST_SLEEP_NS = SECOND_NS // 100
_TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")


class VirtualTimeWaiter:
    """Waits until the desktop is idle.

    Args:
        clock: The clock of all desktop programs.
        observer: The observer inside the application.
        drawing_pids: Returns the processes of the window manager, the X server and other programs
            that draw.
        application_pid: Returns the process of the application.
        all_pids: Returns every process of the desktop and this process, whose listeners the
            application calls. While any of them works, no thread waits for virtual time.
        settings: Virtual time of a step and limits of wall-clock time.
    """

    def __init__(
        self,
        clock: Clock,
        observer: Observer,
        drawing_pids: Callable[[], Iterable[int]],
        application_pid: Callable[[], int],
        all_pids: Callable[[], Iterable[int]],
        settings: Settings,
    ) -> None:
        self._clock = clock
        self._observer = observer
        self._drawing_pids = drawing_pids
        self._application_pid = application_pid
        self._all_pids = all_pids
        self._answer_sec = settings.answer_sec
        self._query_reserve_ns = round(settings.settle_cap_sec * SECOND_NS / 4)
        self._step_ns = 3 * self._query_reserve_ns
        self._threads = ThreadMonitor()
        self._end_ns = 0  # of the step
        self._sleeps = GrowingIntervals(_FIRST_SLEEP_NS)
        self._drawing_counters: tuple[int, ...] = ()
        self._worker_counters: tuple[int, ...] | None = None
        self._is_endless = False

    def settle(self) -> str:
        """Advance virtual time from timer to timer to the end of the step.

        Returns:
            "quiet" if the desktop was idle, "cap" if an animation was still running at the end.

        Raises:
            OfficeTimeoutError: If the application is still busy at the wall-clock limit.
        """
        return self._advance(self._set_end(self._clock.now_ns + self._step_ns))

    def settle_after_load(self, *, fresh: bool) -> str:
        """Settle after a start or after opening a deck; the duration of either leaves no trace.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        return self._advance(
            self._set_end((self._clock.now_ns + self._step_ns) // _START_NS * _START_NS + _START_NS)
        )

    def wait(self, seconds: float) -> str:
        """Let `seconds` of virtual time pass.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        end_ns = self._clock.now_ns + round(seconds * SECOND_NS) - self._query_reserve_ns
        return self._advance(self._set_end(end_ns))

    def recover(self) -> None:
        """Spend the remaining time of the step after a query to the application.

        Changed areas are then drawn once; GTK defers drawing until then.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._advance(max(self._clock.now_ns, self._end_ns))
        self._paint(time.monotonic() + self._answer_sec)

    def _paint(self, deadline: float) -> None:
        """Draw pending changes and wait until all programs have processed them; no time passes."""
        try:
            self._observer.request_paint(again=self._is_endless)
        except OfficeLostError:
            return
        self._wait_until_idle(deadline, is_requested=True)

    def _set_end(self, end_ns: int) -> int:
        """Set the end of the step, a reserve for queries after `end_ns`; return `end_ns`."""
        self._end_ns = end_ns + self._query_reserve_ns
        return end_ns

    def follow(self, span_sec: float) -> None:
        """Let elapsed wall-clock time pass in virtual time while a viewer is connected.

        Raises:
            OfficeTimeoutError: If the application is busy for more than a second.
        """
        end_ns = self._clock.now_ns + round(span_sec * SECOND_NS)
        self._advance(end_ns, all_threads=False, limit_sec=_FOLLOW_SEC)
        self._paint(time.monotonic() + _FOLLOW_SEC)

    def park(self) -> None:
        """Close all files in ``/proc`` until the next wait."""
        self._threads.close()
        self._drawing_counters, self._worker_counters = (), None

    def catch_up(self) -> None:
        """Wait until all input has been handled; no time passes.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._advance(self._clock.now_ns)

    def after_input(self, span_sec: float = 0.0) -> None:
        """Wait until all input has been handled, then let time pass.

        Without this wait, chance decides whether an application receives inputs together or
        separately, which changes its reaction.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._advance(self._clock.now_ns + round(span_sec * SECOND_NS), all_threads=False)

    def _advance(
        self, end_ns: int, *, all_threads: bool = True, limit_sec: float | None = None
    ) -> str:
        now_ns = self._clock.now_ns
        late_ns = (now_ns + end_ns) // 2
        deadline = time.monotonic() + (self._answer_sec if limit_sec is None else limit_sec)
        drawings, endless = 0, GrowingIntervals(_FIRST_NS)
        # Input has no time limit, because the code that it triggers may sleep for any time.
        self._sleeps = GrowingIntervals(_FIRST_SLEEP_NS, end_ns if end_ns > now_ns else None)
        self._is_endless = False
        patient_sec = _THREADS_SEC
        while True:
            has_drawn, reply = self._wait_until_idle(deadline, again=self._is_endless)
            has_drawn = has_drawn or (reply is not None and reply.drawings > 0)
            drawings += has_drawn and self._clock.now_ns > late_ns
            if reply is None:
                break
            if reply.endless:
                self._is_endless = True
                next_ns = self._clock.now_ns + endless.next_ns(self._clock.now_ns)
            else:
                next_ns = max(reply.next_ns, self._clock.now_ns + _MIN_NS)
            if next_ns > end_ns:
                if not all_threads or not self._wait_for_threads(deadline):
                    break
                continue
            if patient_sec > 0 and (spent_sec := self._wait_for_workers(patient_sec, deadline)):
                patient_sec -= spent_sec
                continue  # they may have sent input to the application
            self._clock.move_to(next_ns)
        self._clock.move_to(end_ns)
        return "cap" if self._is_endless or drawings > _MAX_DRAWINGS else "quiet"

    def drive(
        self,
        is_done: Callable[[], bool],
        deadline: float,
        unblock: Callable[[], bool] = lambda: False,
    ) -> None:
        """Advance time only as far as the application requires, until a condition holds.

        Args:
            is_done: Returns whether the condition holds; called whenever the application is idle.
            deadline: `time.monotonic` moment at which to return in any case.
            unblock: Called if the application is idle but `is_done` is false: it may wait for the
                user. Returns whether it gave the application something to do.
        """
        self._sleeps = GrowingIntervals(_FIRST_SLEEP_NS)
        while not is_done() and time.monotonic() < deadline:
            if not self._becomes_idle(is_done, deadline):
                return
            try:
                _has_drawn, reply = self._wait_until_idle(deadline, is_requested=True)
                if reply is None or is_done():
                    return
                if not self._all_threads_sleep() or self._has_input(deadline) or is_done():
                    continue  # the answer may be on its way
                if unblock():
                    continue
            except OfficeTimeoutError:
                return  # busy at the deadline, not stuck: the caller decides how long to wait
            if reply.endless or reply.next_ns <= self._clock.now_ns + SECOND_NS:
                self._clock.move_to(max(reply.next_ns, self._clock.now_ns + _FIRST_NS))
            else:
                time.sleep(_POLL_SEC)

    def _becomes_idle(self, is_done: Callable[[], bool], deadline: float) -> bool:
        """Return whether the application became idle; waiting ends early if `is_done` is true."""
        try:
            self._observer.request_idle()
            checked_sec, poll_sec = time.monotonic(), _POLL_SEC
            while not self._observer.readable(poll_sec):
                poll_sec = min(_LONG_POLL_SEC, 2 * poll_sec)  # a start takes a second
                now = time.monotonic()
                if is_done() or now >= deadline:
                    return False
                if (
                    now - checked_sec > _PATIENCE_SEC
                    and self._all_threads_sleep()
                    and not self._has_arrived(is_done)
                ):
                    self._pass_sleep()
                    checked_sec, poll_sec = now, _POLL_SEC
        except OfficeLostError:
            return False
        return True

    def _has_arrived(self, is_done: Callable[[], bool]) -> bool:
        """Return whether the result arrived while the other processes fell asleep."""
        return is_done() or self._observer.readable(0.0)

    def _wait_until_idle(
        self, deadline: float, *, again: bool = False, is_requested: bool = False
    ) -> tuple[bool, IdleReply | None]:
        """Wait until all processes are idle at the current virtual time.

        Returns:
            Whether any process other than the application did something, and the application's
            reply; None if the application has ended.
        """
        reply: IdleReply | None = None
        if self._observer.attached:
            reply = self._idle_reply(deadline, again=again, is_requested=is_requested)
        has_worked = False
        while True:
            before = self._drawing_counters
            self._drawing_counters = self._wait_for_drawing(deadline)
            if self._drawing_counters == before:
                return has_worked, reply
            has_worked = True
            if not self._observer.attached:
                return has_worked, None
            try:
                self._observer.request_peek()
                reply = self._wait_for_reply(deadline)
            except OfficeLostError:
                continue
            if not reply.turns:
                return has_worked, reply

    def _idle_reply(self, deadline: float, *, again: bool, is_requested: bool) -> IdleReply | None:
        try:
            if not is_requested:
                self._observer.request_idle(again=again)
            return self._wait_for_reply(deadline)
        except OfficeLostError:
            return None

    def _wait_for_reply(self, deadline: float) -> IdleReply:
        """Wait for a reply; time passes for an application that sleeps during an operation."""
        patience_sec = _MIN_PATIENCE_SEC
        while (reply := self._observer.wait_for_idle(patience_sec)) is None:
            if time.monotonic() >= deadline:
                raise OfficeTimeoutError("the application does not become idle")
            patience_sec = min(_MAX_PATIENCE_SEC, 2 * patience_sec)
            if self._all_threads_sleep() and not self._observer.readable(0.0):
                self._pass_sleep()
                # Some operations sleep for seconds: a film without a player takes 14.
                patience_sec = _MIN_PATIENCE_SEC
        return reply

    def _pass_sleep(self) -> None:
        now_ns = self._clock.now_ns
        self._clock.move_to(now_ns + self._sleeps.next_ns(now_ns))

    def _all_threads_sleep(self) -> bool:
        """Return whether all threads sleep; any waiting thread then waits for virtual time."""
        if not self._threads.is_asleep(self._application_pid()):
            return False  # the usual case, which needs no further checks
        try:
            self._threads.wait_until_asleep(
                self._all_pids, time.monotonic() + _POLL_SEC, all_threads=True
            )
        except TimeoutError:
            return False
        return True

    def _wait_for_drawing(self, deadline: float) -> tuple[int, ...]:
        try:
            return self._threads.wait_until_asleep(self._drawing_pids, deadline, all_threads=False)
        except TimeoutError as error:
            raise OfficeTimeoutError("the screen does not become idle") from error

    def _wait_for_workers(self, limit_sec: float, deadline: float) -> float:
        """Wait for threads that have run since the last call.

        A thread that lags behind would start its own wait at a later virtual time than it should.

        Returns:
            The cost of the wait, see `_Effort.sec`; 0 if no thread has run.
        """
        pid = self._application_pid()
        counters = self._threads.worker_run_counters(pid)
        if counters is not None and counters == self._worker_counters:
            return 0.0
        effort, pause_sec = _Effort(pid), _PAUSE_SEC
        while counters is None or counters != self._worker_counters:
            self._worker_counters = counters
            if effort.sec > limit_sec or time.monotonic() > deadline:
                break  # a thread that is always busy
            if counters is None:
                time.sleep(pause_sec)
                pause_sec = min(_POLL_SEC, 2 * pause_sec)
            counters = self._threads.worker_run_counters(pid)
        return effort.sec

    def _wait_for_threads(self, deadline: float) -> bool:
        """Wait for the application's other threads; return whether the application has input."""
        effort = _Effort(self._application_pid())
        while True:
            end_sec = min(deadline, time.monotonic() + _THREADS_SEC - effort.sec)
            try:
                self._threads.wait_until_asleep(self._all_pids, end_sec, all_threads=True)
            except TimeoutError:
                if effort.sec < _THREADS_SEC and time.monotonic() < deadline:
                    continue
                return False  # a thread that is always busy without visible effects
            return self._has_input(deadline)

    def _has_input(self, deadline: float) -> bool:
        """Return whether the application has received input since its last reply."""
        if not self._observer.attached:
            return False
        try:
            self._observer.request_peek()
            return self._wait_for_reply(deadline).turns > 0
        except OfficeLostError:
            return True


class _Effort:
    """The cost of a wait for a process, almost independent of other programs."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begin_sec, self._begin_cpu_sec = time.monotonic(), self._cpu_sec()

    @property
    def sec(self) -> float:
        """CPU seconds of the process so far, or a tenth of the wall-clock seconds; above 0."""
        wall_sec = time.monotonic() - self._begin_sec
        return max(self._cpu_sec() - self._begin_cpu_sec, _WALL_SHARE * wall_sec, 1e-9)

    def _cpu_sec(self) -> float:
        try:
            with open(f"/proc/{self._pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            return 0.0
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SEC

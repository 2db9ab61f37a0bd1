"""Deterministic waiting: application, window manager and X server have no pending work.

Time stands still except for the jumps made here: when all threads sleep, virtual time jumps to the
application's next timer, within the time budget of the step.
"""

import os
import time
from collections.abc import Callable, Iterable

from pptarena.vm_images.guest.clock import SECOND_NS, Clock
from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.observer import Observer, RestReply
from pptarena.vm_images.guest.pieces import GrowingPieces
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.sleepers import Sleepers

__all__ = ["ExactRest"]

_FIRST_NS = SECOND_NS // 1000  # of an endless animation
_START_NS = 10 * SECOND_NS
_LEAST_NS = 1000  # a timer that is due but does not fire must not stop time
_DRAWINGS = 5  # in the last half of the time: more than a blinking cursor causes
_THREADS_SEC = 2.0  # of CPU time of the application, or ten times that of wall-clock time
_WALL_SHARE = 0.1
_POLL_SEC, _LONG_POLL_SEC = 0.002, 0.01
_PAUSE_SEC = 0.0001
_FOLLOW_SEC = 1.0
# After these times without a reply, the application may sleep during an operation: for a condition,
# and for a reply, doubled from the least to the most while the application works.
_PATIENCE_SEC = 0.005
_LEAST_PATIENCE_SEC, _MOST_PATIENCE_SEC = 0.0002, 0.02
_FIRST_SLEEP_NS = SECOND_NS // 100
_TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")


class ExactRest:
    """Waits until the desktop is idle.

    Args:
        clock: The clock of all desktop programs.
        observer: The observer inside the application.
        others: Returns the processes of the window manager, X server and other programs that draw.
        application: Returns the process of the application.
        all_of_them: Returns every process of the desktop and this process, whose listeners the
            application calls. While any of them works, no thread waits for virtual time.
        settings: Virtual time of a step and limits of wall-clock time.
    """

    def __init__(
        self,
        clock: Clock,
        observer: Observer,
        others: Callable[[], Iterable[int]],
        application: Callable[[], int],
        all_of_them: Callable[[], Iterable[int]],
        settings: Settings,
    ) -> None:
        self._clock = clock
        self._observer = observer
        self._others = others
        self._application = application
        self._all_of_them = all_of_them
        self._answer_sec = settings.answer_sec
        self._asking_ns = round(settings.settle_cap_sec * SECOND_NS / 4)
        self._step_ns = 3 * self._asking_ns
        self._sleepers = Sleepers()
        self._end_ns = 0  # of the step
        self._sleeps = GrowingPieces(_FIRST_SLEEP_NS)
        self._ran: tuple[int, ...] = ()
        self._workers_ran: tuple[int, ...] | None = None
        self._is_endless = False

    def settle(self) -> str:
        """Advance virtual time from timer to timer to the end of the step.

        Returns:
            "quiet" if the desktop was idle, "cap" if an animation was still running at the end.

        Raises:
            OfficeTimeoutError: If the application is still busy at the wall-clock limit.
        """
        return self._until(self._part_of(self._clock.now_ns + self._step_ns))

    def settle_new(self, *, fresh: bool) -> str:
        """Settle after a start or after opening a deck; the duration of either leaves no trace.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        return self._until(
            self._part_of((self._clock.now_ns + self._step_ns) // _START_NS * _START_NS + _START_NS)
        )

    def wait(self, seconds: float) -> str:
        """Let `seconds` of virtual time pass.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        end_ns = self._clock.now_ns + round(seconds * SECOND_NS) - self._asking_ns
        return self._until(self._part_of(end_ns))

    def recover(self) -> None:
        """Spend the remaining time of the step after a query to the application.

        Changed areas are then drawn once; GTK defers drawing until then.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._until(max(self._clock.now_ns, self._end_ns))
        self._paint(time.monotonic() + self._answer_sec)

    def _paint(self, deadline: float) -> None:
        """Draw pending changes and wait until all programs have processed them; no time passes."""
        try:
            self._observer.ask_paint(again=self._is_endless)
        except OfficeLostError:
            return
        self._rest(deadline, asked=True)

    def _part_of(self, end_ns: int) -> int:
        """Set the end of the step, a reserve for queries after `end_ns`; return `end_ns`."""
        self._end_ns = end_ns + self._asking_ns
        return end_ns

    def follow(self, span_sec: float) -> None:
        """Let elapsed wall-clock time pass in virtual time while a viewer is connected.

        Raises:
            OfficeTimeoutError: If the application is busy for more than a second.
        """
        end_ns = self._clock.now_ns + round(span_sec * SECOND_NS)
        self._until(end_ns, all_threads=False, limit_sec=_FOLLOW_SEC)
        self._paint(time.monotonic() + _FOLLOW_SEC)

    def park(self) -> None:
        """Close all files in ``/proc`` until the next wait."""
        self._sleepers.close()
        self._ran, self._workers_ran = (), None

    def catch_up(self) -> None:
        """Wait until all input has been handled; no time passes.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._until(self._clock.now_ns)

    def after_input(self, span_sec: float = 0.0) -> None:
        """Wait until all input has been handled, then let time pass.

        Without this wait, chance decides whether an application receives inputs together or
        separately, which changes its reaction.

        Raises:
            OfficeTimeoutError: As `settle` does.
        """
        self._until(self._clock.now_ns + round(span_sec * SECOND_NS), all_threads=False)

    def _until(
        self, end_ns: int, *, all_threads: bool = True, limit_sec: float | None = None
    ) -> str:
        now_ns = self._clock.now_ns
        late_ns = (now_ns + end_ns) // 2
        deadline = time.monotonic() + (self._answer_sec if limit_sec is None else limit_sec)
        drawings, endless = 0, GrowingPieces(_FIRST_NS)
        # Input has no time limit: code that it triggers may sleep for any time.
        self._sleeps = GrowingPieces(_FIRST_SLEEP_NS, end_ns if end_ns > now_ns else None)
        self._is_endless = False
        patient_sec = _THREADS_SEC
        while True:
            drawn, reply = self._rest(deadline, again=self._is_endless)
            drawn = drawn or (reply is not None and reply.drawings > 0)
            drawings += drawn and self._clock.now_ns > late_ns
            if reply is None:
                break
            if reply.endless:
                self._is_endless = True
                next_ns = self._clock.now_ns + endless.next_ns(self._clock.now_ns)
            else:
                next_ns = max(reply.next_ns, self._clock.now_ns + _LEAST_NS)
            if next_ns > end_ns:
                if not all_threads or not self._threads_work(deadline):
                    break
                continue
            if patient_sec > 0 and (spent_sec := self._wait_for_workers(patient_sec, deadline)):
                patient_sec -= spent_sec
                continue  # they may have sent the application something
            self._clock.move_to(next_ns)
        self._clock.move_to(end_ns)
        return "cap" if self._is_endless or drawings > _DRAWINGS else "quiet"

    def drive(
        self,
        done: Callable[[], bool],
        deadline: float,
        unblock: Callable[[], bool] = lambda: False,
    ) -> None:
        """Let time pass only as far as the application needs it, until a condition holds.

        Args:
            done: Returns whether the condition holds; called whenever the application is idle.
            deadline: `time.monotonic` moment at which to return in any case.
            unblock: Called if the application is idle but `done` is false: it may wait for the
                user. Returns whether it gave the application something to do.
        """
        self._sleeps = GrowingPieces(_FIRST_SLEEP_NS)
        while not done() and time.monotonic() < deadline:
            if not self._answered(done, deadline):
                return
            try:
                _drawn, reply = self._rest(deadline, asked=True)
                if reply is None or done():
                    return
                if not self._all_sleep() or self._came_in(deadline) or done():
                    continue  # the answer may be on its way
                if unblock():
                    continue
            except OfficeTimeoutError:
                return  # busy at the deadline, not stuck: the caller decides how long to wait
            if reply.endless or reply.next_ns <= self._clock.now_ns + SECOND_NS:
                self._clock.move_to(max(reply.next_ns, self._clock.now_ns + _FIRST_NS))
            else:
                time.sleep(_POLL_SEC)

    def _answered(self, done: Callable[[], bool], deadline: float) -> bool:
        """Return whether the application became idle; waiting ends early if `done` is true."""
        try:
            self._observer.ask_rest()
            looked, poll_sec = time.monotonic(), _POLL_SEC
            while not self._observer.readable(poll_sec):
                poll_sec = min(_LONG_POLL_SEC, 2 * poll_sec)  # a start takes a second
                now = time.monotonic()
                if done() or now >= deadline:
                    return False
                if now - looked > _PATIENCE_SEC and self._all_sleep() and not self._is_there(done):
                    self._pass_sleep()
                    looked, poll_sec = now, _POLL_SEC
        except OfficeLostError:
            return False
        return True

    def _is_there(self, done: Callable[[], bool]) -> bool:
        """Return whether the awaited result arrived while the other processes fell asleep."""
        return done() or self._observer.readable(0.0)

    def _rest(
        self, deadline: float, *, again: bool = False, asked: bool = False
    ) -> tuple[bool, RestReply | None]:
        """Wait until all processes are idle at the current virtual time.

        Returns:
            Whether any process other than the application did something, and the application's
            reply; None if the application has ended.
        """
        reply: RestReply | None = None
        if self._observer.attached:
            reply = self._reply(deadline, again=again, asked=asked)
        worked = False
        while True:
            before, self._ran = self._ran, self._others_ran(deadline)
            if self._ran == before:
                return worked, reply
            worked = True
            if not self._observer.attached:
                return worked, None
            try:
                self._observer.ask_peek()
                reply = self._rested(deadline)
            except OfficeLostError:
                continue
            if not reply.turns:
                return worked, reply

    def _reply(self, deadline: float, *, again: bool, asked: bool) -> RestReply | None:
        try:
            if not asked:
                self._observer.ask_rest(again=again)
            return self._rested(deadline)
        except OfficeLostError:
            return None

    def _rested(self, deadline: float) -> RestReply:
        """Wait for a reply; time passes for an application that sleeps during an operation."""
        patience_sec = _LEAST_PATIENCE_SEC
        while (reply := self._observer.rested(patience_sec)) is None:
            if time.monotonic() >= deadline:
                raise OfficeTimeoutError("the application does not come to rest")
            patience_sec = min(_MOST_PATIENCE_SEC, 2 * patience_sec)
            if self._all_sleep() and not self._observer.readable(0.0):
                self._pass_sleep()
                # Some operations sleep for seconds: a film without a player takes 14.
                patience_sec = _LEAST_PATIENCE_SEC
        return reply

    def _pass_sleep(self) -> None:
        now_ns = self._clock.now_ns
        self._clock.move_to(now_ns + self._sleeps.next_ns(now_ns))

    def _all_sleep(self) -> bool:
        """Return whether all threads sleep; any waiting thread then waits for virtual time."""
        if not self._sleepers.sleeps(self._application()):
            return False  # the usual case, which needs no further checks
        try:
            self._sleepers.ran(self._all_of_them, time.monotonic() + _POLL_SEC, all_threads=True)
        except TimeoutError:
            return False
        return True

    def _others_ran(self, deadline: float) -> tuple[int, ...]:
        try:
            return self._sleepers.ran(self._others, deadline, all_threads=False)
        except TimeoutError as error:
            raise OfficeTimeoutError("the screen does not come to rest") from error

    def _wait_for_workers(self, limit_sec: float, deadline: float) -> float:
        """Wait for threads that have run since the last call.

        A thread that lags behind would start its own wait at a later virtual time than it should.

        Returns:
            The cost of the wait, see `_Effort.sec`; 0 if no thread has run.
        """
        pid = self._application()
        ran = self._sleepers.workers(pid)
        if ran is not None and ran == self._workers_ran:
            return 0.0
        effort, pause_sec = _Effort(pid), _PAUSE_SEC
        while ran is None or ran != self._workers_ran:
            self._workers_ran = ran
            if effort.sec > limit_sec or time.monotonic() > deadline:
                break  # a thread that is always busy
            if ran is None:
                time.sleep(pause_sec)
                pause_sec = min(_POLL_SEC, 2 * pause_sec)
            ran = self._sleepers.workers(pid)
        return effort.sec

    def _threads_work(self, deadline: float) -> bool:
        """Wait for the application's other threads; return whether they sent it something."""
        effort = _Effort(self._application())
        while True:
            end = min(deadline, time.monotonic() + _THREADS_SEC - effort.sec)
            try:
                self._sleepers.ran(self._all_of_them, end, all_threads=True)
            except TimeoutError:
                if effort.sec < _THREADS_SEC and time.monotonic() < deadline:
                    continue
                return False  # a thread that is always busy and shows nothing
            return self._came_in(deadline)

    def _came_in(self, deadline: float) -> bool:
        """Return whether the application has received something since its last reply."""
        if not self._observer.attached:
            return False
        try:
            self._observer.ask_peek()
            return self._rested(deadline).turns > 0
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
                words = file.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            return 0.0
        return (int(words[11]) + int(words[12])) / _TICKS_PER_SEC

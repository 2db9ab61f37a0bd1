"""Whether processes sleep, by the scheduler's figures: exact, however busy the computer is.

A thread that is woken counts as running from that moment, before it gets a processor. So if each
of some threads sleeps when it is looked at, and none has run since a moment before the first look,
then nobody did anything at that look, and from then on nothing happens until somebody else wakes
one of them. Which threads have not run is told by how often each has: the figures of an earlier
look, at which all slept, do as well as those of a look just before.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable

__all__ = ["Sleepers"]

_ASLEEP = b"SIZX"  # sleeping until woken; of the kernel and idle; ended
_PAUSE_SEC, _LONG_PAUSE_SEC = 0.0001, 0.002

_Thread = tuple[int, str]  # of a process, and its name there


class Sleepers:
    """Watches the threads of some processes."""

    def __init__(self) -> None:
        self._open: dict[_Thread, tuple[int, int]] = {}
        self._slept: dict[bool, tuple[list[_Thread], tuple[int, ...]]] = {}
        self._worker: _Thread | None = None

    def ran(
        self, pids: Callable[[], Iterable[int]], deadline: float, *, all_threads: bool
    ) -> tuple[int, ...]:
        """Wait until all sleep, but the calling thread, and return how often each has run so far.

        Args:
            pids: Returns the processes; what is gone is passed over.
            deadline: `time.monotonic` moment at which waiting ends.
            all_threads: Look at all their threads, not only the first of each.

        Raises:
            TimeoutError: If one still works at the deadline.
        """
        watched = self._watched(pids(), all_threads)
        known, before = self._slept.get(all_threads, ([], None))
        is_known = known == watched
        if not is_known:
            before = None
        while True:
            now = self._look(watched)
            if now is not None and now == before:
                # One that sleeps may have started another that was not looked at; but not if none
                # has run since all were asleep.
                again = watched if is_known else self._watched(pids(), all_threads)
                if again == watched:
                    self._slept[all_threads] = watched, now
                    return now
                watched, now = again, None
            before, is_known = now, False
            self._wait_for_worker(deadline)

    def _wait_for_worker(self, deadline: float) -> None:
        """Wait for the thread that was found at work: asking it alone costs less than asking all.

        Raises:
            TimeoutError: If it still works at the deadline.
        """
        pause_sec = _PAUSE_SEC
        while True:
            if time.monotonic() >= deadline:
                raise TimeoutError
            if self._worker is None:
                return
            time.sleep(pause_sec)
            pause_sec = min(_LONG_PAUSE_SEC, 2 * pause_sec)
            if self._sleeps(self._worker):
                self._worker = None

    def sleeps(self, pid: int) -> bool:
        """Whether the first thread of a process sleeps right now, or has ended; costs little."""
        return self._sleeps((pid, str(pid)))

    def workers(self, pid: int) -> tuple[int, ...] | None:
        """Return how often each thread of a process but the first has run; None if one works.

        The same twice, whenever that was, means that none has run in between.
        """
        watched = self._watched((pid,), all_threads=True)
        return self._look([key for key in watched if key[1] != str(pid)])

    def _watched(self, pids: Iterable[int], all_threads: bool) -> list[_Thread]:
        found: list[_Thread] = []
        own = os.getpid(), str(threading.get_native_id())
        for pid in pids:
            names = [str(pid)]
            if all_threads:
                try:
                    names = sorted(os.listdir(f"/proc/{pid}/task"))
                except OSError:
                    continue
            found += [(pid, name) for name in names if (pid, name) != own]
        return found

    def _look(self, watched: list[_Thread]) -> tuple[int, ...] | None:
        """Return how often each thread has run, None if one of them does not sleep."""
        self._worker = None
        runs = []
        for thread in watched:
            if not self._sleeps(thread):
                self._worker = thread
                return None
            try:
                # Linux, Documentation/scheduler/sched-stats: the third figure of a thread.
                runs.append(int(os.pread(self._open[thread][1], 128, 0).split()[2]))
            except (KeyError, OSError, ValueError, IndexError):  # it has ended
                self._forget(thread)
                runs.append(-1)
        return tuple(runs)

    def _sleeps(self, thread: _Thread) -> bool:
        try:
            said = os.pread((self._open.get(thread) or self._opened(thread))[0], 512, 0)
            return said[said.rindex(b")") + 2] in _ASLEEP
        except (OSError, ValueError, IndexError):  # it has ended
            self._forget(thread)
            return True

    def _opened(self, key: _Thread) -> tuple[int, int]:
        folder = f"/proc/{key[0]}/task/{key[1]}"
        flags = os.O_RDONLY | os.O_CLOEXEC
        state = os.open(f"{folder}/stat", flags)
        try:
            schedule = os.open(f"{folder}/schedstat", flags)
        except OSError:
            os.close(state)
            raise
        self._open[key] = (state, schedule)
        return state, schedule

    def _forget(self, key: _Thread) -> None:
        for descriptor in self._open.pop(key, ()):
            os.close(descriptor)

"""Detection of idle threads from scheduler statistics: exact at any load of the computer.

A woken thread counts as running from that moment, even before it gets a CPU. Suppose that each of
some threads is asleep when examined, and that none has run since a moment before the first one was
examined. Then all were idle at that moment, and stay idle until another thread wakes one of them.
The run counters show which threads have run. Counters of any earlier examination in which all slept
serve as well as counters taken just before.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable

__all__ = ["Sleepers"]

_ASLEEP = b"SIZX"  # interruptible; idle kernel thread; ended
_PAUSE_SEC, _LONG_PAUSE_SEC = 0.0001, 0.002

_Thread = tuple[int, str]  # process id, and name of the thread there


class Sleepers:
    """Watches the threads of some processes."""

    def __init__(self) -> None:
        self._open: dict[_Thread, tuple[int, int]] = {}
        self._slept: dict[bool, tuple[list[_Thread], tuple[int, ...]]] = {}
        self._worker: _Thread | None = None

    def ran(
        self, pids: Callable[[], Iterable[int]], deadline: float, *, all_threads: bool
    ) -> tuple[int, ...]:
        """Wait until all threads but the calling one sleep.

        Args:
            pids: Returns the processes; ended ones are skipped.
            deadline: `time.monotonic` moment at which waiting ends.
            all_threads: Whether to examine all their threads, not only the first of each.

        Returns:
            The run counter of each thread.

        Raises:
            TimeoutError: If a thread still works at the deadline.
        """
        watched = self._watched(pids(), all_threads)
        known, before = self._slept.get(all_threads, ([], None))
        is_known = known == watched
        if not is_known:
            before = None
        while True:
            now = self._look(watched)
            if now is not None and now == before:
                # A sleeping thread may have started one that was not examined, unless none has run
                # since all were asleep.
                again = watched if is_known else self._watched(pids(), all_threads)
                if again == watched:
                    self._slept[all_threads] = watched, now
                    return now
                watched, now = again, None
            before, is_known = now, False
            self._wait_for_worker(deadline)

    def close(self) -> None:
        """Close all files and forget all counters; the next examination opens them again."""
        for key in list(self._open):
            self._forget(key)
        self._slept.clear()
        self._worker = None

    def _wait_for_worker(self, deadline: float) -> None:
        """Wait for the thread that was found working: checking one costs less than checking all.

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
        """Return whether the first thread of a process sleeps or has ended; inexpensive."""
        return self._sleeps((pid, str(pid)))

    def workers(self, pid: int) -> tuple[int, ...] | None:
        """Return the run counters of a process's threads but the first; None if one works.

        Equal results of two calls mean that none has run in between.
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
        """Return the run counter of each thread, None if one of them does not sleep."""
        self._worker = None
        runs = []
        for thread in watched:
            if not self._sleeps(thread):
                self._worker = thread
                return None
            try:
                # Linux, Documentation/scheduler/sched-stats: third value of a thread.
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

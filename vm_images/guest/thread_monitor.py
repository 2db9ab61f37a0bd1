"""Detection of idle threads from scheduler statistics: exact at any load of the computer.

A woken thread counts as running immediately, even before it gets a CPU. Suppose that each of
several threads is asleep when examined, and that none has run since a moment before the first
examination. Then all were idle at that moment, and stay idle until another thread wakes one of
them. The run counters show which threads have run. Counters of any earlier examination in which all
threads were asleep are as good as counters taken just before.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable

__all__ = ["ThreadMonitor"]

_ASLEEP = b"SIZX"  # interruptible; idle kernel thread; ended
_PAUSE_SEC, _LONG_PAUSE_SEC = 0.0001, 0.002

_Thread = tuple[int, str]  # process id, and name of the thread there


class ThreadMonitor:
    """Watches the threads of some processes."""

    def __init__(self) -> None:
        self._descriptors: dict[_Thread, tuple[int, int]] = {}
        self._last_idle: dict[bool, tuple[list[_Thread], tuple[int, ...]]] = {}
        self._busy_thread: _Thread | None = None

    def wait_until_asleep(
        self, pids: Callable[[], Iterable[int]], deadline: float, *, all_threads: bool
    ) -> tuple[int, ...]:
        """Wait until all threads but the calling one sleep.

        Args:
            pids: Returns the processes; ended ones are skipped.
            deadline: `time.monotonic` moment at which waiting ends.
            all_threads: Whether to examine all threads, not only the first one of each process.

        Returns:
            The run counter of each thread.

        Raises:
            TimeoutError: If a thread still works at the deadline.
        """
        threads = self._threads(pids(), all_threads)
        last_threads, before = self._last_idle.get(all_threads, ([], None))
        is_unchanged = last_threads == threads
        if not is_unchanged:
            before = None
        while True:
            counters = self._run_counters(threads)
            if counters is not None and counters == before:
                # A sleeping thread may have started one that was not examined, unless none has run
                # since all were asleep.
                current = threads if is_unchanged else self._threads(pids(), all_threads)
                if current == threads:
                    self._last_idle[all_threads] = threads, counters
                    return counters
                threads, counters = current, None
            before, is_unchanged = counters, False
            self._wait_for_busy_thread(deadline)

    def close(self) -> None:
        """Close all files and forget all counters; the next examination opens them again."""
        for thread in list(self._descriptors):
            self._close_thread(thread)
        self._last_idle.clear()
        self._busy_thread = None

    def _wait_for_busy_thread(self, deadline: float) -> None:
        """Wait for the busy thread: checking one thread costs less than checking all.

        Raises:
            TimeoutError: If it still works at the deadline.
        """
        pause_sec = _PAUSE_SEC
        while True:
            if time.monotonic() >= deadline:
                raise TimeoutError
            if self._busy_thread is None:
                return
            time.sleep(pause_sec)
            pause_sec = min(_LONG_PAUSE_SEC, 2 * pause_sec)
            if self._is_thread_asleep(self._busy_thread):
                self._busy_thread = None

    def is_asleep(self, pid: int) -> bool:
        """Return whether the first thread of a process sleeps or has ended; inexpensive."""
        return self._is_thread_asleep((pid, str(pid)))

    def worker_run_counters(self, pid: int) -> tuple[int, ...] | None:
        """Return the run counters of a process's threads but the first; None if one is busy.

        If two calls return equal results, no thread has run in between.
        """
        threads = self._threads((pid,), all_threads=True)
        return self._run_counters([thread for thread in threads if thread[1] != str(pid)])

    def _threads(self, pids: Iterable[int], all_threads: bool) -> list[_Thread]:
        threads: list[_Thread] = []
        own = os.getpid(), str(threading.get_native_id())
        for pid in pids:
            names = [str(pid)]
            if all_threads:
                try:
                    names = sorted(os.listdir(f"/proc/{pid}/task"))
                except OSError:
                    continue
            threads += [(pid, name) for name in names if (pid, name) != own]
        return threads

    def _run_counters(self, threads: list[_Thread]) -> tuple[int, ...] | None:
        """Return the run counter of each thread, None if one of them does not sleep."""
        self._busy_thread = None
        counters = []
        for thread in threads:
            if not self._is_thread_asleep(thread):
                self._busy_thread = thread
                return None
            try:
                # Linux, Documentation/scheduler/sched-stats: third value of a thread.
                counters.append(int(os.pread(self._descriptors[thread][1], 128, 0).split()[2]))
            except (KeyError, OSError, ValueError, IndexError):  # it has ended
                self._close_thread(thread)
                counters.append(-1)
        return tuple(counters)

    def _is_thread_asleep(self, thread: _Thread) -> bool:
        try:
            stat = os.pread((self._descriptors.get(thread) or self._open_thread(thread))[0], 512, 0)
            return stat[stat.rindex(b")") + 2] in _ASLEEP
        except (OSError, ValueError, IndexError):  # it has ended
            self._close_thread(thread)
            return True

    def _open_thread(self, thread: _Thread) -> tuple[int, int]:
        folder = f"/proc/{thread[0]}/task/{thread[1]}"
        flags = os.O_RDONLY | os.O_CLOEXEC
        state = os.open(f"{folder}/stat", flags)
        try:
            schedule = os.open(f"{folder}/schedstat", flags)
        except OSError:
            os.close(state)
            raise
        self._descriptors[thread] = (state, schedule)
        return state, schedule

    def _close_thread(self, thread: _Thread) -> None:
        for descriptor in self._descriptors.pop(thread, ()):
            os.close(descriptor)

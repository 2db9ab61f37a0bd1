"""Whether processes sleep, by the scheduler's figures: exact, however busy the computer is.

A thread that is woken counts as running from that moment, before it gets a processor. So if all
threads sleep in two looks, and none has run in between, there was a moment between the looks at
which nobody did anything: from then on nothing happens until somebody else wakes one of them.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable

__all__ = ["Sleepers"]

_ASLEEP = b"SIZX"  # sleeping until woken; of the kernel and idle; ended
_PAUSE_SEC, _LONG_PAUSE_SEC = 0.0001, 0.002


class Sleepers:
    """Watches the threads of some processes."""

    def __init__(self) -> None:
        self._open: dict[tuple[int, str], tuple[int, int]] = {}

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
        before = self._look(watched)
        pause_sec = _PAUSE_SEC
        while True:
            now = self._look(watched)
            if now is not None and now == before:
                # One that sleeps may have started another that was not looked at.
                again = self._watched(pids(), all_threads)
                if again == watched:
                    return now
                watched, now = again, None
            before = now
            if time.monotonic() >= deadline:
                raise TimeoutError
            if now is None:
                time.sleep(pause_sec)
                pause_sec = min(_LONG_PAUSE_SEC, 2 * pause_sec)

    def sleeps(self, pid: int) -> bool:
        """Whether the first thread of a process sleeps right now, or has ended; costs little."""
        return self._look([(pid, str(pid))]) is not None

    def workers(self, pid: int) -> tuple[int, ...] | None:
        """Return how often each thread of a process but the first has run; None if one works.

        The same twice, whenever that was, means that none has run in between.
        """
        watched = self._watched((pid,), all_threads=True)
        return self._look([key for key in watched if key[1] != str(pid)])

    def _watched(self, pids: Iterable[int], all_threads: bool) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
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

    def _look(self, watched: list[tuple[int, str]]) -> tuple[int, ...] | None:
        """Return how often each thread has run, None if one of them does not sleep."""
        runs = []
        for key in watched:
            try:
                state, schedule = self._open.get(key) or self._opened(key)
                said = os.pread(state, 512, 0)
                if said[said.rindex(b")") + 2] not in _ASLEEP:
                    return None
                # Linux, Documentation/scheduler/sched-stats: the third figure of a thread.
                runs.append(int(os.pread(schedule, 128, 0).split()[2]))
            except (OSError, ValueError, IndexError):  # it has ended
                self._forget(key)
                runs.append(-1)
        return tuple(runs)

    def _opened(self, key: tuple[int, str]) -> tuple[int, int]:
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

    def _forget(self, key: tuple[int, str]) -> None:
        for descriptor in self._open.pop(key, ()):
            os.close(descriptor)

"""Keep the machine within its memory and processes."""

import os
import resource
import signal
import threading
from pathlib import Path

__all__ = ["MemoryGuard", "limit_processes"]

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PERIOD_SEC = 0.5
_MAX_FILE_BYTES = 512 * 2**20


def limit_processes(memory_bytes: int, processes: int) -> None:
    """Set the limits that every process of the machine inherits and none can raise.

    Args:
        memory_bytes: Most resident memory of the machine; the address space of each process may
            be twice as large, because programs reserve more than they use.
        processes: Most processes and threads.
    """
    for limit, value in (
        (resource.RLIMIT_AS, 2 * memory_bytes),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_FSIZE, _MAX_FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))


class MemoryGuard(threading.Thread):
    """Kills the largest process when all together hold more than the limit.

    Args:
        limit_bytes: Most resident memory of all processes.
    """

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(name="memory-guard", daemon=True)
        self._limit_bytes = limit_bytes
        self._stopped = threading.Event()

    def run(self) -> None:
        """Look twice a second."""
        while not self._stopped.wait(_PERIOD_SEC):
            self.check()

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()

    def check(self) -> int | None:
        """Look once; return the process that was killed, if any."""
        resident = _resident_bytes()
        own = resident.pop(os.getpid(), 0)
        if own + sum(resident.values()) <= self._limit_bytes or not resident:
            return None
        largest = max(resident, key=lambda pid: resident[pid])
        try:
            os.kill(largest, signal.SIGKILL)
        except ProcessLookupError:
            return None
        return largest


def _resident_bytes() -> dict[int, int]:
    """Return resident memory without shared pages by process (proc(5), ``statm``)."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != "1":
            try:
                fields = (entry / "statm").read_text().split()
            except OSError:
                continue
            found[int(entry.name)] = (int(fields[1]) - int(fields[2])) * _PAGE_BYTES
    return found

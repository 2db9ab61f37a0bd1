"""Memory and CPU time of a process and all its descendants."""

import contextlib
import os
from pathlib import Path

__all__ = ["ProcessTreeCpu", "process_tree", "tree_cpu_sec", "tree_memory_bytes"]

_UTIME, _STIME, _CSTIME, _STARTTIME = 10, 11, 13, 18  # indices in the result of `_stat`


def process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants, parents first, from the kernel's lists (proc(5)).

    A process whose parent exits during the call may be missed.
    """
    pids = [pid]
    for current in pids:
        tasks = f"/proc/{current}/task"
        with contextlib.suppress(OSError):  # the process exited
            for task in os.listdir(tasks):
                # Not pathlib, which is much slower: sandboxes are checked constantly.
                with open(f"{tasks}/{task}/children", "rb", buffering=0) as children:
                    pids.extend(map(int, children.readall().split()))
    return pids


def tree_memory_bytes(pid: int) -> int:
    """Return the proportional set size of a process tree in bytes.

    Source: ``Pss`` of ``/proc/<pid>/smaps_rollup`` (proc(5)), which divides shared pages among
    their users. Processes that exit during the call count as zero.
    """
    return sum(_pss_bytes(process) for process in process_tree(pid))


def tree_cpu_sec(pid: int) -> float:
    """Return the CPU time that a process tree has used so far, in seconds.

    Source: ``utime``, ``stime`` and those of reaped children in ``/proc/<pid>/stat`` (proc(5)), in
    ticks of 10 ms.
    """
    ticks = 0
    for process in process_tree(pid):
        with contextlib.suppress(OSError):  # the process exited
            ticks += sum(_stat(process)[_UTIME : _CSTIME + 1])
    return ticks / os.sysconf("SC_CLK_TCK")


class ProcessTreeCpu:
    """Accumulates the CPU time of a process tree, including processes that have exited.

    The processes of a closed sandbox are killed without being reaped by a parent, so no parent
    accounts for their time. Their last measurement counts.

    Args:
        pid: The root process.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ticks: dict[tuple[int, int], int] = {}  # by pid, which may be reused, and start time
        self._initial_ticks = self._total_ticks()

    def sec(self) -> float:
        """Measure all processes; return the CPU seconds used since the first measurement."""
        return (self._total_ticks() - self._initial_ticks) / os.sysconf("SC_CLK_TCK")

    def _total_ticks(self) -> int:
        for process in process_tree(self._pid):
            with contextlib.suppress(OSError):  # the process exited
                stat = _stat(process)
                self._ticks[process, stat[_STARTTIME]] = stat[_UTIME] + stat[_STIME]
        return sum(self._ticks.values())


def _stat(process: int) -> tuple[int, ...]:
    """Return the fields of ``/proc/<pid>/stat`` from the fourth on (proc(5))."""
    return tuple(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1:]))


def _pss_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)

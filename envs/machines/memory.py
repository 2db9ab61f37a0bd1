"""How much memory and processor time a process and all its descendants take."""

import contextlib
import os
from pathlib import Path

__all__ = ["TreeCpu", "process_tree", "tree_cpu_sec", "tree_memory_bytes"]

_UTIME, _STIME, _CSTIME, _STARTTIME = 10, 11, 13, 18  # places in what `_stat` returns


def process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants, parents first, by the kernel's lists (proc(5)).

    A process whose parent ends at this moment may be missed.
    """
    found = [pid]
    for process in found:
        tasks = f"/proc/{process}/task"
        with contextlib.suppress(OSError):  # it ended meanwhile
            for task in os.listdir(tasks):
                # Not by pathlib, which takes much longer: sandboxes are looked at all the time.
                with open(f"{tasks}/{task}/children", "rb", buffering=0) as children:
                    found.extend(map(int, children.readall().split()))
    return found


def tree_memory_bytes(pid: int) -> int:
    """Return the proportional set size of a process tree in bytes.

    Source: ``Pss`` of ``/proc/<pid>/smaps_rollup`` (proc(5)), which splits shared pages fairly.
    Processes that end meanwhile count as zero.
    """
    return sum(_pss_bytes(process) for process in process_tree(pid))


def tree_cpu_sec(pid: int) -> float:
    """Return the processor time that a process tree has used so far, in seconds.

    Source: ``utime``, ``stime`` and those of children that have ended and were waited for, of
    ``/proc/<pid>/stat`` (proc(5)), in ticks of 10 ms.
    """
    ticks = 0
    for process in process_tree(pid):
        with contextlib.suppress(OSError):  # it ended meanwhile
            ticks += sum(_stat(process)[_UTIME : _CSTIME + 1])
    return ticks / os.sysconf("SC_CLK_TCK")


class TreeCpu:
    """Adds up the processor time of a process tree, and of what has left it.

    A sandbox that is closed takes its processes with it; nobody waits for them, so that no parent
    gets their time. What they had used when they were looked at last counts.

    Args:
        pid: The first process.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._ticks: dict[tuple[int, int], int] = {}  # by number, which is used again, and start
        self._begin = self._sum()

    def sec(self) -> float:
        """Look at all processes; return what they have used since this began, in seconds."""
        return (self._sum() - self._begin) / os.sysconf("SC_CLK_TCK")

    def _sum(self) -> int:
        for process in process_tree(self._pid):
            with contextlib.suppress(OSError):  # it ended meanwhile
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

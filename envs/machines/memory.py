"""How much memory and processor time a process and all its descendants take."""

import os
from pathlib import Path

__all__ = ["process_tree", "tree_cpu_sec", "tree_memory_bytes"]


def process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants, parents first, by the kernel's lists (proc(5)).

    A process whose parent ends at this moment may be missed.
    """
    found = [pid]
    for process in found:
        tasks = Path(f"/proc/{process}/task")
        try:
            for task in tasks.iterdir():
                found.extend(int(child) for child in (task / "children").read_text().split())
        except OSError:
            continue  # it ended meanwhile
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
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _pss_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)

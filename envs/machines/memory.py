"""How much memory a process and all its descendants take."""

from pathlib import Path

__all__ = ["process_tree", "tree_memory_bytes"]


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


def _pss_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)

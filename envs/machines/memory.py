"""How much memory a process and all its descendants take."""

from pathlib import Path

__all__ = ["descendants", "process_tree", "tree_memory_bytes"]


def process_tree(pid: int) -> list[int]:
    """Return a process and all its descendants, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue  # it ended meanwhile
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid]
    for process in found:
        found.extend(children.get(process, ()))
    return found


def descendants(pid: int) -> list[int]:
    """Return a process and those below it, by the kernel's own lists of children (proc(5)).

    Cheaper than `process_tree` where many other processes run; a process whose parent ends at
    this moment may be missed.
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

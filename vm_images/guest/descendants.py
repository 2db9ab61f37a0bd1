"""End all descendants of a desktop, including reparented ones (Linux)."""

import contextlib
import os
import signal
import time

__all__ = ["ProcessTree", "end_descendants", "reap_orphans"]

_POLL_SEC = 0.005


def reap_orphans(excluded_pid: int) -> None:
    """Reap the ended children of this process, except one that another caller waits for."""
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid == excluded_pid:
                return
            os.waitpid(ended.si_pid, 0)


class ProcessTree:
    """Some processes and all their descendants.

    Args:
        roots: Their process ids.
    """

    def __init__(self, *roots: int) -> None:
        self._roots = roots
        self._entries: list[str] = []
        self._pids: frozenset[int] = frozenset()

    def pids(self) -> frozenset[int]:
        """Return the ids of the current processes."""
        entries = os.listdir("/proc")
        if entries != self._entries:  # otherwise no process has started or ended
            self._entries = entries
            self._pids = frozenset(_descendants(*self._roots)) | set(self._roots)
        return self._pids


def end_descendants(deadline: float) -> bool:
    """Kill and reap all descendants of this process.

    Args:
        deadline: `time.monotonic` moment at which to give up.

    Returns:
        Whether all have ended.
    """
    while pids := _descendants(os.getpid()):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SEC)
    return True


def _descendants(*roots: int) -> set[int]:
    """Return the ids of all descendants of some processes (proc(5), fourth field of ``stat``)."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with (
                contextlib.suppress(OSError, ValueError, IndexError),
                open(f"/proc/{name}/stat", "rb") as file,
            ):
                # The second field may contain spaces and parentheses.
                parent = int(file.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    descendants: set[int] = set()
    frontier = list(roots)
    while frontier:
        child_pids = children.get(frontier.pop(), [])
        frontier.extend(pid for pid in child_pids if pid not in descendants)
        descendants.update(child_pids)
    return descendants

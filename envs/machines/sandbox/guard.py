"""Enforces a sandbox's total resource limits from outside: one that exceeds them is killed.

A thread of this process checks all sandboxes four times a second. It counts the private memory of
their processes, shared memory, and files in tmpfs. The seccomp filter inside blocks other ways to
hold memory outside a process.
"""

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pptarena.envs.machines.memory import process_tree

__all__ = ["DESKTOP", "PERIOD_SEC", "WRITABLE", "Guard", "Share", "Taken", "guard"]

PERIOD_SEC = 0.25
_INODE_BYTES = 1024  # approximate kernel memory per file besides its contents
WRITABLE = ("tmp", "home", "run", "dev/shm")
DESKTOP = "soffice.bin"
_STATUS = re.compile(rb"^(Name|RssAnon|RssShmem|Threads):\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Share:
    """The resource limits of one sandbox.

    Attributes:
        memory_bytes: Memory of all processes and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Taken:
    """The resource usage of one sandbox.

    Attributes:
        memory_bytes: Anonymous and shared memory of its processes, and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int

    def excess(self, share: Share) -> str:
        """Describe which limits are exceeded; "" if none."""
        if self.memory_bytes > share.memory_bytes:
            mib = self.memory_bytes >> 20, share.memory_bytes >> 20
            return f"its programs and files took {mib[0]} MiB of memory, {mib[1]} MiB are allowed"
        if self.tasks > share.tasks:
            return f"it had {self.tasks} processes and threads, {share.tasks} are allowed"
        return ""


@dataclass(slots=True)
class _Watched:
    pid: int
    share: Share
    end: Callable[[str], None]
    folders: list[int] = field(default_factory=list)

    def close(self) -> None:
        while self.folders:
            os.close(self.folders.pop())


class Guard:
    """Monitors the sandboxes of one process."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._lock = threading.Lock()
        self._some = threading.Event()
        self._started = False

    def watch(self, pid: int, share: Share, end: Callable[[str], None]) -> None:
        """Start monitoring a sandbox.

        Args:
            pid: Its first process.
            share: Its limits.
            end: Stops the sandbox; called once, in the guard's thread, with the reason.
        """
        with self._lock:
            self._watched[pid] = _Watched(pid, share, end)
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="pptarena-guard", daemon=True).start()
        self._some.set()

    def leave(self, pid: int) -> None:
        """Stop monitoring a sandbox; ignored if it is not monitored."""
        with self._lock:
            watched = self._watched.pop(pid, None)
            if watched is not None:
                watched.close()

    def _run(self) -> None:
        while True:
            self._some.wait()
            time.sleep(PERIOD_SEC)
            for pid in list(self._watched):
                self._look(pid)
            with self._lock:
                if not self._watched:
                    self._some.clear()

    def _look(self, pid: int) -> None:
        with self._lock:
            watched = self._watched.get(pid)
            reason = "" if watched is None else taken(pid, watched.folders).excess(watched.share)
        if watched is not None and reason:
            self.leave(pid)
            watched.end(reason)


def taken(pid: int, folders: list[int]) -> Taken:
    """Return the resource usage of a sandbox.

    Args:
        pid: Its first process.
        folders: Descriptors of its tmpfs mounts; filled once the desktop is ready.
    """
    memory = tasks = 0
    for process in process_tree(pid):
        try:
            with open(f"/proc/{process}/status", "rb", buffering=0) as file:
                fields = dict(_STATUS.findall(file.readall()))
        except OSError:
            continue  # the process exited
        memory += sum(int(fields.get(name, 0)) for name in (b"RssAnon", b"RssShmem")) * 1024
        tasks += int(fields.get(b"Threads", 0))
        if not folders and fields.get(b"Name") == DESKTOP.encode():
            folders += _open_folders(process)
    for folder in folders:
        facts = os.fstatvfs(folder)
        memory += (facts.f_blocks - facts.f_bfree) * facts.f_frsize
        memory += (facts.f_files - facts.f_ffree) * _INODE_BYTES
    return Taken(memory, tasks)


def _open_folders(process: int) -> list[int]:
    found = []
    for name in WRITABLE:
        with contextlib.suppress(OSError):
            place = f"/proc/{process}/root/{name}"
            found.append(os.open(place, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
    return found


_GUARDS: dict[int, Guard] = {}  # by process id: a forked child gets its own


def guard() -> Guard:
    """Return the guard of this process."""
    return _GUARDS.setdefault(os.getpid(), Guard())

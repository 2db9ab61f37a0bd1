"""Bounds what a sandbox takes together, from outside: one that takes more than its share is ended.

A thread of this process looks at all sandboxes four times a second. What it counts is what their
processes hold by themselves, shared memory, and the files in their file systems in memory. The
filter of system calls inside leaves no other way to hold memory that belongs to no process.
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
_INODE_BYTES = 1024  # about what the kernel keeps of a file besides its contents
WRITABLE = ("tmp", "home", "run", "dev/shm")
DESKTOP = "soffice.bin"
_STATUS = re.compile(rb"^(Name|RssAnon|RssShmem|Threads):\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Share:
    """How much one sandbox may take.

    Attributes:
        memory_bytes: Memory of all processes and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Taken:
    """How much one sandbox has.

    Attributes:
        memory_bytes: Anonymous and shared memory of its processes, and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int

    def excess(self, share: Share) -> str:
        """Return in words what goes beyond a share, "" if nothing does."""
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
    """Watches the sandboxes of one process."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._lock = threading.Lock()
        self._some = threading.Event()
        self._started = False

    def watch(self, pid: int, share: Share, end: Callable[[str], None]) -> None:
        """Watch a sandbox from now on.

        Args:
            pid: Its first process.
            share: What it may take.
            end: Ends it; called once, in the guard's thread, with the reason.
        """
        with self._lock:
            self._watched[pid] = _Watched(pid, share, end)
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="pptarena-guard", daemon=True).start()
        self._some.set()

    def leave(self, pid: int) -> None:
        """Watch a sandbox no more; nothing happens if it is not watched."""
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
    """Return what a sandbox has taken.

    Args:
        pid: Its first process.
        folders: Descriptors of its file systems in memory; filled once the desktop is there.
    """
    memory = tasks = 0
    for process in process_tree(pid):
        try:
            with open(f"/proc/{process}/status", "rb", buffering=0) as file:
                fields = dict(_STATUS.findall(file.readall()))
        except OSError:
            continue  # it ended meanwhile
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


_GUARDS: dict[int, Guard] = {}  # by process id: a forked child gets one of its own


def guard() -> Guard:
    """Return the guard of this process."""
    return _GUARDS.setdefault(os.getpid(), Guard())

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

from pptarena.envs.machines.process_tree import process_tree

__all__ = ["DESKTOP", "PERIOD_SEC", "WRITABLE", "Guard", "ResourceLimits", "ResourceUsage", "guard"]

PERIOD_SEC = 0.25
_INODE_BYTES = 1024  # approximate kernel memory per file besides its contents
WRITABLE = ("tmp", "home", "run", "dev/shm")
DESKTOP = "soffice.bin"
_STATUS = re.compile(rb"^(Name|RssAnon|RssShmem|Threads):\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """The resource limits of one sandbox.

    Attributes:
        memory_bytes: Memory of all processes and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """The resource usage of one sandbox.

    Attributes:
        memory_bytes: Anonymous and shared memory of its processes, and files in memory.
        tasks: Processes and threads.
    """

    memory_bytes: int
    tasks: int

    def excess(self, limits: ResourceLimits) -> str:
        """Describe which limits are exceeded; "" if none."""
        if self.memory_bytes > limits.memory_bytes:
            mib = self.memory_bytes >> 20, limits.memory_bytes >> 20
            return f"its programs and files took {mib[0]} MiB of memory, {mib[1]} MiB are allowed"
        if self.tasks > limits.tasks:
            return f"it had {self.tasks} processes and threads, {limits.tasks} are allowed"
        return ""


@dataclass(slots=True)
class _WatchedSandbox:
    pid: int
    limits: ResourceLimits
    end: Callable[[str], None]
    folders: list[int] = field(default_factory=list)

    def close(self) -> None:
        while self.folders:
            os.close(self.folders.pop())


class Guard:
    """Monitors the sandboxes of one process."""

    def __init__(self) -> None:
        self._sandboxes: dict[int, _WatchedSandbox] = {}
        self._lock = threading.Lock()
        self._is_watching = threading.Event()
        self._started = False

    def watch(self, pid: int, limits: ResourceLimits, end: Callable[[str], None]) -> None:
        """Start monitoring a sandbox.

        Args:
            pid: Its first process.
            limits: Its limits.
            end: Stops the sandbox; called once, in the guard's thread, with the reason.
        """
        with self._lock:
            self._sandboxes[pid] = _WatchedSandbox(pid, limits, end)
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="pptarena-guard", daemon=True).start()
        self._is_watching.set()

    def unwatch(self, pid: int) -> None:
        """Stop monitoring a sandbox; ignored if it is not monitored."""
        with self._lock:
            sandbox = self._sandboxes.pop(pid, None)
            if sandbox is not None:
                sandbox.close()

    def _run(self) -> None:
        while True:
            self._is_watching.wait()
            time.sleep(PERIOD_SEC)
            for pid in list(self._sandboxes):
                self._check(pid)
            with self._lock:
                if not self._sandboxes:
                    self._is_watching.clear()

    def _check(self, pid: int) -> None:
        with self._lock:
            sandbox = self._sandboxes.get(pid)
            reason = (
                ""
                if sandbox is None
                else resource_usage(pid, sandbox.folders).excess(sandbox.limits)
            )
        if sandbox is not None and reason:
            self.unwatch(pid)
            sandbox.end(reason)


def resource_usage(pid: int, folders: list[int]) -> ResourceUsage:
    """Return the resource usage of a sandbox.

    Args:
        pid: Its first process.
        folders: Descriptors of its tmpfs mounts; filled once the desktop is ready.
    """
    memory_bytes = tasks = 0
    for process in process_tree(pid):
        try:
            with open(f"/proc/{process}/status", "rb", buffering=0) as file:
                fields = dict(_STATUS.findall(file.readall()))
        except OSError:
            continue  # the process exited
        memory_bytes += sum(int(fields.get(name, 0)) for name in (b"RssAnon", b"RssShmem")) * 1024
        tasks += int(fields.get(b"Threads", 0))
        if not folders and fields.get(b"Name") == DESKTOP.encode():
            folders += _open_folders(process)
    for folder in folders:
        usage = os.fstatvfs(folder)
        memory_bytes += (usage.f_blocks - usage.f_bfree) * usage.f_frsize
        memory_bytes += (usage.f_files - usage.f_ffree) * _INODE_BYTES
    return ResourceUsage(memory_bytes, tasks)


def _open_folders(process: int) -> list[int]:
    folders = []
    for name in WRITABLE:
        with contextlib.suppress(OSError):
            path = f"/proc/{process}/root/{name}"
            folders.append(os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
    return folders


_GUARDS: dict[int, Guard] = {}  # by process id: a forked child gets its own


def guard() -> Guard:
    """Return the guard of this process."""
    return _GUARDS.setdefault(os.getpid(), Guard())

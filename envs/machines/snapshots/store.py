"""On-disk snapshots of machines, shared by all processes of this computer.

A snapshot is created once, by one process, in a temporary folder that is then renamed. Users hold a
shared lock; unused snapshots may be removed, least recently used first, when the disk space limit
is reached.
"""

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.envs.machines.snapshots.locks import FileLock
from pptarena.envs.machines.snapshots.scratch import clear_stale_scratch, scratch_home
from pptarena.errors import HostError, MachineTimeoutError
from pptarena.files import Folder, remove_folder
from pptarena.paths import cache_home

__all__ = ["Snapshot", "SnapshotStore", "disk_bytes"]

_log = logging.getLogger(__name__)

_FACTS = "facts.json"
_BUILDING = ".building-"
_LOCKS = ".locks"
_KIND = "snapshot"  # content of the marker file
_BUILDER_LOCK_SEC = 0.1  # to become the builder; otherwise another process is building
_GIB = 2**30

Build = Callable[[Path], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot.

    Attributes:
        name: A name that covers everything it depends on.
        folder: Folder with the state and the builder's files.
        facts: JSON data recorded by the builder.
    """

    name: str
    folder: Path
    facts: dict[str, Any]

    @property
    def disk_bytes(self) -> int:
        """Disk space of the files in bytes."""
        return disk_bytes(self.folder)


class SnapshotStore:
    """The snapshots of this computer.

    Args:
        limit_bytes: Most disk space of snapshots and checkpoints together; needed to create any.
        folder: Folder of the snapshots; by default ``snapshots`` in the cache folder.
        durable: Whether new snapshots must survive a crash of the system.
    """

    def __init__(
        self, limit_bytes: int = 0, folder: Path | None = None, *, durable: bool = True
    ) -> None:
        self._limit_bytes = limit_bytes
        self._durable = durable
        self.folder = folder or cache_home().absolute() / "snapshots"

    @contextmanager
    def use(self, name: str, build: Build, need_bytes: int, wait_sec: float) -> Iterator[Snapshot]:
        """Provide a snapshot for the block and protect it from removal; create it if missing.

        Args:
            name: Its name.
            build: Fills an empty folder and returns facts to record.
            need_bytes: Most disk space of the new snapshot.
            wait_sec: Seconds to wait for another process that is creating it.

        Raises:
            MachineTimeoutError: If another process takes too long to create it.
            HostError: If there is not enough space.
        """
        lock = self._lock(name, wait_sec)  # its builder holds the lock exclusively: wait for it
        try:
            while (snapshot := self._read(name)) is None:
                lock.release()
                self._build_or_wait(name, build, need_bytes)
                lock = self._lock(name, wait_sec)
            with suppress(OSError):  # read-only disk
                os.utime(snapshot.folder)
            yield snapshot
        finally:
            lock.release()

    def ensure_space(self, need_bytes: int) -> None:
        """Remove unused snapshots, least recently used first, until the space is available.

        Raises:
            HostError: If there is still not enough space.
        """
        with _write_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            clear_stale_scratch()
            self.clear_interrupted()
            used, free = self._space()
            can_fit = need_bytes <= self._limit_bytes  # otherwise all would be removed in vain
            for folder in sorted(self.folders(), key=_last_use) if can_fit else ():
                if used + need_bytes <= self._limit_bytes and need_bytes <= free:
                    return
                if self.remove(folder.name):
                    _log.info("removed the snapshot %s to make room", folder.name)
                    used, free = self._space()
        if used + need_bytes > self._limit_bytes or need_bytes > free:
            raise HostError(
                f"a machine's memory needs up to {need_bytes / _GIB:.1f} GiB in "
                f"{self.folder}: {used / _GIB:.1f} of at most {self._limit_bytes / _GIB:.1f} GiB "
                f"are used and {free / _GIB:.1f} are free on the disk; close checkpoints, raise "
                "snapshot_limit_bytes, or free space with: pptarena image rm --snapshots"
            )

    def has(self, name: str) -> bool:
        """Return whether a snapshot exists; it may be damaged."""
        return (self.folder / name).exists()

    def folders(self) -> list[Path]:
        """Return the folders of all snapshots."""
        if not self.folder.is_dir():
            return []
        return [entry for entry in self.folder.iterdir() if not entry.name.startswith(".")]

    def all(self) -> list[Snapshot]:
        """Return all snapshots; damaged ones have no facts."""
        snapshots = ((folder, self._read(folder.name)) for folder in sorted(self.folders()))
        return [snapshot or Snapshot(folder.name, folder, {}) for folder, snapshot in snapshots]

    def remove(self, name: str) -> bool:
        """Remove a snapshot unless it is in use; return whether it is gone.

        Only folders created by a store are removed, and none if the store's folder is a symbolic
        link.
        """
        lock = self._lock_exclusively(name) if self._is_ours(name) else None
        if lock is None:
            return False
        try:
            return remove_folder(self.folder, name, _is_marked)
        finally:
            lock.release()

    def clear_interrupted(self) -> list[Path]:
        """Remove the folders of builders that were killed, and return them."""
        removed = []
        for folder in self.folder.glob(f"{_BUILDING}*"):
            is_ours = self._is_ours(folder.name)
            lock = self._lock_exclusively(_snapshot_name(folder)) if is_ours else None
            if lock is not None:
                if remove_folder(self.folder, folder.name, _is_marked):
                    removed.append(folder)
                lock.release()
        return removed

    def _is_ours(self, name: str) -> bool:
        """Return whether a folder was created by a store and can be removed."""
        if self.folder.is_symlink():
            return False
        try:
            with Folder(self.folder / name) as folder:
                return _is_marked(folder)
        except OSError:
            return False

    def _space(self) -> tuple[int, int]:
        """Return the used part of the limit and the free disk space, in bytes."""
        used = disk_bytes(self.folder) + disk_bytes(scratch_home())
        return used, shutil.disk_usage(self.folder).free

    def _lock_exclusively(self, name: str) -> FileLock | None:
        with suppress(OSError):  # unlockable snapshots cannot be removed either
            return FileLock.acquire(self.folder / _LOCKS / name, shared=False)
        return None

    def _lock(self, name: str, wait_sec: float) -> FileLock:
        """Acquire a shared lock on a snapshot."""
        with _write_errors(self.folder):
            lock = FileLock.acquire(self.folder / _LOCKS / name, shared=True, wait_sec=wait_sec)
        if lock is None:
            raise MachineTimeoutError(
                f"another process did not finish the snapshot {name} within {wait_sec:g} s"
            )
        return lock

    def _build_or_wait(self, name: str, build: Build, need_bytes: int) -> None:
        """Create a snapshot unless another process is creating it or has created it."""
        with _write_errors(self.folder):
            path = self.folder / _LOCKS / name
            lock = FileLock.acquire(path, shared=False, wait_sec=_BUILDER_LOCK_SEC)
        if lock is not None:
            try:
                if self._read(name) is None:
                    self._build(name, build, need_bytes)
            finally:
                lock.release()

    def _read(self, name: str) -> Snapshot | None:
        folder = self.folder / name
        try:
            record = json.loads((folder / _FACTS).read_text("utf-8"))
            facts, sizes = dict(record["facts"]), dict(record["sizes"])
            actual_sizes = {file: (folder / file).stat().st_size for file in sizes}
        except FileNotFoundError as error:
            if folder.exists():
                _log.warning("the snapshot %s is incomplete and is recreated: %s", name, error)
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("the snapshot %s is damaged and is recreated: %r", name, error)
            return None
        if actual_sizes != sizes:
            _log.warning("the snapshot %s is damaged and is recreated: %s", name, actual_sizes)
            return None
        return Snapshot(name, folder, facts)

    def _build(self, name: str, build: Build, need_bytes: int) -> None:
        """Create a snapshot; the caller holds its exclusive lock."""
        with _write_errors(self.folder):
            for folder in self.folder.glob(f"{_BUILDING}*"):
                if _snapshot_name(folder) == name:  # of a killed builder
                    remove_folder(self.folder, folder.name, _is_marked)
        self.ensure_space(need_bytes)
        with _write_errors(self.folder):
            work = Path(tempfile.mkdtemp(prefix=f"{_BUILDING}{name}-", dir=self.folder))
            try:
                with Folder(work) as opened:
                    opened.mark(_KIND)
                facts = build(work)
                sizes = {file.name: file.stat().st_size for file in work.iterdir()}
                record = json.dumps({"facts": facts, "sizes": sizes})
                (work / _FACTS).write_text(record, "utf-8")
                for path in (*work.iterdir(), work) if self._durable else ():
                    _flush(path)  # otherwise a system crash could leave zeroed files
                remove_folder(self.folder, name, _is_marked)  # a damaged snapshot
                work.rename(self.folder / name)
            except BaseException:
                shutil.rmtree(work, ignore_errors=True)
                raise


def disk_bytes(folder: Path) -> int:
    """Return the disk space of a folder in bytes."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_blocks * 512
            except OSError:
                continue  # removed meanwhile
    return total


def _is_marked(folder: Folder) -> bool:
    return folder.is_marked(_KIND)


def _snapshot_name(folder: Path) -> str:
    """Return the name of the snapshot that is built in a folder, which has a random suffix."""
    return folder.name.removeprefix(_BUILDING).rpartition("-")[0]


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # removed meanwhile
        return 0.0


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _write_errors(folder: Path) -> Iterator[None]:
    """Convert write errors to a `HostError` that suggests a fix."""
    try:
        yield
    except OSError as error:
        raise HostError(
            f"cannot write to {folder}: {error}; free some space, or set PPTARENA_HOME to a "
            "folder that can be written"
        ) from error

"""Snapshots of virtual machines on the disk, shared by all processes of this computer.

A snapshot is made once, by one process, in a folder of another name, and appears by one rename.
Whoever uses it holds a shared lock meanwhile; what nobody uses may be removed, oldest use first,
when the bound on the disk space is reached.
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

from pptarena.envs.machines.qemu.kept import KeptState
from pptarena.envs.machines.qemu.locks import FileLock
from pptarena.envs.machines.qemu.scratch import clear_stale_scratch, scratch_home
from pptarena.errors import HostError, MachineTimeoutError
from pptarena.files import Folder, remove_folder
from pptarena.paths import cache_home

__all__ = ["Snapshot", "SnapshotStore", "disk_bytes"]

_log = logging.getLogger(__name__)

_FACTS = "facts.json"
_BUILDING = ".building-"
_LOCKS = ".locks"
_KIND = "snapshot"  # what the mark says
_TURN_SEC = 0.1  # to become the maker; another one is at it otherwise
_GIB = 2**30

Build = Callable[[Path], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One snapshot.

    Attributes:
        name: Names all that it depends on.
        folder: Holds the state and files of whoever made it.
        facts: What its maker wrote down, as JSON.
    """

    name: str
    folder: Path
    facts: dict[str, Any]

    @property
    def state(self) -> KeptState:
        """The kept state of the machine."""
        return KeptState(self.folder)


class SnapshotStore:
    """The snapshots of this computer.

    Args:
        limit_bytes: Most disk space of snapshots and checkpoints together; needed to make any.
        folder: Where they lie; by default ``snapshots`` in the cache folder.
    """

    def __init__(self, limit_bytes: int = 0, folder: Path | None = None) -> None:
        self._limit_bytes = limit_bytes
        self.folder = folder or cache_home().absolute() / "snapshots"

    @contextmanager
    def use(self, name: str, build: Build, need_bytes: int, wait_sec: float) -> Iterator[Snapshot]:
        """Keep a snapshot in place while the block runs; make it first if it is not there.

        Args:
            name: Its name.
            build: Fills an empty folder and returns facts to remember.
            need_bytes: Space that it may take.
            wait_sec: How long to wait while another process makes it.

        Raises:
            MachineTimeoutError: If another process takes too long to make it.
            HostError: If there is no space for it.
        """
        lock = self._lock(name, wait_sec)  # whoever makes it has it exclusively: wait until then
        try:
            while (snapshot := self._read(name)) is None:
                lock.release()
                self._make_in_turn(name, build, need_bytes)
                lock = self._lock(name, wait_sec)
            with suppress(OSError):  # a disk that can only be read
                os.utime(snapshot.folder)
            yield snapshot
        finally:
            lock.release()

    def make_room(self, need_bytes: int) -> None:
        """Remove snapshots that nobody uses, oldest use first, until there is room for more.

        Raises:
            HostError: If there is none even so.
        """
        with _said(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            clear_stale_scratch()
            self.clear_interrupted()
            used, free = self._space()
            possible = need_bytes <= self._limit_bytes  # or all would be removed for nothing
            for folder in sorted(self.folders(), key=_last_use) if possible else ():
                if used + need_bytes <= self._limit_bytes and need_bytes <= free:
                    return
                if self.remove(folder.name):
                    _log.info("removed the snapshot %s to make room", folder.name)
                    used, free = self._space()
        if used + need_bytes > self._limit_bytes or need_bytes > free:
            raise HostError(
                f"a virtual machine's memory needs up to {need_bytes / _GIB:.1f} GiB in "
                f"{self.folder}: {used / _GIB:.1f} of at most {self._limit_bytes / _GIB:.1f} GiB "
                f"are used and {free / _GIB:.1f} are free on the disk; close checkpoints, raise "
                "snapshot_limit_bytes, or free space with: pptarena image rm --snapshots"
            )

    def folders(self) -> list[Path]:
        """Return the folders of all snapshots."""
        if not self.folder.is_dir():
            return []
        return [entry for entry in self.folder.iterdir() if not entry.name.startswith(".")]

    def all(self) -> list[Snapshot]:
        """Return all snapshots; damaged ones have no facts."""
        found = ((folder, self._read(folder.name)) for folder in sorted(self.folders()))
        return [snapshot or Snapshot(folder.name, folder, {}) for folder, snapshot in found]

    def remove(self, name: str) -> bool:
        """Remove a snapshot unless somebody uses it; say whether it is gone.

        What was not made by a store is left alone, and so is all if the store's folder is a link.
        """
        lock = self._take_alone(name) if self._is_ours(name) else None
        if lock is None:
            return False
        try:
            return remove_folder(self.folder, name, _is_marked)
        finally:
            lock.release()

    def clear_interrupted(self) -> list[Path]:
        """Remove what makers left that were killed, and return it."""
        removed = []
        for folder in self.folder.glob(f"{_BUILDING}*"):
            ours = self._is_ours(folder.name)
            lock = self._take_alone(_name_of_building(folder)) if ours else None
            if lock is not None:
                if remove_folder(self.folder, folder.name, _is_marked):
                    removed.append(folder)
                lock.release()
        return removed

    def _is_ours(self, name: str) -> bool:
        """Return whether a folder was made by a store, and may be removed."""
        if self.folder.is_symlink():
            return False
        try:
            with Folder(self.folder / name) as folder:
                return _is_marked(folder)
        except OSError:
            return False

    def _space(self) -> tuple[int, int]:
        """Return what is used of the bound, and what is free on the disk, in bytes."""
        used = disk_bytes(self.folder) + disk_bytes(scratch_home())
        return used, shutil.disk_usage(self.folder).free

    def _take_alone(self, name: str) -> FileLock | None:
        with suppress(OSError):  # what cannot be locked cannot be removed either
            return FileLock.take(self.folder / _LOCKS / name, shared=False)
        return None

    def _lock(self, name: str, wait_sec: float) -> FileLock:
        """Return a shared lock."""
        with _said(self.folder):
            lock = FileLock.take(self.folder / _LOCKS / name, shared=True, wait_sec=wait_sec)
        if lock is None:
            raise MachineTimeoutError(
                f"another process did not finish the snapshot {name} within {wait_sec:g} s"
            )
        return lock

    def _make_in_turn(self, name: str, build: Build, need_bytes: int) -> None:
        """Make a snapshot unless another process is at it, or has made it meanwhile."""
        with _said(self.folder):
            path = self.folder / _LOCKS / name
            lock = FileLock.take(path, shared=False, wait_sec=_TURN_SEC)
        if lock is not None:
            try:
                if self._read(name) is None:
                    self._make(name, build, need_bytes)
            finally:
                lock.release()

    def _read(self, name: str) -> Snapshot | None:
        folder = self.folder / name
        try:
            kept = json.loads((folder / _FACTS).read_text("utf-8"))
            facts, sizes = dict(kept["facts"]), dict(kept["sizes"])
            found = {file: (folder / file).stat().st_size for file in sizes}
        except FileNotFoundError as error:
            if folder.exists():
                _log.warning("the snapshot %s is incomplete and is made again: %s", name, error)
            return None
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("the snapshot %s is damaged and is made again: %r", name, error)
            return None
        if found != sizes:
            _log.warning("the snapshot %s is damaged and is made again: %s", name, found)
            return None
        return Snapshot(name, folder, facts)

    def _make(self, name: str, build: Build, need_bytes: int) -> None:
        """Make a snapshot; its lock is held exclusively."""
        with _said(self.folder):
            for left in self.folder.glob(f"{_BUILDING}*"):
                if _name_of_building(left) == name:  # of a maker that was killed
                    remove_folder(self.folder, left.name, _is_marked)
        self.make_room(need_bytes)
        with _said(self.folder):
            work = Path(tempfile.mkdtemp(prefix=f"{_BUILDING}{name}-", dir=self.folder))
            try:
                with Folder(work) as made:
                    made.mark(_KIND)
                facts = build(work)
                sizes = {file.name: file.stat().st_size for file in work.iterdir()}
                kept = json.dumps({"facts": facts, "sizes": sizes})
                (work / _FACTS).write_text(kept, "utf-8")
                for path in (*work.iterdir(), work):
                    _flush(path)  # or a crash of the computer could leave a folder of zeros
                remove_folder(self.folder, name, _is_marked)  # a damaged one
                work.rename(self.folder / name)
            except BaseException:
                shutil.rmtree(work, ignore_errors=True)
                raise


def disk_bytes(folder: Path) -> int:
    """Return the space that a folder takes on the disk, in bytes."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue  # removed meanwhile
    return total


def _is_marked(folder: Folder) -> bool:
    return folder.is_marked(_KIND)


def _name_of_building(folder: Path) -> str:
    """Return which snapshot is made in a folder, which has some letters after the name."""
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
def _said(folder: Path) -> Iterator[None]:
    """Turn what keeps a folder from being written into an error that says how to go on."""
    try:
        yield
    except OSError as error:
        raise HostError(
            f"cannot write to {folder}: {error}; free some space, or set PPTARENA_HOME to a "
            "folder that can be written"
        ) from error

"""Private folders of running machines, and cleanup after crashes."""

import re
import shutil
import tempfile
import time
from pathlib import Path

from pptarena.envs.machines.snapshots.locks import FileLock
from pptarena.errors import HostError
from pptarena.files import Folder, remove_folder
from pptarena.paths import cache_home

__all__ = [
    "Scratch",
    "clear_stale_scratch",
    "scratch_home",
    "stale_scratch",
]

_LOCK = "lock"
_NEW = ".new-"  # not locked yet
_NEW_SEC = 60.0
_NAME = re.compile(r"(vm-|\.new-)[a-z0-9_]{8}")
_KIND = "scratch"  # content of the marker file


class Scratch:
    """A folder that only this user can access, removed by `release`.

    Its owner holds a lock; an unlocked folder was left by a crash.

    Raises:
        HostError: If the folder cannot be created.

    Attributes:
        folder: The folder.
    """

    def __init__(self) -> None:
        home = scratch_home()
        try:
            home.mkdir(parents=True, exist_ok=True)
            self.folder, self._lock = _create_folder(home)
        except OSError as error:
            raise HostError(
                f"cannot write to {home}: {error}; free some space, or set "
                "PPTARENA_HOME to another disk"
            ) from error

    def release(self) -> None:
        """Remove the folder. Later calls do nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.release()


def scratch_home() -> Path:
    """Return the parent folder of all scratch folders."""
    return cache_home().absolute() / "scratch"  # absolute: QEMU keeps its initial working directory


def stale_scratch() -> list[Path]:
    """Return the scratch folders of crashed owners."""
    home = scratch_home()
    if not home.is_dir() or home.is_symlink():
        return []
    return [folder for folder in sorted(home.iterdir()) if _is_stale(folder)]


def clear_stale_scratch() -> list[Path]:
    """Remove the folders of crashed owners and return them."""
    folders = stale_scratch()
    return [folder for folder in folders if remove_folder(folder.parent, folder.name, _is_ours)]


def _create_folder(home: Path) -> tuple[Path, FileLock]:
    """Create a folder; it is locked before it gets its final name."""
    new = Path(tempfile.mkdtemp(prefix=_NEW, dir=home))
    try:
        with Folder(new) as opened:
            opened.mark(_KIND)
        lock = FileLock.acquire(new / _LOCK, shared=False)
        assert lock is not None, "a new folder is nobody else's"
        return new.rename(home / f"vm-{new.name.removeprefix(_NEW)}"), lock
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _is_ours(folder: Folder) -> bool:
    return folder.is_marked(_KIND)


def _is_stale(folder: Path) -> bool:
    if not _NAME.fullmatch(folder.name):
        return False
    try:
        with Folder(folder) as opened:
            marked = opened.is_marked(_KIND)
        if folder.name.startswith(_NEW):
            return time.time() - folder.lstat().st_mtime > _NEW_SEC
        lock = FileLock.acquire(folder / _LOCK, shared=False) if marked else None
    except OSError:  # removed meanwhile, or not a folder
        return False
    if lock is None:
        return False
    lock.release()
    return True

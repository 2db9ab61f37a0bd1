"""Private folders of running machines, and cleanup after crashes."""

import os
import re
import shutil
import stat
import tempfile
import time
from pathlib import Path

from pptarena.envs.machines.snapshots.locks import FileLock
from pptarena.errors import HostError
from pptarena.files import Folder, remove_folder
from pptarena.paths import cache_home

__all__ = [
    "SOCKET_NAME",
    "Scratch",
    "clear_stale_scratch",
    "scratch_home",
    "socket_home",
    "stale_scratch",
]

SOCKET_NAME = "vnc.sock"

_LOCK = "lock"
_NEW = ".new-"  # not locked yet
_NEW_SEC = 60.0
_RANDOM = "12345678"  # as many characters as tempfile.mkdtemp uses
_NAME = re.compile(r"(vm-|\.new-)[a-z0-9_]{8}")
_KIND = "scratch"  # content of the marker file
_ADDRESS_BYTES = 107  # unix(7): the longest path of a socket


class Scratch:
    """A folder that only this user can access, removed by `release`.

    Its owner holds a lock; an unlocked folder was left by a crash.

    Args:
        home: The parent folder; None for `scratch_home`.

    Raises:
        HostError: If the folder cannot be created.

    Attributes:
        folder: The folder.
    """

    def __init__(self, home: Path | None = None) -> None:
        home = home or scratch_home()
        try:
            home.mkdir(parents=True, exist_ok=True)
            self.folder, self._lock = _make(home)
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


def socket_home() -> Path:
    """Return the parent of folders with sockets: `scratch_home` unless its path is too long.

    Raises:
        HostError: If no short folder belongs to this user alone.
    """
    for home in (scratch_home(), _short_home()):
        if len(os.fsencode(home / f"vm-{_RANDOM}" / SOCKET_NAME)) <= _ADDRESS_BYTES:
            break
    else:
        raise HostError(
            f"{home} is too long for the address of a socket; set PPTARENA_HOME or TMPDIR to a "
            "shorter path"
        )
    if home == _short_home():
        home.mkdir(mode=0o700, exist_ok=True)
        if not _is_private(home):
            raise HostError(
                f"expected {home} to be a folder of this user that no other can enter; "
                "set PPTARENA_HOME to a shorter path"
            )
    return home


def _short_home() -> Path:
    """Return this user's folder in the runtime directory or the temporary directory."""
    home = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    return Path(home).absolute() / f"pptarena-{os.getuid()}"


def _is_private(folder: Path) -> bool:
    try:
        facts = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o077


def stale_scratch() -> list[Path]:
    """Return the scratch folders of crashed owners."""
    homes = [home for home in (scratch_home(),) if home.is_dir() and not home.is_symlink()]
    homes += [home for home in (_short_home(),) if _is_private(home)]
    return [folder for home in homes for folder in sorted(home.iterdir()) if _is_stale(folder)]


def clear_stale_scratch() -> list[Path]:
    """Remove the folders of crashed owners and return them."""
    found = stale_scratch()
    return [folder for folder in found if remove_folder(folder.parent, folder.name, _is_ours)]


def _make(home: Path) -> tuple[Path, FileLock]:
    """Create a folder; it is locked before it gets its final name."""
    new = Path(tempfile.mkdtemp(prefix=_NEW, dir=home))
    try:
        with Folder(new) as made:
            made.mark(_KIND)
        lock = FileLock.take(new / _LOCK, shared=False)
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
        with Folder(folder) as found:
            marked = found.is_marked(_KIND)
        if folder.name.startswith(_NEW):
            return time.time() - folder.lstat().st_mtime > _NEW_SEC
        lock = FileLock.take(folder / _LOCK, shared=False) if marked else None
    except OSError:  # removed meanwhile, or not a folder
        return False
    if lock is None:
        return False
    lock.release()
    return True

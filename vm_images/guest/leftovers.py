"""Remove files that appear in a folder while a desktop runs."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

__all__ = ["Leftovers"]


class Leftovers:
    """Records the entries of folders, to remove newer ones later.

    Args:
        folders: The folders; a missing one counts as empty.
    """

    def __init__(self, folders: Iterable[Path]) -> None:
        self._before = {folder: _names(folder) for folder in folders}

    def remove(self) -> None:
        """Remove new entries that belong to this user; errors are ignored."""
        for folder, before in self._before.items():
            for name in _names(folder) - before:
                _remove(folder / name)


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except FileNotFoundError:
        return set()


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        status = path.lstat()
        if hasattr(os, "getuid") and status.st_uid != os.getuid():
            return
        if stat.S_ISDIR(status.st_mode):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()

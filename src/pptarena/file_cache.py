"""A cache on disk: each result is a sequence of files in a folder named by a hash."""

import contextlib
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pptarena.files import MARK, Folder, remove_folder

__all__ = ["FileCache"]

_log = logging.getLogger(__name__)

_KEY = re.compile(r"[0-9a-f]{64}")
_KIND = "kept"  # contents of the mark
_MAX_BYTES = 2**30


class FileCache:
    """Caches sequences of files by key (least recently used); several processes may share a folder.

    Args:
        folder: Location of the cache; it need not exist.
        max_entries: The maximum number of entries.
    """

    def __init__(self, folder: Path, max_entries: int) -> None:
        self._folder = folder
        self._max_entries = max_entries

    def get(self, key: str) -> tuple[bytes, ...] | None:
        """Return the cached files of a key in order; None if there are none."""
        folder = self._folder / key
        try:
            names = sorted(name for name in os.listdir(folder) if name != MARK)
            with Folder(folder) as entry:
                files = tuple(entry.read(name, _MAX_BYTES) for name in names)
        except OSError:
            return None
        with contextlib.suppress(OSError):  # it may be another user's, or read-only
            os.utime(folder)
        return files

    def put(self, key: str, files: Sequence[bytes], suffix: str) -> None:
        """Cache files under a key, and drop the least recently used entries.

        Failures, such as a read-only folder or a full disk, are ignored.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(dir=self._folder, prefix="."))
        except OSError as error:
            _log.warning("cannot cache files in %s: %s", self._folder, error)
            return
        try:
            for number, file in enumerate(files, start=1):
                (temporary / f"{number:04}{suffix}").write_bytes(file)
            with Folder(temporary) as entry:
                entry.mark(_KIND)
            temporary.rename(self._folder / key)
        except OSError:  # another process was first, or the disk is full
            shutil.rmtree(temporary, ignore_errors=True)
        entries = [folder for folder in self._folder.iterdir() if _KEY.fullmatch(folder.name)]
        if len(entries) > self._max_entries:
            for stale in sorted(entries, key=_last_use)[: -self._max_entries]:
                remove_folder(self._folder, stale.name, lambda entry: entry.is_marked(_KIND))


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # already deleted
        return 0.0

"""Locks between processes that the kernel frees when their holder exits (flock(2))."""

import errno
import fcntl
import os
import time
from pathlib import Path

from pptarena.files import lock_file

__all__ = ["FileLock"]

_POLL_SEC = 0.02


class FileLock:
    """A lock on a file, shared or exclusive, taken with `acquire` and freed with `release`.

    Attributes:
        path: The file; it remains after `release`.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._pid = os.getpid()

    @classmethod
    def acquire(cls, path: Path, *, shared: bool, wait_sec: float = 0.0) -> "FileLock | None":
        """Return the lock; None if it is not free within `wait_sec` seconds.

        Raises:
            OSError: If the file cannot be created, or it or its folder is a symbolic link.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent.is_symlink():
            raise OSError(errno.ELOOP, "it is a link", str(path.parent))
        descriptor = lock_file(path)
        try:
            acquired = _flock(descriptor, shared=shared, deadline=time.monotonic() + wait_sec)
        except BaseException:
            os.close(descriptor)
            raise
        if acquired:
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    def release(self) -> None:
        """Free the lock. Does nothing on later calls or in a forked process."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            if os.getpid() == self._pid:
                # Closing is not enough: a forked process shares the lock.
                fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)


def _flock(descriptor: int, *, shared: bool, deadline: float) -> bool:
    operation = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
    while True:
        try:
            fcntl.flock(descriptor, operation)
            return True
        except OSError as error:
            if error.errno != errno.EWOULDBLOCK:
                raise
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SEC)  # flock has no timeout; only a build in progress waits here

"""Safe access to files and folders that may be controlled by others.

These functions never follow a link, block on a pipe, or remove a folder without the package's mark.
Folders stay open during an operation, so replacing their path meanwhile has no effect.
"""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pptarena.closeable import Closeable

__all__ = [
    "MARK",
    "MAX_TEXT_BYTES",
    "Folder",
    "atomic_write",
    "lock_file",
    "open_file",
    "read_file",
    "read_text",
    "remove_folder",
]

MARK = ".pptarena"
"""Name of the file that marks a folder as removable by this package."""

MAX_TEXT_BYTES = 64 * 2**20
"""Maximum size, in bytes, of a text file named by the user, such as JSON."""

_MAX_BYTES = 2**63 - 1
_MARK_BYTES = 100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ_NAMED = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_file(path: Path, max_bytes: int) -> bytes:
    """Return the contents of a regular file named by the user; links are followed.

    Pipes, devices, sockets, folders and files that are too large are rejected before anything is
    read, so the call never blocks on them.

    Args:
        path: The file.
        max_bytes: Maximum size in bytes.

    Raises:
        OSError: If it is not a regular file, is too large or cannot be read.
    """
    with open_file(path, max_bytes) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"expected at most {max_bytes} bytes", str(path))
    return data


def open_file(path: Path, max_bytes: int = _MAX_BYTES) -> IO[bytes]:
    """Open a regular file named by the user for reading; see `read_file`.

    Raises:
        OSError: If it is not a regular file, is too large or cannot be opened.
    """
    with _clear_errors(path):
        _require_regular(os.stat(path), max_bytes, path)
        file = open(os.open(path, _READ_NAMED), "rb")  # noqa: SIM115 - the caller closes it
        try:
            _require_regular(os.fstat(file.fileno()), max_bytes, path)  # it may have been replaced
        except OSError:
            file.close()
            raise
    return file


def read_text(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a regular UTF-8 file named by the user; see `read_file`.

    Raises:
        OSError: As for `read_file`.
        UnicodeDecodeError: If it is not UTF-8.
    """
    return read_file(path, max_bytes).decode("utf-8")


class Folder(Closeable):
    """An open folder, used as a context manager.

    Args:
        path: The folder; its last component must not be a link.
        follow: Whether it may be a link, because the user named it.

    Raises:
        OSError: If it cannot be opened.
    """

    def __init__(self, path: Path, *, follow: bool = False) -> None:
        self.path = path
        with _clear_errors(path):
            self._descriptor = os.open(path, _FOLDER | (0 if follow else os.O_NOFOLLOW))

    def close(self) -> None:
        """Close the folder; further calls do nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def read(self, name: str, max_bytes: int) -> bytes:
        """Return the contents of a regular file directly in the folder.

        Raises:
            OSError: If the name contains a path, or the file is a link, a pipe, a device or too
                large.
        """
        _require_plain(name)
        with _clear_errors(self.path / name):
            handle = os.open(name, _READ, dir_fd=self._descriptor)
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "expected a plain file", str(self.path / name))
            if status.st_size > max_bytes:
                raise OSError(errno.EFBIG, f"expected at most {max_bytes} bytes", str(self.path))
            return file.read(max_bytes)

    def mark(self, kind: str) -> None:
        """Mark the folder as created by this package, with its type."""
        with open(os.open(MARK, _NEW, 0o600, dir_fd=self._descriptor), "w") as file:
            file.write(f"pptarena {kind}\n")

    def is_marked(self, kind: str) -> bool:
        """Return whether the folder contains the current user's `mark`."""
        try:
            content = self.read(MARK, _MARK_BYTES)
            owner = os.stat(MARK, dir_fd=self._descriptor, follow_symlinks=False).st_uid
        except OSError:
            return False
        return content == f"pptarena {kind}\n".encode() and owner == os.getuid()

    def is_bare(self) -> bool:
        """Return whether the folder is empty, or contains only an unfinished mark."""
        names = os.listdir(self._descriptor)
        if names != [MARK]:
            return not names
        status = os.stat(MARK, dir_fd=self._descriptor, follow_symlinks=False)
        return stat.S_ISREG(status.st_mode) and status.st_size == 0

    def clear(self) -> None:
        """Remove all contents of the folder, the mark last; link targets are not removed.

        Raises:
            OSError: If something cannot be removed.
        """
        names = sorted(os.listdir(self._descriptor), key=lambda name: name == MARK)
        for name in names:
            status = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                self._remove_tree(name)
            else:
                os.unlink(name, dir_fd=self._descriptor)

    def _remove_tree(self, name: str) -> None:
        try:
            shutil.rmtree(name, dir_fd=self._descriptor)
        except PermissionError:  # images built without root contain folders closed to their owner
            os.chmod(name, 0o700, dir_fd=self._descriptor)
            for _, names, _, descriptor in os.fwalk(name, dir_fd=self._descriptor):
                for entry in names:
                    status = os.stat(entry, dir_fd=descriptor, follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        os.chmod(entry, 0o700, dir_fd=descriptor)
            shutil.rmtree(name, dir_fd=self._descriptor)


def remove_folder(home: Path, name: str, is_ours: Callable[[Folder], bool]) -> bool:
    """Remove a folder of this package, or one that is bare (`Folder.is_bare`).

    Args:
        home: The parent folder; if it is a link, nothing is removed.
        name: Name of the folder in `home`.
        is_ours: Predicate called with the open folder.

    Returns:
        Whether the folder was removed.
    """
    _require_plain(name)
    try:
        with Folder(home) as parent:
            with Folder(home / name) as folder:
                if not folder.is_bare() and not is_ours(folder):
                    return False
                folder.clear()
            os.rmdir(name, dir_fd=parent._descriptor)
    except OSError:
        return False
    return True


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Write a file atomically: it replaces `path` when complete. Links are not followed.

    Raises:
        OSError: If it cannot be written; the previous file is then unchanged.
    """
    partial = path.with_name(f".{path.name[:80]}.{secrets.token_hex(6)}")
    with open(os.open(partial, _NEW, 0o666), "wb") as file:
        try:
            yield file
            file.flush()
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def lock_file(path: Path) -> int:
    """Open or create a lock file and return its descriptor.

    Raises:
        OSError: If it is a link, not a regular file, or cannot be created.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with _clear_errors(path):
        descriptor = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "expected a plain file", str(path))
    return descriptor


_TYPES: Mapping[int, str] = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _require_regular(status: os.stat_result, max_bytes: int, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        file_type = _TYPES.get(stat.S_IFMT(status.st_mode), "something else")
        raise OSError(errno.EINVAL, f"expected a plain file, found {file_type}", str(path)[:300])
    if status.st_size > max_bytes:
        reason = f"expected at most {max_bytes} bytes, found {status.st_size}"
        raise OSError(errno.EFBIG, reason, str(path)[:300])


def _require_plain(name: str) -> None:
    if not name or name in (".", "..") or "/" in name or "\0" in name:
        raise OSError(errno.EINVAL, "expected the name of a file in the folder itself", name[:100])


@contextmanager
def _clear_errors(path: Path) -> Iterator[None]:
    """Replace the system's misleading errors about links, and shorten paths in errors."""
    try:
        yield
    except ValueError as error:  # a NUL in the path
        raise OSError(errno.EINVAL, str(error), repr(str(path))[:200]) from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and os.path.islink(path):
            raise OSError(errno.ELOOP, "it is a link", str(path)) from error
        reason = error.strerror or os.strerror(error.errno or 0)
        raise OSError(error.errno, reason, str(path)[:300]) from error

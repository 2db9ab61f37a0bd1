"""Files and folders that somebody else may have written.

Nothing here follows a link, waits on a pipe, or removes what does not carry our own mark. Folders
are held open while something is done in them, so that it makes no difference what takes their name
meanwhile.
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

from pptarena.closing import Closing

__all__ = [
    "MARK",
    "MAX_TEXT_BYTES",
    "Folder",
    "lock_file",
    "open_file",
    "read_file",
    "read_text",
    "remove_folder",
    "replacing",
]

MARK = ".pptarena"
"""Name of the file that says that a folder is ours to remove."""

MAX_TEXT_BYTES = 64 * 2**20
"""Most bytes of a text file, such as JSON, that a user names."""

_MOST_BYTES = 2**63 - 1
_MARK_BYTES = 100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_READ_NAMED = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_file(path: Path, max_bytes: int) -> bytes:
    """Return the contents of a plain file that the user named; a link is followed.

    Nothing is waited for: pipes, devices, sockets and folders are refused, and so is a file that
    is too large, before any of it is read.

    Args:
        path: The file.
        max_bytes: Most bytes that it may have.

    Raises:
        OSError: If it is not a plain file, is too large, or cannot be read.
    """
    with open_file(path, max_bytes) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"expected at most {max_bytes} bytes", str(path))
    return data


def open_file(path: Path, max_bytes: int = _MOST_BYTES) -> IO[bytes]:
    """Open a plain file that the user named, to be read in pieces; see `read_file`.

    Raises:
        OSError: If it is not a plain file, is too large, or cannot be opened.
    """
    with _explained(path):
        _require_regular(os.stat(path), max_bytes, path)
        file = open(os.open(path, _READ_NAMED), "rb")  # noqa: SIM115 - the caller closes it
        try:
            _require_regular(os.fstat(file.fileno()), max_bytes, path)  # if another took its place
        except OSError:
            file.close()
            raise
    return file


def read_text(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a plain UTF-8 file that the user named; see `read_file`.

    Raises:
        OSError: As of `read_file`.
        UnicodeDecodeError: If it is not UTF-8.
    """
    return read_file(path, max_bytes).decode("utf-8")


class Folder(Closing):
    """An open folder; to be used in a ``with`` statement.

    Args:
        path: The folder; its last part must be no link.
        follow: Whether it may be one after all: when the user named it.

    Raises:
        OSError: If it cannot be opened.
    """

    def __init__(self, path: Path, *, follow: bool = False) -> None:
        self.path = path
        with _explained(path):
            self._descriptor = os.open(path, _FOLDER | (0 if follow else os.O_NOFOLLOW))

    def close(self) -> None:
        """Close the folder; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def read(self, name: str, max_bytes: int) -> bytes:
        """Return the contents of a plain file that lies in the folder itself.

        Raises:
            OSError: If the name leads elsewhere, or it is a link, a pipe, a device or too large.
        """
        _require_plain(name)
        with _explained(self.path / name):
            handle = os.open(name, _READ, dir_fd=self._descriptor)
        with open(handle, "rb") as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise OSError(errno.EINVAL, "expected a plain file", str(self.path / name))
            if facts.st_size > max_bytes:
                raise OSError(errno.EFBIG, f"expected at most {max_bytes} bytes", str(self.path))
            return file.read(max_bytes)

    def mark(self, kind: str) -> None:
        """Say that the folder is ours, and what it is."""
        with open(os.open(MARK, _NEW, 0o600, dir_fd=self._descriptor), "w") as file:
            file.write(f"pptarena {kind}\n")

    def is_marked(self, kind: str) -> bool:
        """Return whether this user's `mark` is in the folder."""
        try:
            said = self.read(MARK, _MARK_BYTES)
            owner = os.stat(MARK, dir_fd=self._descriptor, follow_symlinks=False).st_uid
        except OSError:
            return False
        return said == f"pptarena {kind}\n".encode() and owner == os.getuid()

    def is_bare(self) -> bool:
        """Return whether nothing is in the folder, or a mark that somebody was about to write."""
        names = os.listdir(self._descriptor)
        if names != [MARK]:
            return not names
        facts = os.stat(MARK, dir_fd=self._descriptor, follow_symlinks=False)
        return stat.S_ISREG(facts.st_mode) and facts.st_size == 0

    def clear(self) -> None:
        """Remove all that is in the folder, the mark last; links go, what they lead to stays.

        Raises:
            OSError: If something cannot be removed.
        """
        names = sorted(os.listdir(self._descriptor), key=lambda name: name == MARK)
        for name in names:
            facts = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
            if stat.S_ISDIR(facts.st_mode):
                self._remove_tree(name)
            else:
                os.unlink(name, dir_fd=self._descriptor)

    def _remove_tree(self, name: str) -> None:
        try:
            shutil.rmtree(name, dir_fd=self._descriptor)
        except PermissionError:  # without root, images hold folders that are closed to their owner
            os.chmod(name, 0o700, dir_fd=self._descriptor)
            for _, names, _, place in os.fwalk(name, dir_fd=self._descriptor):
                for inner in names:
                    if stat.S_ISDIR(os.stat(inner, dir_fd=place, follow_symlinks=False).st_mode):
                        os.chmod(inner, 0o700, dir_fd=place)
            shutil.rmtree(name, dir_fd=self._descriptor)


def remove_folder(home: Path, name: str, is_ours: Callable[[Folder], bool]) -> bool:
    """Remove a folder of ours, or one that is bare (`Folder.is_bare`); say whether it is gone.

    Args:
        home: The folder that it lies in; if it is a link, nothing is removed.
        name: Its name there.
        is_ours: Called with the open folder.
    """
    _require_plain(name)
    try:
        with Folder(home) as place:
            with Folder(home / name) as folder:
                if not folder.is_bare() and not is_ours(folder):
                    return False
                folder.clear()
            os.rmdir(name, dir_fd=place._descriptor)
    except OSError:
        return False
    return True


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that takes its place when it is whole; a link there is replaced, not followed.

    Raises:
        OSError: If it cannot be written; what was there stays then.
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
    """Open a file to be locked, made if need be; return its descriptor.

    Raises:
        OSError: If it is a link or no plain file, or cannot be made.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with _explained(path):
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


def _require_regular(facts: os.stat_result, max_bytes: int, path: Path) -> None:
    if not stat.S_ISREG(facts.st_mode):
        found = _TYPES.get(stat.S_IFMT(facts.st_mode), "something else")
        raise OSError(errno.EINVAL, f"expected a plain file, found {found}", str(path)[:300])
    if facts.st_size > max_bytes:
        reason = f"expected at most {max_bytes} bytes, found {facts.st_size}"
        raise OSError(errno.EFBIG, reason, str(path)[:300])


def _require_plain(name: str) -> None:
    if not name or name in (".", "..") or "/" in name or "\0" in name:
        raise OSError(errno.EINVAL, "expected the name of a file in the folder itself", name[:100])


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say of a link that it is one; the system speaks of too many levels, or of no folder."""
    try:
        yield
    except ValueError as error:  # a NUL in the path
        raise OSError(errno.EINVAL, str(error), repr(str(path))[:200]) from error
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and os.path.islink(path):
            raise OSError(errno.ELOOP, "it is a link", str(path)) from error
        reason = error.strerror or os.strerror(error.errno or 0)
        raise OSError(error.errno, reason, str(path)[:300]) from error

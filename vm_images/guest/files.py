"""Safe access to files in folders where the desktop's user may have put links, pipes or devices."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path

from pptarena.vm_images.guest.errors import OverloadError
from pptarena.vm_images.guest.protocol import MAX_COLLECTED_BYTES, MAX_DECK_BYTES

__all__ = ["read_attachments", "read_deck", "remove", "write_file"]

# Windows has neither flag.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_CAN_OPEN_FOLDERS = os.open in os.supports_dir_fd

_TIMESTAMP_SEC = 1_767_258_000  # 1 January 2026, 9:00 UTC: start of the desktop's clock


def write_file(path: Path, content: bytes) -> None:
    """Write a new file to a real folder, replacing any entry of that name.

    File, folder and siblings get fixed timestamps, because the application's file dialogs show
    them.

    Raises:
        OSError: If it cannot be written.
    """
    with contextlib.suppress(OSError):
        if not stat.S_ISDIR(path.parent.lstat().st_mode):
            path.parent.unlink()
    path.parent.mkdir(exist_ok=True)
    path.parent.chmod(0o700)
    remove(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY
    with os.fdopen(os.open(path, flags, 0o644), "wb") as file:
        file.write(content)
    for entry in (
        path,
        *(sibling for sibling in path.parents[1].iterdir() if sibling.name[0] != "."),
    ):
        with contextlib.suppress(OSError):
            os.utime(entry, (_TIMESTAMP_SEC, _TIMESTAMP_SEC))


def read_deck(path: Path) -> bytes:
    """Read a regular file without following links or blocking.

    Raises:
        OverloadError: If it is not a regular file, is too large, or does not exist.
    """
    try:
        return _read(path, MAX_DECK_BYTES)
    except OSError as error:
        raise OverloadError(f"the deck cannot be read from the disk: {error}") from error


def read_attachments(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return the existing files of a folder by name, without following links.

    Anything but a regular file is left out, and so is a file beyond `MAX_COLLECTED_BYTES` in total.
    """
    contents: dict[str, bytes] = {}
    remaining_bytes = MAX_COLLECTED_BYTES
    folder_descriptor = None
    try:
        if _CAN_OPEN_FOLDERS:  # the user cannot replace an open folder with a link
            folder_descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK)
        for name in names:
            if Path(name).name != name:  # a path leads elsewhere
                continue
            with contextlib.suppress(OSError, OverloadError):
                path = folder / name if folder_descriptor is None else Path(name)
                contents[name] = _read(path, remaining_bytes, folder_descriptor)
                remaining_bytes -= len(contents[name])
    except OSError:
        return {}  # the folder does not exist
    finally:
        if folder_descriptor is not None:
            os.close(folder_descriptor)
    return contents


def _read(path: Path, max_bytes: int, folder: int | None = None) -> bytes:
    flags = os.O_RDONLY | _NO_LINK | _NO_WAIT | _BINARY
    descriptor = os.open(path, flags, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OverloadError(f"{path.name} is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OverloadError(f"{path.name} is larger than {max_bytes} bytes")
    return content


def remove(path: Path) -> None:
    """Remove an entry if it exists; errors are ignored."""
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(path.lstat().st_mode):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()

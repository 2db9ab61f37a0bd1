"""Save the memory of a running virtual machine to a file without copying shared pages.

A machine maps its memory privately from a file. Pages that it has written since are in its own
process, so the current memory is the file plus those pages. The kernel lists them
(``/proc/<pid>/pagemap``, Linux, Documentation/admin-guide/mm/pagemap): they are present and not
file-backed, or swapped out.
"""

import contextlib
import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pptarena.errors import HostError, MachineLostError

__all__ = ["clone_memory", "new_memory", "require_space", "write_private_pages"]

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PRESENT, _SWAPPED, _FILE_BACKED = (np.uint64(1 << bit) for bit in (63, 62, 61))
_CHUNK_BYTES = 8 * 2**20
_FICLONE = 0x40049409  # linux/fs.h: share the blocks, on file systems that support it
# Between two file systems, or on one that only supports reading and writing.
_UNSUPPORTED_ERRNOS = (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)


@dataclass(frozen=True, slots=True)
class _Mapping:
    """A range of a process's address space that maps the memory file."""

    start: int
    end: int
    offset: int


def new_memory(path: Path, size_bytes: int) -> None:
    """Create a sparse file of zeros.

    Raises:
        HostError: If the file cannot be created.
    """
    with _write_errors(path), open(path, "xb") as file:
        os.fchmod(file.fileno(), 0o600)
        file.truncate(size_bytes)


def clone_memory(source: int, target: Path) -> None:
    """Copy a memory file; preserve holes, and share blocks if the file system supports it.

    Args:
        source: Open file descriptor; the file may have been deleted since.
        target: Path of the copy; must not exist.

    Raises:
        HostError: If the disk is full.
    """
    with _write_errors(target), open(target, "xb") as new:
        os.fchmod(new.fileno(), 0o600)
        try:
            fcntl.ioctl(new.fileno(), _FICLONE, source)
        except OSError:
            _copy_data(source, new.fileno())


def require_space(folder: Path, need_bytes: int) -> None:
    """Raise `HostError` if the disk has less than `need_bytes` of free space."""
    with _write_errors(folder / "devices"):
        if shutil.disk_usage(folder).free < need_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def write_private_pages(pid: int, source: int, target: Path) -> int:
    """Write the pages that a stopped machine does not share with its memory file.

    Args:
        pid: Process of the machine.
        source: Open file descriptor of the mapped file, which may have been deleted since.
        target: File to write the pages to, at their offsets; may be the mapped file if it has no
            other user.

    Returns:
        Number of bytes written.

    Raises:
        MachineLostError: If the process exited or does not map the file.
        HostError: If the disk is full, or this host does not allow reading another process's
            memory.
    """
    written = 0
    try:
        mappings = _mappings(pid, source)
        with (
            open(f"/proc/{pid}/pagemap", "rb", buffering=0) as pagemap,
            open(f"/proc/{pid}/mem", "rb", buffering=0) as memory,
            _write_errors(target),
            open(target, "r+b", buffering=0) as file,
        ):
            for mapping in mappings:
                for first, last in _private_ranges(pagemap.fileno(), mapping):
                    _transfer(memory.fileno(), first, last, file.fileno(), mapping)
                    written += last - first
    except PermissionError as error:
        raise HostError(
            f"this host does not let pptarena read the memory of its own machine ({error}); "
            "allow it with: sudo sysctl -w kernel.yama.ptrace_scope=1"
        ) from error
    except OSError as error:
        raise MachineLostError(f"the memory of the machine cannot be read: {error}") from error
    return written


def _mappings(pid: int, source: int) -> list[_Mapping]:
    # The kernel reports the same path in both places, regardless of how the file was opened.
    name = _undeleted(os.readlink(f"/proc/self/fd/{source}".encode()).replace(b"\n", rb"\012"))
    mappings = []
    for line in filter(None, Path(f"/proc/{pid}/maps").read_bytes().split(b"\n")):
        addresses, _, offset, _, _, *path = line.split(None, 5)
        if path and _undeleted(path[0]) == name:
            start, end = (int(part, 16) for part in addresses.split(b"-"))
            mappings.append(_Mapping(start, end, int(offset, 16)))
    if not mappings:
        raise MachineLostError(f"process {pid} has exited or does not map {os.fsdecode(name)}")
    return mappings


def _undeleted(name: bytes) -> bytes:
    return name.removesuffix(b" (deleted)")


def _private_ranges(pagemap: int, mapping: _Mapping) -> Iterator[tuple[int, int]]:
    """Yield address ranges of consecutive private pages."""
    count = (mapping.end - mapping.start) // _PAGE_BYTES
    raw = _read(pagemap, count * 8, mapping.start // _PAGE_BYTES * 8)
    if len(raw) != count * 8:  # a short read would silently lose written pages
        raise MachineLostError("the machine was lost while its memory was read")
    entries = np.frombuffer(raw, np.uint64)
    present = (entries & _PRESENT) != 0
    private = (present & ((entries & _FILE_BACKED) == 0)) | ((entries & _SWAPPED) != 0)
    edges = np.flatnonzero(np.diff(private.astype(np.int8), prepend=0, append=0))
    for first, last in edges.reshape(-1, 2).tolist():
        yield mapping.start + first * _PAGE_BYTES, mapping.start + last * _PAGE_BYTES


def _transfer(memory: int, first: int, last: int, file: int, mapping: _Mapping) -> None:
    address = first
    while address < last:
        data = _read(memory, min(last - address, _CHUNK_BYTES), address)
        _write_all(file, data, mapping.offset + address - mapping.start)
        address += len(data)


def _read(file: int, count: int, offset: int) -> bytes:
    try:
        data = os.pread(file, count, offset)
    except OSError as error:
        raise MachineLostError(f"the memory of the machine cannot be read: {error}") from error
    if not data:
        raise MachineLostError("the machine was lost while its memory was read")
    return data


def _write_all(file: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(file, view, offset)
        view, offset = view[written:], offset + written


def _copy_data(old: int, new: int) -> None:
    size = os.fstat(old).st_size
    os.ftruncate(new, size)
    offset = 0
    while offset < size:
        try:
            offset = os.lseek(old, offset, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # only a hole remains
                return
            raise
        end = os.lseek(old, offset, os.SEEK_HOLE)
        while offset < end:
            offset += _copy_chunk(old, new, offset, min(end - offset, _CHUNK_BYTES))


def _copy_chunk(old: int, new: int, offset: int, count: int) -> int:
    try:
        copied = os.copy_file_range(old, new, count, offset, offset)
    except OSError as error:
        if error.errno not in _UNSUPPORTED_ERRNOS:
            raise
        data = os.pread(old, count, offset)
        _write_all(new, data, offset)
        copied = len(data)
    if copied == 0:
        raise MachineLostError("the memory file became shorter while it was copied")
    return copied


@contextlib.contextmanager
def _write_errors(target: Path) -> Iterator[None]:
    """Convert write errors to a `HostError` that suggests a fix."""
    try:
        yield
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        reason = "no space left" if is_full else f"cannot write ({error})"
        raise HostError(
            f"{reason} in {target.parent} for the memory of a virtual machine; free some with: "
            "pptarena image rm --snapshots, or set PPTARENA_HOME to another disk"
        ) from error

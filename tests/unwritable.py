"""Folders that no user can write to, not even root."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["DISKS", "unwritable"]

DISKS = ("read-only", "full", "a file in the way")


@contextmanager
def unwritable(disk: str, folder: Path) -> Iterator[Path]:
    """Yield a folder that cannot be written to, for one of these reasons."""
    if disk == "read-only":
        yield Path("/proc/sys")  # the kernel allows no new files there
        return
    if disk == "a file in the way":
        (folder / "file").touch()
        yield folder / "file"
        return
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield folder
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

"""The virtual clock of the desktop: only this process advances it.

X server, window manager and application read one page of a file instead of the system clocks
(``clock.so`` of the image, ``vm_images/native/clock.c``). The desktop's programs cannot write to
the file.
"""

import ctypes
import mmap
import os
import struct
from pathlib import Path

from pptarena.vm_images.guest.kernel import wake_all

__all__ = ["NATIVE", "SECOND_NS", "Clock", "has_native"]

NATIVE = Path("/usr/lib/pptarena")
"""Folder of the image's own libraries."""

SECOND_NS = 1_000_000_000
_MAGIC, _VERSION = 0x4B4C4350, 1
_PAGE = struct.Struct("=IIqq")  # struct clock_page of clock.h
_NOW_OFFSET = 8
# Every desktop starts at the same time, so displayed dates do not depend on the real date.
_START_NS = 1_000 * SECOND_NS
_START_REAL_NS = 1_767_258_000 * SECOND_NS  # 1 January 2026, 9:00 UTC


def has_native() -> bool:
    """Return whether this machine has the libraries; early images lack them."""
    return all((NATIVE / name).exists() for name in ("clock.so", "observer.so", "style.so"))


class Clock:
    """A clock for programs started with its environment.

    Args:
        file: Path of its page; the programs must be able to read it.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._now_ns = _START_NS
        file.unlink(missing_ok=True)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            os.ftruncate(descriptor, mmap.PAGESIZE)
            self._page = mmap.mmap(descriptor, mmap.PAGESIZE)
        finally:
            os.close(descriptor)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        _PAGE.pack_into(self._page, 0, _MAGIC, _VERSION, _START_NS, _START_REAL_NS - _START_NS)

    @property
    def now_ns(self) -> int:
        """Virtual time in nanoseconds since an arbitrary origin before the start."""
        return self._now_ns

    def move_to(self, time_ns: int) -> None:
        """Advance the time to `time_ns`; it never moves backward."""
        if time_ns > self._now_ns:
            self._now_ns = time_ns
            struct.pack_into("=q", self._page, _NOW_OFFSET, time_ns)
            wake_all(self._address + _NOW_OFFSET)

    def environment(self) -> dict[str, str]:
        """Return the environment variables that make a program use this clock."""
        return {"LD_PRELOAD": str(NATIVE / "clock.so"), "PPTARENA_CLOCK": str(self._file)}

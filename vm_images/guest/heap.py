"""Memory of pictures is used again instead of being given back: fresh pages cost more than copying.

Source: mallopt(3). A screenshot passes through five buffers of some megabytes each.
"""

import ctypes

__all__ = ["keep_memory"]

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_LARGEST_BYTES = 32 * 2**20  # what glibc allows
_KEPT_BYTES = 256 * 2**20


def keep_memory() -> None:
    """Let this process keep what it frees, up to a bound."""
    libc = ctypes.CDLL(None)
    libc.mallopt(_MMAP_THRESHOLD, _LARGEST_BYTES)
    libc.mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)

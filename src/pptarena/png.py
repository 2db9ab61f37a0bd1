"""A fast encoder of screenshots as PNG."""

import struct

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

__all__ = ["png_bytes"]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 2  # of 0 to 3
_BIT_DEPTH, _RGB = 8, 2


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """Return a picture as a PNG file, losslessly.

    Rows are not filtered. For screenshots, this takes a tenth of the time of Pillow at its fastest
    level, for files of the same size.

    Args:
        pixels: uint8, of shape (height, width, 3), RGB.
    """
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # 0: no filter
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">2I5B", width, height, _BIT_DEPTH, _RGB, 0, 0, 0)
    data = isal_zlib.compress(rows.data, _LEVEL)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = isal_zlib.crc32(content, isal_zlib.crc32(name))
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)

"""Detect transparency in picture files."""

import io
import struct
from collections.abc import Callable

from PIL import Image

from pptarena.decks.read.recent import Recent

__all__ = ["see_through"]

_MAX_PIXELS = 4_000_000
_KEPT = 2_000
_PNG = b"\x89PNG\r\n\x1a\n"
# JPEG, BMP and TIFF: opaque as used in decks.
_SOLID = (b"\xff\xd8", b"BM", b"II*\0", b"MM\0*")
# Windows metafiles paint only what they draw.
_DRAWN = (b"\x01\0\0\0", b"\xd7\xcd\xc6\x9a", b"\x01\0\x09\0")

_known: Recent[str, bool] = Recent(_KEPT)


def see_through(sha256: str, read: Callable[[], bytes]) -> bool:
    """Return whether a picture has transparent pixels; results are cached by digest.

    Pictures that may be transparent count as transparent if they have more than four megapixels or
    cannot be decoded.

    Args:
        sha256: Digest of the file.
        read: Returns the bytes of the file.
    """
    found = _known.get(sha256)
    if found is None:
        found = _look(read())
        _known.put(sha256, found)
    return found


def _look(data: bytes) -> bool:
    if data.startswith(_SOLID):
        return False
    if data.startswith(_PNG):
        return _png(data)
    if data[:4] == b"GIF8" and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return _decoded(data, int(width) * int(height))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return data[12:16] != b"VP8 "
    return data.startswith(_DRAWN) or b"<svg" in data[:4096]


def _png(data: bytes) -> bool:
    if len(data) < 33:
        return False
    width, height, _, color_type = struct.unpack(">IIBB", data[16:26])
    head = data[: max(data.find(b"IDAT"), 33)]
    if color_type not in (4, 6) and b"tRNS" not in head:
        return False
    return _decoded(data, width * height)


def _decoded(data: bytes, pixels: int) -> bool:
    """Return whether a picture with an alpha channel has transparent pixels."""
    if not 0 < pixels <= _MAX_PIXELS:
        return True
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > _MAX_PIXELS:
                return True
            lowest, _ = image.convert("RGBA").getchannel("A").getextrema()
    except (OSError, ValueError, SyntaxError, struct.error, EOFError):
        return True
    return isinstance(lowest, (int, float)) and lowest < 250

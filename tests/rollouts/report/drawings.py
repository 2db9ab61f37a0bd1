"""Simple drawings that replace rendered slides."""

import io
from zlib import crc32

from PIL import Image

from pptarena.decks import read_deck


def gray_slides(deck: bytes) -> list[bytes]:
    """Return a gray rectangle for every slide, with a shade that depends on its content."""
    files = []
    for slide in read_deck(deck).slides:
        shade, stream = crc32(repr(slide).encode()) % 256, io.BytesIO()
        Image.new("RGB", (64, 36), (shade, shade, shade)).save(stream, "PNG")
        files.append(stream.getvalue())
    return files

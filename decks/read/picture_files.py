"""What the files of pictures show, made small."""

import io
import struct
from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import Image

from pptarena.decks.facts.content import THUMBNAIL_PX, PictureFile, Thumbnail
from pptarena.decks.read.recent import Recent
from pptarena.errors import DeckError

__all__ = ["picture_file"]

_MAX_PIXELS: Final = 16_000_000
_KEPT_BYTES: Final = 2**26
_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_WHITE: Final = (255, 255, 255, 255)

_known: Recent[str, PictureFile] = Recent(_KEPT_BYTES)


def picture_file(
    sha256: str, later: Callable[[], Callable[[], bytes]], size_bytes: int
) -> PictureFile:
    """Return what a file shows; the same object for the same file, as long as it is known.

    Args:
        sha256: Of its bytes.
        later: Returns what returns its bytes.
        size_bytes: Its size.
    """
    found = _known.get(sha256)
    if found is None:
        found = PictureFile(partial(_thumbnail, later()))
        _known.put(sha256, found, max(1, size_bytes))
    return found


def _thumbnail(read: Callable[[], bytes]) -> Thumbnail | None:
    try:
        with Image.open(io.BytesIO(read()), formats=_FORMATS) as image:
            width, height = image.size
            if not 0 < width * height <= _MAX_PIXELS:
                return None
            image.draft("RGB", (2 * THUMBNAIL_PX, 2 * THUMBNAIL_PX))
            solid = Image.alpha_composite(
                Image.new("RGBA", image.size, _WHITE), image.convert("RGBA")
            ).convert("RGB")
        small = solid.resize((THUMBNAIL_PX, THUMBNAIL_PX), Image.Resampling.BOX)
    except (OSError, ValueError, SyntaxError, struct.error, EOFError, DeckError):
        return None
    return Thumbnail(width, height, small.tobytes())

"""Repaint palette pictures: paint over a name and rotate the hues."""

import hashlib
from io import BytesIO

from PIL import Image

from pptarena.tasks.edition.draw import Variant
from pptarena.tasks.edition.look import turned

__all__ = ["repainted"]


def repainted(data: bytes, variant: Variant) -> bytes:
    """Return a picture as restyled by a variant; pictures without data for it are unchanged.

    Args:
        data: The picture; pictures with data are palette PNG files.
        variant: The variant.
    """
    box = variant.pictures.get(hashlib.sha256(data).hexdigest())
    if box is None:
        return data
    picture = Image.open(BytesIO(data))
    left, top, right, bottom = box
    ground = picture.tobytes()[top * picture.width + left]  # one byte per pixel: the palette index
    picture.paste(ground, (left, top, right, bottom))
    palette = picture.getpalette() or []
    colors = [
        bytes(palette[place : place + 3]).hex().upper() for place in range(0, len(palette), 3)
    ]
    made = b"".join(bytes.fromhex(turned(color, variant.turn)) for color in colors)
    picture.putpalette(made)
    stream = BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()

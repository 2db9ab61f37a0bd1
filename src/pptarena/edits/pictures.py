"""Edits of pictures."""

import base64
import binascii
import io
from typing import Annotated

from PIL import Image
from pptx.util import Cm as Centimeters
from pydantic import Field

from pptarena.edits.addresses import shown
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Cm, ShapeRef, Share, SlideRef, Text
from pptarena.errors import EditError

__all__ = ["add_picture", "crop_picture"]

_MAX_PIXELS = 4_000_000


def add_picture(
    deck: OpenDeck,
    slide: SlideRef,
    data: Annotated[str, Field(max_length=200_000)],
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    alt_text: Text = "",
) -> int:
    """Add a picture in its own proportions.

    Args:
        slide: The slide.
        data: A PNG or JPEG file in base64.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        alt_text: What it shows, for people who cannot see it.
    """
    if width_cm <= 0:
        raise EditError("expected a width above 0")
    stream = io.BytesIO(_picture(data))
    deck.require_room(shapes=1)
    place = Centimeters(left_cm), Centimeters(top_cm), Centimeters(width_cm)
    made = deck.slide(slide).shapes.add_picture(stream, *place)
    made._element._nvXxPr.cNvPr.set("descr", alt_text)
    return int(made.shape_id)


def crop_picture(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    left: Share = 0.0,
    top: Share = 0.0,
    right: Share = 0.0,
    bottom: Share = 0.0,
) -> None:
    """Show only a part of a picture; its frame stays as it is.

    Args:
        slide: The slide.
        shape: The picture.
        left: Share of its width that is cut off there, from 0 to 0.95.
        top: The same of its height.
        right: The same of its width.
        bottom: The same of its height.
    """
    if left + right > 0.95 or top + bottom > 0.95:
        raise EditError("expected that a twentieth of the picture is left at least")
    found = deck.shape(slide, shape)
    if not hasattr(found, "crop_left"):
        raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} is no picture")
    found.crop_left, found.crop_top, found.crop_right, found.crop_bottom = left, top, right, bottom


def _picture(data: str) -> bytes:
    try:
        found = base64.b64decode(data, validate=True)
        with Image.open(io.BytesIO(found), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            if width * height > _MAX_PIXELS:
                raise EditError(f"expected at most {_MAX_PIXELS} pixels, got {width} x {height}")
            picture.load()
    except (binascii.Error, OSError, ValueError, SyntaxError) as error:
        raise EditError(f"expected a PNG or JPEG file in base64: {error}") from error
    return found

"""Edits of pictures, films and sounds."""

import base64
import binascii
import hashlib
import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from PIL import Image
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn
from pptx.util import Cm as Centimeters
from pydantic import Field

from pptarena.edits.addresses import shown
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Cm, Name, ShapeRef, Share, SlideRef, Text
from pptarena.errors import EditError

__all__ = [
    "add_media",
    "add_picture",
    "copy_image",
    "crop_picture",
    "insert_picture",
    "replace_picture",
    "set_picture_grayscale",
]

_MAX_PIXELS = 4_000_000


MEDIA_TYPES: Mapping[str, str] = MappingProxyType({".avi": "video/x-msvideo", ".wav": "audio/wav"})
"""MIME types by the end of a file name."""


def insert_media(slide: Any, name: str, content: bytes, box: tuple[int, int, int, int]) -> Any:
    """Add a film or a sound to a slide, and return its shape.

    Args:
        slide: The slide.
        name: Name of the file; it ends in one of `MEDIA_TYPES`.
        content: The file.
        box: Left, top, width and height in EMU.
    """
    for part in slide.part.package.iter_parts():
        # python-pptx compares media by their digests, which AVI and WAV lack in an opened deck.
        if part.partname.startswith("/ppt/media/") and not hasattr(part, "sha1"):
            part.sha1 = hashlib.sha1(part.blob, usedforsecurity=False).hexdigest()
    mime_type = MEDIA_TYPES[name[name.rindex(".") :]]
    poster = None if mime_type.startswith("audio") else io.BytesIO(_first_picture(content))
    shape = slide.shapes.add_movie(
        io.BytesIO(content), *box, poster_frame_image=poster, mime_type=mime_type
    )
    if mime_type.startswith("audio"):
        make_audio(slide, shape)
    return shape


def _first_picture(film: bytes) -> bytes:
    """Return the first of the JPEG pictures that an AVI film consists of."""
    start = film.index(b"\xff\xd8\xff")
    return film[start : film.index(b"\xff\xd9", start) + 2]


def make_audio(slide: Any, shape: Any) -> None:
    """Convert a shape that python-pptx has added as a film into a sound."""
    (mark,) = shape._element.iter(qn("a:videoFile"))
    old_id = mark.get(qn("r:link"))
    part = slide.part.related_part(old_id)
    # Applications go by the extension, and python-pptx knows none for this type.
    part.partname = PackURI(str(part.partname).replace(".vid", ".wav"))
    mark.tag = qn("a:audioFile")
    mark.set(qn("r:link"), slide.part.relate_to(part, RT.AUDIO))
    slide.part.drop_rel(old_id)
    for node in slide._element.iter(qn("p:video")):
        (target,) = node.iter(qn("p:spTgt"))
        if target.get("spid") == str(shape.shape_id):
            node.tag = qn("p:audio")


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
    stream = io.BytesIO(_decode_picture(data))
    deck.require_room(shapes=1)
    position = Centimeters(left_cm), Centimeters(top_cm), Centimeters(width_cm)
    picture = deck.slide(slide).shapes.add_picture(stream, *position)
    picture._element._nvXxPr.cNvPr.set("descr", alt_text)
    return int(picture.shape_id)


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
    picture = _picture_shape(deck, slide, shape)
    picture.crop_left, picture.crop_right = left, right
    picture.crop_top, picture.crop_bottom = top, bottom


def _decode_picture(data: str) -> bytes:
    try:
        content = base64.b64decode(data, validate=True)
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as picture:
            width, height = picture.size
            if width * height > _MAX_PIXELS:
                raise EditError(f"expected at most {_MAX_PIXELS} pixels, got {width} x {height}")
            picture.load()
    except (binascii.Error, OSError, ValueError, SyntaxError) as error:
        raise EditError(f"expected a PNG or JPEG file in base64: {error}") from error
    return content


def insert_picture(
    deck: OpenDeck,
    slide: SlideRef,
    file: Name,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    alt_text: Text = "",
) -> int:
    """Add a picture from an attachment of the deck, in its own proportions.

    Args:
        slide: The slide.
        file: Name of the attachment, a PNG or JPEG file.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        alt_text: What it shows, for people who cannot see it.
    """
    image = base64.b64encode(deck.file(file)).decode()
    return add_picture(deck, slide, image, left_cm, top_cm, width_cm, alt_text)


def copy_image(
    deck: OpenDeck,
    slide: SlideRef,
    from_slide: SlideRef,
    shape: ShapeRef,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
) -> int:
    """Add the entire image of another picture, in its own proportions.

    Args:
        slide: The slide that gets the image.
        from_slide: The slide of the other picture.
        shape: The other picture.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
    """
    image = io.BytesIO(_picture_shape(deck, from_slide, shape).image.blob)
    deck.require_room(shapes=1)
    position = Centimeters(left_cm), Centimeters(top_cm), Centimeters(width_cm)
    return int(deck.slide(slide).shapes.add_picture(image, *position).shape_id)


def replace_picture(deck: OpenDeck, slide: SlideRef, shape: ShapeRef, file: Name) -> None:
    """Replace the image of a picture by an attachment of the deck; its frame stays as it is.

    Args:
        slide: The slide.
        shape: The picture.
        file: Name of the attachment.
    """
    picture = _picture_shape(deck, slide, shape)
    _, relation = picture.part.get_or_add_image_part(io.BytesIO(deck.file(file)))
    picture._element.blipFill.blip.rEmbed = relation


def set_picture_grayscale(deck: OpenDeck, slide: SlideRef, shape: ShapeRef) -> None:
    """Show a picture in shades of gray.

    Args:
        slide: The slide.
        shape: The picture.
    """
    blip = _picture_shape(deck, slide, shape)._element.blipFill.blip
    if blip.find(qn("a:grayscl")) is None:
        blip.insert(0, blip.makeelement(qn("a:grayscl"), {}))


def add_media(
    deck: OpenDeck,
    slide: SlideRef,
    file: Name,
    left_cm: Cm,
    top_cm: Cm,
    width_cm: Cm,
    height_cm: Cm,
) -> int:
    """Add a film or a sound from an attachment of the deck.

    Args:
        slide: The slide.
        file: Name of the attachment, an AVI film or a WAV sound.
        left_cm: Its left edge.
        top_cm: Its upper edge.
        width_cm: Its width.
        height_cm: Its height.
    """
    if file[file.rfind(".") :] not in MEDIA_TYPES:
        raise EditError(f"expected a file that ends in {' or '.join(MEDIA_TYPES)}, got {file!r}")
    content = deck.file(file)
    target = deck.slide(slide)
    deck.require_room(shapes=1)
    left, top, width, height = map(Centimeters, (left_cm, top_cm, width_cm, height_cm))
    return int(insert_media(target, file, content, (left, top, width, height)).shape_id)


def _picture_shape(deck: OpenDeck, slide: int | str, shape: str) -> Any:
    picture = deck.shape(slide, shape)
    if not hasattr(picture, "crop_left"):
        raise EditError(f"the shape {shown(shape)} of slide {shown(slide)} is no picture")
    return picture

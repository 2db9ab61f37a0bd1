"""Films and sounds in a python-pptx presentation."""

import hashlib
import io
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn

__all__ = ["MEDIA_TYPES", "insert_media", "make_audio"]

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
    """Turn what python-pptx has added as a film into a sound."""
    (mark,) = shape._element.iter(qn("a:videoFile"))
    old = mark.get(qn("r:link"))
    part = slide.part.related_part(old)
    # Applications go by the extension, and python-pptx knows none for this type.
    part.partname = PackURI(str(part.partname).replace(".vid", ".wav"))
    mark.tag = qn("a:audioFile")
    mark.set(qn("r:link"), slide.part.relate_to(part, RT.AUDIO))
    slide.part.drop_rel(old)
    for node in slide._element.iter(qn("p:video")):
        (target,) = node.iter(qn("p:spTgt"))
        if target.get("spid") == str(shape.shape_id):
            node.tag = qn("p:audio")

"""Films, sounds and pictures in a python-pptx presentation, as goals put them there."""

import hashlib
import io
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn

__all__ = ["add_media", "as_audio", "replace_image"]

_MIME_TYPES = {".avi": "video/x-msvideo", ".wav": "audio/wav"}


def add_media(slide: Any, name: str, content: bytes, box: tuple[int, int, int, int]) -> Any:
    """Put a film or a sound on a slide; the end of its file's name says which, `box` is in EMU."""
    for part in slide.part.package.iter_parts():
        # python-pptx compares media by their digests, which AVI and WAV have not once opened.
        if part.partname.startswith("/ppt/media/") and not hasattr(part, "sha1"):
            part.sha1 = hashlib.sha1(part.blob, usedforsecurity=False).hexdigest()
    mime_type = _MIME_TYPES[name[name.rindex(".") :]]
    poster = None if mime_type.startswith("audio") else io.BytesIO(_first_picture(content))
    shape = slide.shapes.add_movie(
        io.BytesIO(content), *box, poster_frame_image=poster, mime_type=mime_type
    )
    if mime_type.startswith("audio"):
        as_audio(slide, shape)
    return shape


def _first_picture(film: bytes) -> bytes:
    """Return the first of the JPEG pictures that a film is made of, as the application shows it."""
    start = film.index(b"\xff\xd8\xff")
    return film[start : film.index(b"\xff\xd9", start) + 2]


def as_audio(slide: Any, shape: Any) -> None:
    """Make a sound of what python-pptx has added as a film."""
    (mark,) = shape._element.iter(qn("a:videoFile"))
    old = mark.get(qn("r:link"))
    part = slide.part.related_part(old)
    # Applications go by the end of the name, and python-pptx knows none for this sort.
    part.partname = PackURI(str(part.partname).replace(".vid", ".wav"))
    mark.tag = qn("a:audioFile")
    mark.set(qn("r:link"), slide.part.relate_to(part, RT.AUDIO))
    slide.part.drop_rel(old)
    for node in slide._element.iter(qn("p:video")):
        (target,) = node.iter(qn("p:spTgt"))
        if target.get("spid") == str(shape.shape_id):
            node.tag = qn("p:audio")


def replace_image(shape: Any, content: bytes) -> None:
    """Let a picture show another file, in the same place."""
    _, relation = shape.part.get_or_add_image_part(io.BytesIO(content))
    shape._element.blipFill.blip.rEmbed = relation

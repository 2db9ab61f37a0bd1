"""Edits of links, comments and videos."""

import hashlib
import io
from collections.abc import Sequence
from typing import Any

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.audits.meta_eval.finding import Slides, shape_of, slide_of, slides_of
from pptarena.errors import ConfigError
from pptarena.tasks.task_files import packaged_file

__all__ = ["add_film", "delete_comments", "link_shape", "link_text", "link_words"]

_JUMP = "ppaction://hlinksldjump"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def link_shape(
    deck: Any, slide: int, shape: str, to_slide: int | None = None, address: str | None = None
) -> None:
    """Link a shape to a slide of the deck or to an address."""
    action = shape_of(deck, slide, shape).click_action
    if to_slide is not None:
        action.target_slide = slide_of(deck, to_slide)
    else:
        action.hyperlink.address = address


def link_text(deck: Any, slide: int, shape: str, to_slide: int) -> None:
    """Link the text of a shape, not its area, to a slide of the deck."""
    part = slide_of(deck, slide).part
    key = part.relate_to(slide_of(deck, to_slide).part, RELATIONSHIP_TYPE.SLIDE)
    for paragraph in shape_of(deck, slide, shape).text_frame.paragraphs:
        for run in paragraph.runs:
            link = etree.SubElement(run._r.get_or_add_rPr(), qn("a:hlinkClick"))
            link.set(_LINK, key)
            link.set("action", _JUMP)


def link_words(deck: Any, slide: int, shape: str, address: str | None) -> None:
    """Link the text of a shape to an address; None removes the link."""
    for paragraph in shape_of(deck, slide, shape).text_frame.paragraphs:
        for run in paragraph.runs:
            run.hyperlink.address = address


def delete_comments(
    deck: Any, slides: Slides = "all", author: str | None = None, leave_empty: bool = False
) -> None:
    """Delete the comments of slides, or only those of one author.

    `leave_empty` keeps the comments part when no comment remains, as some programs do.
    """
    number = None if author is None else _number_of(deck, author)
    for slide in slides_of(deck, slides):
        for key, relation in list(slide.part.rels.items()):
            if relation.reltype != RELATIONSHIP_TYPE.COMMENTS:
                continue
            comments = etree.fromstring(relation.target_part.blob)
            for comment in list(comments):
                if number is None or comment.get("authorId") == number:
                    comments.remove(comment)
            if len(comments) or leave_empty:
                relation.target_part._blob = etree.tostring(
                    comments, xml_declaration=True, encoding="UTF-8", standalone=True
                )
            else:
                slide.part.rels.pop(key)


def add_film(deck: Any, slide: int, file: str, place_cm: Sequence[float]) -> None:
    """Insert a packaged video such as ``aurora/demo.avi``; `place_cm` is left, top, width, height.

    Its first frame is the poster, as in office applications.
    """
    film = packaged_file(file)
    for part in deck.part.package.iter_parts():
        # python-pptx compares media parts by an attribute that only its own parts have.
        if part.content_type.startswith(("audio/", "video/")) and not hasattr(part, "sha1"):
            part.sha1 = hashlib.sha1(part.blob, usedforsecurity=False).hexdigest()
    slide_of(deck, slide).shapes.add_movie(
        io.BytesIO(film),
        *(Cm(each) for each in place_cm),
        poster_frame_image=io.BytesIO(_first_picture(film)),
        mime_type="video/x-msvideo",
    )


def _first_picture(film: bytes) -> bytes:
    """Return the first JPEG of a motion JPEG video, the format of the packaged videos."""
    start = film.index(b"\xff\xd8")
    return film[start : film.index(b"\xff\xd9", start) + 2]


def _number_of(deck: Any, author: str) -> str:
    known = etree.fromstring(deck.part.part_related_by(RELATIONSHIP_TYPE.COMMENT_AUTHORS).blob)
    for entry in known:
        if entry.get("name") == author:
            return str(entry.get("id"))
    raise ConfigError(f"expected an author of comments, got {author!r}")

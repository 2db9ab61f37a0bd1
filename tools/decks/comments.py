"""Comments on slides, which python-pptx does not support."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import nsdecls

__all__ = ["add_comments"]

_DATE = "2026-09-30T10:00:00.000"
_STEP = 150  # distance between the comments of a slide, in 1/576 inch


def add_comments(presentation: Any, comments: Sequence[Sequence[tuple[str, str]]]) -> None:
    """Add comments to slides.

    Args:
        presentation: The presentation.
        comments: One list per slide of pairs of author and text.
    """
    authors = list(
        dict.fromkeys(author for slide_comments in comments for author, _ in slide_comments)
    )
    counts = dict.fromkeys(authors, 0)
    for slide, slide_comments in zip(presentation.slides, comments, strict=True):
        elements = []
        for position, (author, text) in enumerate(slide_comments, start=1):
            counts[author] += 1
            elements.append(
                f'<p:cm authorId="{authors.index(author)}" dt="{_DATE}" idx="{counts[author]}">'
                f'<p:pos x="{position * _STEP}" y="20"/><p:text>{escape(text)}</p:text></p:cm>'
            )
        if elements:
            _add(
                slide.part,
                "comments/comment%d.xml",
                CT.PML_COMMENTS,
                RT.COMMENTS,
                "cmLst",
                elements,
            )
    author_elements = [
        f'<p:cmAuthor id="{number}" name={quoteattr(author)} initials="{author[0]}" '
        f'lastIdx="{counts[author]}" clrIdx="{number}"/>'
        for number, author in enumerate(authors)
    ]
    if author_elements:
        types = CT.PML_COMMENT_AUTHORS, RT.COMMENT_AUTHORS
        _add(presentation.part, "commentAuthors.xml", *types, "cmAuthorLst", author_elements)


def _add(owner: Any, name: str, content: str, relation: str, root: str, parts: list[str]) -> None:
    path = f"/ppt/{name}"
    uri = owner.package.next_partname(path) if "%d" in name else PackURI(path)
    blob = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><p:{root} {nsdecls("p")}>'
    blob += f"{''.join(parts)}</p:{root}>"
    owner.relate_to(Part(uri, content, owner.package, blob.encode()), relation)

"""Edits of comments."""

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT

from pptarena.edits.markup import write_part
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Name, SlideRef
from pptarena.errors import EditError

__all__ = ["delete_comments"]


def delete_comments(deck: OpenDeck, slide: SlideRef, author: Name | None = None) -> int:
    """Delete comments of a slide.

    Args:
        slide: The slide.
        author: Name of their author; all comments by default.
    """
    target = deck.slide(slide)
    parts = [
        relation.target_part
        for relation in target.part.rels.values()
        if relation.reltype == RT.COMMENTS
    ]
    ids = None if author is None else _author_ids(deck, author)
    count = 0
    for part in parts:
        root = etree.fromstring(part.blob)
        for comment in list(root):
            if ids is None or comment.get("authorId") in ids:
                root.remove(comment)
                count += 1
        write_part(part, root)
        deck.touch(part)
    if not count:
        raise EditError("the slide has no such comments")
    return count


def _author_ids(deck: OpenDeck, name: str) -> list[str]:
    relations = deck.presentation.part.rels.values()
    parts = [
        relation.target_part for relation in relations if relation.reltype == RT.COMMENT_AUTHORS
    ]
    authors = [author for part in parts for author in etree.fromstring(part.blob)]
    return [str(author.get("id")) for author in authors if author.get("name") == name]

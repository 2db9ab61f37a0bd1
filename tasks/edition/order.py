"""Permute slides by id, not position, so that a deck and its target deck change alike."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

from lxml import etree
from lxml.etree import _Element

from pptarena.decks.package.markup import parse_markup
from pptarena.decks.package.names import P
from pptarena.errors import TaskError

__all__ = ["PRESENTATION", "reorder_slides", "slide_ids"]

PRESENTATION = "ppt/presentation.xml"


def slide_ids(deck: bytes) -> tuple[str, ...]:
    """Return the ids of a deck's slides, in order."""
    with zipfile.ZipFile(BytesIO(deck)) as archive:
        root = parse_markup(archive.read(PRESENTATION), PRESENTATION)
    return tuple(entry.get("id", "") for entry in _entries(root))


def reorder_slides(data: bytes, moves: Mapping[str, str]) -> bytes:
    """Return the presentation part with permuted slides.

    Args:
        data: The part.
        moves: For a slide id, the id of the slide that replaces it.

    Raises:
        TaskError: If the deck lacks one of the slides.
    """
    if not moves:
        return data
    root = parse_markup(data, PRESENTATION)
    entries = {entry.get("id", ""): entry for entry in _entries(root)}
    if missing := sorted(set(moves) - set(entries)):
        raise TaskError(f"the deck lacks slides of the order: ids {', '.join(missing)}")
    parent = root.find(f"{P}sldIdLst")
    assert parent is not None  # its entries were just found
    parent[:] = [entries[moves.get(id, id)] for id in entries]
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _entries(root: _Element) -> list[_Element]:
    return root.findall(f"{P}sldIdLst/{P}sldId")

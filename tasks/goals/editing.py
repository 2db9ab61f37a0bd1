"""Small edits of a python-pptx presentation; all positions are 1-based."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.edits import slide_list
from pptarena.edits.markup import insert_motion, remove_transition

__all__ = [
    "delete_slide",
    "edit_deck",
    "move_slide",
    "open_deck",
    "save_deck",
    "set_transition",
]


def open_deck(deck: bytes) -> Any:
    """Return a packaged deck as a python-pptx presentation; also called by sandboxed programs."""
    return Presentation(BytesIO(deck))


def save_deck(presentation: Any) -> bytes:
    """Return the .pptx file of a presentation."""
    return save_presentation(presentation)


def edit_deck(
    deck: bytes, *edits: Callable[[Any], None], save: Callable[[Any], bytes] = save_deck
) -> bytes:
    """Return a deck after edits of its presentation, written by `save`."""
    presentation = open_presentation(deck)
    for edit in edits:
        edit(presentation)
    return save(presentation)


def delete_slide(deck: Any, number: int) -> None:
    """Delete a slide by position."""
    slide_list.drop_slide(deck, number - 1)


def move_slide(deck: Any, number: int, to: int) -> None:
    """Move a slide to a position."""
    slide_list.move_slide(deck, number - 1, to - 1)


def set_transition(slide: Any, kind: str, speed: str = "med") -> None:
    """Set the transition of a slide, replacing the existing one.

    Args:
        slide: The slide.
        kind: The transition's element, such as ``"fade"`` or ``'push dir="l"'``.
        speed: ``slow``, ``med`` or ``fast``.
    """
    remove_transition(slide._element)
    xml = f'<p:transition {nsdecls("p", "a")} spd="{speed}"><p:{kind}/></p:transition>'
    insert_motion(slide._element, parse_xml(xml))

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
    "edited",
    "move_slide",
    "opened",
    "rewrite_cell",
    "saved",
    "set_notes",
    "set_title",
    "set_transition",
    "shape_named",
    "slide_at",
]


def opened(deck: bytes) -> Any:
    """Return a packaged deck as a python-pptx presentation; also called by sandboxed programs."""
    return Presentation(BytesIO(deck))


def saved(presentation: Any) -> bytes:
    """Return the .pptx file of a presentation."""
    return save_presentation(presentation)


def edited(
    deck: bytes, *edits: Callable[[Any], None], save: Callable[[Any], bytes] = saved
) -> bytes:
    """Return a deck after edits of its presentation, written by `save`."""
    presentation = open_presentation(deck)
    for edit in edits:
        edit(presentation)
    return save(presentation)


def slide_at(deck: Any, number: int) -> Any:
    """Return a slide by position."""
    return deck.slides[number - 1]


def shape_named(deck: Any, number: int, name: str) -> Any:
    """Return the first shape with a name on a slide."""
    return next(shape for shape in slide_at(deck, number).shapes if shape.name == name)


def rewrite_cell(deck: Any, number: int, name: str, row: int, column: int, text: str) -> None:
    """Replace the text of a table cell, by 1-based row and column."""
    cell = shape_named(deck, number, name).table.cell(row - 1, column - 1)
    cell.text_frame.paragraphs[0].runs[0].text = text


def set_title(deck: Any, number: int, text: str) -> None:
    """Replace the title of a slide."""
    slide_at(deck, number).shapes.title.text_frame.paragraphs[0].runs[0].text = text


def set_notes(deck: Any, number: int, text: str) -> None:
    """Replace the speaker notes of a slide."""
    slide_at(deck, number).notes_slide.notes_text_frame.text = text


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

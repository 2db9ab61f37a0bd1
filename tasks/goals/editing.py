"""Small edits of a python-pptx presentation; all positions are 1-based."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.decks.presentation import open_presentation, save_presentation

__all__ = [
    "delete_slide",
    "edited",
    "insert_motion",
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

_FOOTERS = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER)


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
    entry = deck.slides._sldIdLst[number - 1]
    deck.part.drop_rel(entry.rId)
    deck.slides._sldIdLst.remove(entry)


def move_slide(deck: Any, number: int, to: int) -> None:
    """Move a slide to a position."""
    entries = deck.slides._sldIdLst
    entry = entries[number - 1]
    entries.remove(entry)
    entries.insert(to - 1, entry)


def set_transition(slide: Any, kind: str, speed: str = "med") -> None:
    """Set the transition of a slide, replacing the existing one.

    Args:
        slide: The slide.
        kind: The transition's element, such as ``"fade"`` or ``'push dir="l"'``.
        speed: ``slow``, ``med`` or ``fast``.
    """
    for child in list(slide._element):
        # LibreOffice writes two alternatives, with and without the exact duration.
        if child.tag == qn("p:transition") or (
            child.tag.endswith("}AlternateContent") and any(child.iter(qn("p:transition")))
        ):
            slide._element.remove(child)
    xml = f'<p:transition {nsdecls("p", "a")} spd="{speed}"><p:{kind}/></p:transition>'
    insert_motion(slide._element, parse_xml(xml))


def insert_motion(slide: Any, child: Any) -> None:
    """Insert a child at its schema position: color map, transition, timing, extensions."""
    before = ("p:timing", "p:extLst") if child.tag == qn("p:transition") else ("p:extLst",)
    for tag in before:
        found = slide.find(qn(tag))
        if found is not None:
            found.addprevious(child)
            return
    slide.append(child)

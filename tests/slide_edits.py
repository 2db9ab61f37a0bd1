"""Small edits of a python-pptx presentation for tests; all positions are 1-based."""

from typing import Any


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

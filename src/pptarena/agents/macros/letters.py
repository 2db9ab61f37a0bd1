"""Macros for the typeface of characters, and for subscript and superscript."""

from typing import Literal

from pptarena.agents.macros.arguments import Position, Shape, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.looks import switch, take
from pptarena.agents.macros.menus import await_dialog, choose, fill, press
from pptarena.agents.macros.texts import open_text
from pptarena.errors import MacroError

__all__ = ["script", "typeface"]

_CHARACTER = "Character"


def typeface(
    desk: Desk, slide: Position, shape: Shape, font: Text, words: Text | None = None
) -> Play[None]:
    """Set the typeface of a part of a shape's text, or of all of it."""
    node = yield from open_text(desk, slide, shape)
    yield from take(desk, node, words)
    yield from choose(desk, "Format", "Character...")
    yield from await_dialog(desk, _CHARACTER)
    field = yield from fill(desk, _CHARACTER, None, "Family", font)
    if field["text"] != font:
        raise MacroError(f"expected {font!r} in the field 'Family', got {field['text']!r}")
    yield from press(desk, _CHARACTER)


def script(
    desk: Desk,
    slide: Position,
    shape: Shape,
    words: Text,
    place: Literal["subscript", "superscript", "line"],
    occurrence: Position = 1,
) -> Play[None]:
    """Set a part of a text as subscript, superscript, or normal.

    Args:
        desk: The desk.
        slide: Its slide.
        shape: The shape.
        words: The part of the text.
        place: ``subscript``, ``superscript`` or ``line``.
        occurrence: Which occurrence of `words`, 1-based.
    """
    node = yield from open_text(desk, slide, shape)
    yield from take(desk, node, words, occurrence)
    for name in ("subscript", "superscript"):
        yield from switch(desk, name, place == name)

"""Macros on single letters: their typeface, and whether they stand low or high."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.looks import switch, take
from pptarena.agents.macros.menus import await_dialog, choose, fill, press
from pptarena.agents.macros.texts import open_text
from pptarena.errors import MacroError

__all__ = ["script", "typeface"]

_CHARACTER = "Character"


def typeface(desk: Desk, slide: int, shape: str, font: str, words: str | None = None) -> Play[None]:
    """Set words, or all text of a shape, in a typeface."""
    node = yield from open_text(desk, slide, shape)
    yield from take(desk, node, words)
    yield from choose(desk, "Format", "Character...")
    yield from await_dialog(desk, _CHARACTER)
    field = yield from fill(desk, _CHARACTER, None, "Family", font)
    if field["text"] != font:
        raise MacroError(f"expected {font!r} in the field 'Family', got {field['text']!r}")
    yield from press(desk, _CHARACTER)


def script(
    desk: Desk, slide: int, shape: str, words: str, place: str, occurrence: int = 1
) -> Play[None]:
    """Set words low, high, or back on the line.

    Args:
        desk: Where it happens.
        slide: Its slide.
        shape: The shape.
        words: What to set so.
        place: ``subscript``, ``superscript`` or ``line``.
        occurrence: Which of several places where the words stand, from 1.
    """
    node = yield from open_text(desk, slide, shape)
    yield from take(desk, node, words, occurrence)
    for name in ("subscript", "superscript"):
        yield from switch(desk, name, place == name)

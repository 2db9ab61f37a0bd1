"""Macros for the formatting of characters, paragraphs and fills."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Size, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import (
    await_dialog,
    choose,
    fill,
    open_tab,
    pick,
    pick_color,
    press,
)
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.slides import show_slide
from pptarena.agents.macros.texts import open_text, take_words
from pptarena.errors import MacroError

__all__ = [
    "background",
    "fill_color",
    "format_text",
    "paragraph_align",
    "paragraph_direction",
    "paragraph_level",
    "plain_color",
    "switch",
    "take",
]

_CHARACTER = "Character"
_AREA = "Area"
_PAGE = "Slide Properties"
_PARAGRAPH = "Paragraph"
_DIRECTIONS = {"ltr": "Left-to-right (LTR)", "rtl": "Right-to-left (RTL)"}
_KEYS = {
    **{"bold": "ctrl+b", "italic": "ctrl+i", "underline": "ctrl+u"},
    **{"subscript": "ctrl+shift+b", "superscript": "ctrl+shift+p"},
}
_ALIGN_KEYS = {"left": "ctrl+l", "center": "ctrl+e", "right": "ctrl+r", "justify": "ctrl+j"}


def format_text(
    desk: Desk,
    slide: Position,
    shape: Shape,
    words: Text | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    size_pt: Size | None = None,
    color: Color | None = None,
) -> Play[None]:
    """Format a part of a shape's text, or all of it."""
    node = yield from open_text(desk, slide, shape)
    yield from take(desk, node, words)
    for name, value in (("bold", bold), ("italic", italic), ("underline", underline)):
        if value is not None:
            yield from switch(desk, name, value)
    if size_pt is not None or color is not None:
        yield from choose(desk, "Format", "Character...")
        yield from await_dialog(desk, _CHARACTER)
        if size_pt is not None:
            yield from fill(desk, _CHARACTER, None, "Size", f"{size_pt:g} pt")
        if color is not None:
            yield from open_tab(desk, "Font Effects", _CHARACTER)
            yield from pick_color(desk, _CHARACTER, "Font color", color)
        yield from press(desk, _CHARACTER)
    yield from desk.put_down()


def take(
    desk: Desk, node: NodeJson, words: str | None, occurrence: int | None = None
) -> Play[None]:
    """Select a part of the open text, or all of it."""
    if words is None:
        yield from desk.key("ctrl+a")
    else:
        yield from take_words(desk, desk.screen.text(node), words, occurrence=occurrence or 1)


def switch(desk: Desk, name: str, value: bool) -> Play[None]:
    """Press a style's shortcut until the toolbar button shows the wanted state."""
    for _ in range(3):
        if _shows(desk.screen, name) == value:
            return
        yield from desk.key(_KEYS[name])
    raise MacroError(f"expected {name} to be {'on' if value else 'off'} for the selected text")


def _shows(screen: Screen, name: str) -> bool:
    buttons = screen.all(("toggle button", "button", "push button"), name)
    return any({"checked", "pressed"} & set(node["states"]) for node in buttons)


def paragraph_align(
    desk: Desk,
    slide: Position,
    shape: Shape,
    align: Literal["left", "center", "right", "justify"],
    paragraph: Position | None = None,
) -> Play[None]:
    """Align the paragraphs of a shape, or one of them: left, center, right or justify."""
    node = yield from open_text(desk, slide, shape, paragraph or 1)
    if paragraph is None:
        yield from desk.key("ctrl+a")
    else:
        lines = desk.screen.paragraphs(node)
        if paragraph > len(lines):
            raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
        if "focused" not in lines[paragraph - 1]["states"]:
            yield from desk.click(lines[paragraph - 1])
    yield from desk.key(_ALIGN_KEYS[align])
    yield from desk.put_down()


def paragraph_direction(
    desk: Desk, slide: Position, shape: Shape, direction: Literal["ltr", "rtl"]
) -> Play[None]:
    """Set the writing direction of a shape's paragraphs."""
    yield from open_text(desk, slide, shape)
    yield from desk.key("ctrl+a")
    yield from choose(desk, "Format", "Paragraph...")
    yield from open_tab(desk, "Alignment", _PARAGRAPH)
    yield from pick(desk, _PARAGRAPH, "Text direction", _DIRECTIONS[direction])
    yield from press(desk, _PARAGRAPH)


def paragraph_level(
    desk: Desk, slide: Position, shape: Shape, paragraph: Position, by: int
) -> Play[None]:
    """Indent a list paragraph by a number of levels; negative numbers outdent."""
    for _ in range(abs(by)):
        node = yield from open_text(desk, slide, shape, paragraph)
        lines = desk.screen.paragraphs(node)
        if not 1 <= paragraph <= len(lines):
            raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
        if "focused" not in lines[paragraph - 1]["states"]:
            yield from desk.click(lines[paragraph - 1])
        before = lines[paragraph - 1]["box"]
        yield from choose(desk, "Format", "Lists", "Demote" if by > 0 else "Promote")
        lines = desk.screen.paragraphs(find_node(desk, slide, shape))
        if lines[paragraph - 1]["box"] == before:
            raise MacroError(f"expected paragraph {paragraph} to stand elsewhere on another level")
        yield from desk.put_down()


def fill_color(desk: Desk, slide: Position, shape: Shape, color: Color) -> Play[None]:
    """Fill a shape with a color."""
    yield from select_shape(desk, slide, shape)
    yield from choose(desk, "Format", "Text Box and Shape", "Area...")
    yield from plain_color(desk, _AREA, color)


def background(desk: Desk, slide: Position, color: Color) -> Play[None]:
    """Set the background of a slide to one color."""
    yield from show_slide(desk, slide)
    yield from choose(desk, "Slide", "Slide Properties...")
    yield from open_tab(desk, "Background", _PAGE)
    yield from plain_color(desk, _PAGE, color)


def plain_color(desk: Desk, dialog: str, color: str) -> Play[None]:
    """Select a color on a tab of a dialog that also offers gradients and images."""
    box = yield from await_dialog(desk, dialog)
    kind = desk.screen.first("toggle button", "Color", box)
    if kind is None:
        raise MacroError(f"expected a button 'Color' in the dialog {dialog!r}")
    if "checked" not in kind["states"]:
        yield from desk.click(kind)
    yield from fill(desk, dialog, "New", "Hex", color.removeprefix("#").lower())
    yield from press(desk, dialog)

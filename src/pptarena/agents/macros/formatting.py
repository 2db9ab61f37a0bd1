"""Macros for the formatting of characters, paragraphs and fills."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Size, Text
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import (
    await_dialog,
    choose_color,
    choose_menu,
    fill,
    open_tab,
    press,
    select_option,
)
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.slides import show_slide
from pptarena.agents.macros.texts import open_text, select_substring
from pptarena.errors import MacroError

__all__ = [
    "background",
    "choose_solid_color",
    "fill_color",
    "format_text",
    "paragraph_align",
    "paragraph_direction",
    "paragraph_level",
    "script",
    "typeface",
]

_CHARACTER_DIALOG = "Character"
_AREA_DIALOG = "Area"
_SLIDE_DIALOG = "Slide Properties"
_PARAGRAPH_DIALOG = "Paragraph"
_DIRECTIONS = {"ltr": "Left-to-right (LTR)", "rtl": "Right-to-left (RTL)"}
_STYLE_KEYS = {
    **{"bold": "ctrl+b", "italic": "ctrl+i", "underline": "ctrl+u"},
    **{"subscript": "ctrl+shift+b", "superscript": "ctrl+shift+p"},
}
_ALIGN_KEYS = {"left": "ctrl+l", "center": "ctrl+e", "right": "ctrl+r", "justify": "ctrl+j"}


def format_text(
    driver: Driver,
    slide: Position,
    shape: Shape,
    words: Text | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    size_pt: Size | None = None,
    color: Color | None = None,
) -> Steps[None]:
    """Format a part of a shape's text, or all of it."""
    node = yield from open_text(driver, slide, shape)
    yield from _select_text(driver, node, words)
    for name, value in (("bold", bold), ("italic", italic), ("underline", underline)):
        if value is not None:
            yield from _set_style(driver, name, value)
    if size_pt is not None or color is not None:
        yield from choose_menu(driver, "Format", "Character...")
        yield from await_dialog(driver, _CHARACTER_DIALOG)
        if size_pt is not None:
            yield from fill(driver, _CHARACTER_DIALOG, None, "Size", f"{size_pt:g} pt")
        if color is not None:
            yield from open_tab(driver, "Font Effects", _CHARACTER_DIALOG)
            yield from choose_color(driver, _CHARACTER_DIALOG, "Font color", color)
        yield from press(driver, _CHARACTER_DIALOG)
    yield from driver.end_text_edit()


def _select_text(
    driver: Driver, node: NodeJson, words: str | None, occurrence: int | None = None
) -> Steps[None]:
    """Select a part of the open text, or all of it."""
    if words is None:
        yield from driver.key("ctrl+a")
    else:
        yield from select_substring(
            driver, driver.screen.text(node), words, occurrence=occurrence or 1
        )


def _set_style(driver: Driver, name: str, enabled: bool) -> Steps[None]:
    """Press a style's shortcut until the toolbar button shows the requested state."""
    for _ in range(3):
        if _is_style_on(driver.screen, name) == enabled:
            return
        yield from driver.key(_STYLE_KEYS[name])
    raise MacroError(f"expected {name} to be {'on' if enabled else 'off'} for the selected text")


def _is_style_on(screen: Screen, name: str) -> bool:
    buttons = screen.all(("toggle button", "button", "push button"), name)
    return any({"checked", "pressed"} & set(node["states"]) for node in buttons)


def typeface(
    driver: Driver, slide: Position, shape: Shape, font: Text, words: Text | None = None
) -> Steps[None]:
    """Set the typeface of a part of a shape's text, or of all of it."""
    node = yield from open_text(driver, slide, shape)
    yield from _select_text(driver, node, words)
    yield from choose_menu(driver, "Format", "Character...")
    yield from await_dialog(driver, _CHARACTER_DIALOG)
    field = yield from fill(driver, _CHARACTER_DIALOG, None, "Family", font)
    if field["text"] != font:
        raise MacroError(f"expected {font!r} in the field 'Family', got {field['text']!r}")
    yield from press(driver, _CHARACTER_DIALOG)


def script(
    driver: Driver,
    slide: Position,
    shape: Shape,
    words: Text,
    place: Literal["subscript", "superscript", "line"],
    occurrence: Position = 1,
) -> Steps[None]:
    """Set a part of a text as subscript, superscript, or normal.

    Args:
        driver: The driver.
        slide: Its slide.
        shape: The shape.
        words: The part of the text.
        place: ``subscript``, ``superscript`` or ``line``.
        occurrence: Which occurrence of `words`, 1-based.
    """
    node = yield from open_text(driver, slide, shape)
    yield from _select_text(driver, node, words, occurrence)
    for name in ("subscript", "superscript"):
        yield from _set_style(driver, name, place == name)


def paragraph_align(
    driver: Driver,
    slide: Position,
    shape: Shape,
    align: Literal["left", "center", "right", "justify"],
    paragraph: Position | None = None,
) -> Steps[None]:
    """Align the paragraphs of a shape, or one of them: left, center, right or justify."""
    node = yield from open_text(driver, slide, shape, paragraph or 1)
    if paragraph is None:
        yield from driver.key("ctrl+a")
    else:
        lines = driver.screen.paragraphs(node)
        if paragraph > len(lines):
            raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
        if "focused" not in lines[paragraph - 1]["states"]:
            yield from driver.click(lines[paragraph - 1])
    yield from driver.key(_ALIGN_KEYS[align])
    yield from driver.end_text_edit()


def paragraph_direction(
    driver: Driver, slide: Position, shape: Shape, direction: Literal["ltr", "rtl"]
) -> Steps[None]:
    """Set the writing direction of a shape's paragraphs."""
    yield from open_text(driver, slide, shape)
    yield from driver.key("ctrl+a")
    yield from choose_menu(driver, "Format", "Paragraph...")
    yield from open_tab(driver, "Alignment", _PARAGRAPH_DIALOG)
    yield from select_option(driver, _PARAGRAPH_DIALOG, "Text direction", _DIRECTIONS[direction])
    yield from press(driver, _PARAGRAPH_DIALOG)


def paragraph_level(
    driver: Driver, slide: Position, shape: Shape, paragraph: Position, by: int
) -> Steps[None]:
    """Indent a list paragraph by a number of levels; negative numbers outdent."""
    for _ in range(abs(by)):
        node = yield from open_text(driver, slide, shape, paragraph)
        lines = driver.screen.paragraphs(node)
        if not 1 <= paragraph <= len(lines):
            raise MacroError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
        if "focused" not in lines[paragraph - 1]["states"]:
            yield from driver.click(lines[paragraph - 1])
        box_before = lines[paragraph - 1]["box"]
        yield from choose_menu(driver, "Format", "Lists", "Demote" if by > 0 else "Promote")
        lines = driver.screen.paragraphs(find_node(driver, slide, shape))
        if lines[paragraph - 1]["box"] == box_before:
            raise MacroError(f"expected paragraph {paragraph} to move when its level changes")
        yield from driver.end_text_edit()


def fill_color(driver: Driver, slide: Position, shape: Shape, color: Color) -> Steps[None]:
    """Fill a shape with a color."""
    yield from select_shape(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Text Box and Shape", "Area...")
    yield from choose_solid_color(driver, _AREA_DIALOG, color)


def background(driver: Driver, slide: Position, color: Color) -> Steps[None]:
    """Set the background of a slide to one color."""
    yield from show_slide(driver, slide)
    yield from choose_menu(driver, "Slide", "Slide Properties...")
    yield from open_tab(driver, "Background", _SLIDE_DIALOG)
    yield from choose_solid_color(driver, _SLIDE_DIALOG, color)


def choose_solid_color(driver: Driver, dialog: str, color: str) -> Steps[None]:
    """Select a color on a tab of a dialog that also offers gradients and images."""
    dialog_node = yield from await_dialog(driver, dialog)
    color_button = driver.screen.first("toggle button", "Color", dialog_node)
    if color_button is None:
        raise MacroError(f"expected a button 'Color' in the dialog {dialog!r}")
    if "checked" not in color_button["states"]:
        yield from driver.click(color_button)
    yield from fill(driver, dialog, "New", "Hex", color.removeprefix("#").lower())
    yield from press(driver, dialog)

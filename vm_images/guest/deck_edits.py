"""Edits of an open deck over UNO, equivalent to the macros that use mouse and keyboard.

Every edit is a function of the document and its arguments; slide numbers are 1-based. An edit
raises ValueError if its target does not exist.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import uno
from com.sun.star.awt import Point, Size

__all__ = ["EDITS", "move_slide"]

_BOLD, _NORMAL = 150.0, 100.0
_PER_CM = 1000.0  # 1/100 mm
_TRANSITION = (
    *("TransitionType", "TransitionSubtype", "TransitionDirection", "TransitionFadeColor"),
    *("TransitionDuration", "Change", "Duration", "Speed"),
)
_ALIGN = {"left": "LEFT", "right": "RIGHT", "center": "CENTER", "justify": "BLOCK"}


def _page(document: Any, slide: int) -> Any:
    pages = document.getDrawPages()
    if not 1 <= slide <= pages.getCount():
        raise ValueError(f"expected a slide from 1 to {pages.getCount()}, got {slide}")
    return pages.getByIndex(slide - 1)


def _shapes(page: Any) -> Iterator[Any]:
    return (page.getByIndex(place) for place in range(page.getCount()))


def _shape(document: Any, slide: int, shape: Mapping[str, Any]) -> Any:
    """Return a shape by name, else by its position on the slide, from back to front."""
    page = _page(document, slide)
    named = [each for each in _shapes(page) if shape["name"] and each.Name == shape["name"]]
    if len(named) == 1:
        return named[0]
    if shape["place"] >= page.getCount():
        raise ValueError(f"expected the shape {shape['name']!r} on slide {slide}")
    return page.getByIndex(shape["place"])


def _paragraphs(text: Any) -> list[Any]:
    found, listed = [], text.createEnumeration()
    while listed.hasMoreElements():
        found.append(listed.nextElement())
    return found


def _line(text: Any, paragraph: int) -> Any:
    lines = _paragraphs(text)
    if not 1 <= paragraph <= len(lines):
        raise ValueError(f"expected a paragraph from 1 to {len(lines)}, got {paragraph}")
    return lines[paragraph - 1]


def _write(text: Any, words: str) -> None:
    """Replace an entire text as typing over it does: the first character's formatting applies."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    cursor.setString(words)


def _range(text: Any, words: str) -> Any:
    """Return a cursor over the first occurrence of a text."""
    for line in _paragraphs(text):
        start = line.getString().find(words)
        if start >= 0:
            cursor = text.createTextCursorByRange(line.getStart())
            cursor.goRight(start, False)
            cursor.goRight(len(words), True)
            return cursor
    raise ValueError(f"expected the words {words!r} in {text.getString()[:60]!r}")


def edit_text(
    document: Any, slide: int, shape: Any, text: str, paragraph: int | None = None
) -> None:
    """Replace a text or one of its paragraphs."""
    found = _shape(document, slide, shape)
    if paragraph is None:
        _write(found, text)
        return
    line = _line(found, paragraph)
    cursor = found.createTextCursorByRange(line.getStart())
    cursor.gotoRange(line.getEnd(), True)
    cursor.setString(text)


def format_text(
    document: Any, slide: int, shape: Any, words: str | None = None, **look: Any
) -> None:
    """Format a part of a text, or all of it."""
    found = _shape(document, slide, shape)
    if words is None:
        cursor = found.createTextCursor()
        cursor.gotoStart(False)
        cursor.gotoEnd(True)
    else:
        cursor = _range(found, words)
    for name, value in look.items():
        if name == "bold":
            cursor.CharWeight = _BOLD if value else _NORMAL
        elif name == "italic":
            cursor.CharPosture = uno.Enum(
                "com.sun.star.awt.FontSlant", "ITALIC" if value else "NONE"
            )
        elif name == "underline":
            cursor.CharUnderline = int(value)  # com.sun.star.awt.FontUnderline: NONE, SINGLE
        elif name == "size_pt":
            cursor.CharHeight = float(value)
        elif name == "color":
            cursor.CharColor = int(value.removeprefix("#"), 16)
        else:
            raise ValueError(f"no look of letters is called {name!r}")


def paragraph_align(
    document: Any, slide: int, shape: Any, align: str, paragraph: int | None = None
) -> None:
    """Align all paragraphs, or one."""
    found = _shape(document, slide, shape)
    lines = _paragraphs(found) if paragraph is None else [_line(found, paragraph)]
    for line in lines:
        line.ParaAdjust = uno.Enum("com.sun.star.style.ParagraphAdjust", _ALIGN[align])


def hide_slide(document: Any, slide: int) -> None:
    """Hide a slide in the slide show."""
    _page(document, slide).Visible = False


def delete_slide(document: Any, slide: int) -> None:
    """Delete a slide."""
    document.getDrawPages().remove(_page(document, slide))


def duplicate_slide(document: Any, slide: int) -> None:
    """Insert a copy after a slide."""
    document.duplicate(_page(document, slide))


def insert_slide(document: Any, after: int) -> None:
    """Insert a slide with the layout of the slide before it; after a title, title and content."""
    before = _page(document, after)
    document.getDrawPages().insertNewByIndex(after - 1)
    made = _page(document, after + 1)
    made.MasterPage = before.MasterPage
    made.Layout = before.Layout or 1


def move_slide(document: Any, slide: int, to: int) -> None:
    """Move a slide.

    Upward it uses the application's command, one position at a time; downward it moves the slides
    below.
    """
    controller = document.getCurrentController()
    if controller is None:
        raise ValueError("a document without a view cannot move slides")
    ups = [slide] * max(slide - to, 0) or list(range(slide + 1, to + 1))
    for number, start in enumerate(ups):
        place = start - number if slide > to else start
        controller.setCurrentPage(_page(document, place))
        _dispatch(document, ".uno:MovePageUp")


def _dispatch(document: Any, command: str) -> None:
    frame = document.getCurrentController().getFrame()
    parsed = uno.createUnoStruct("com.sun.star.util.URL")
    parsed.Complete, parsed.Protocol, parsed.Path = command, ".uno:", command[5:]
    dispatch = frame.queryDispatch(parsed, "_self", 0)
    if dispatch is None:
        raise ValueError(f"the application does not take {command}")
    done = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    done.Name, done.Value = "SynchronMode", True
    dispatch.dispatch(parsed, (done,))


def notes(document: Any, slide: int, text: str) -> None:
    """Replace the speaker notes."""
    page = _page(document, slide).getNotesPage()
    for shape in _shapes(page):
        if shape.ShapeType == "com.sun.star.presentation.NotesShape":
            shape.setString(text)
            return
    raise ValueError(f"slide {slide} has no place for notes")


def find_replace(document: Any, find: str, replace: str) -> None:
    """Replace a text on all slides."""
    pages = document.getDrawPages()
    for place in range(pages.getCount()):
        page = pages.getByIndex(place)
        search = page.createReplaceDescriptor()
        search.SearchString, search.ReplaceString = find, replace
        search.SearchCaseSensitive = True
        page.replaceAll(search)


def resize(
    document: Any,
    slide: int,
    shape: Any,
    width_cm: float | None = None,
    height_cm: float | None = None,
    keep_ratio: bool = False,
) -> None:
    """Resize a shape; its top left corner stays."""
    found = _shape(document, slide, shape)
    size = found.getSize()
    width = size.Width if width_cm is None else round(width_cm * _PER_CM)
    height = size.Height if height_cm is None else round(height_cm * _PER_CM)
    if keep_ratio and height_cm is None:
        height = round(size.Height * width / size.Width)
    elif keep_ratio and width_cm is None:
        width = round(size.Width * height / size.Height)
    found.setSize(Size(width, height))


def position(
    document: Any,
    slide: int,
    shape: Any,
    left_cm: float | None = None,
    top_cm: float | None = None,
) -> None:
    """Move a shape's top left corner."""
    found = _shape(document, slide, shape)
    place = found.getPosition()
    left = place.X if left_cm is None else round(left_cm * _PER_CM)
    top = place.Y if top_cm is None else round(top_cm * _PER_CM)
    found.setPosition(Point(left, top))


def rotate(document: Any, slide: int, shape: Any, degrees: float) -> None:
    """Rotate a shape clockwise from upright; UNO counts counterclockwise in 0.01 degrees."""
    _shape(document, slide, shape).RotateAngle = round(-degrees % 360 * 100)


def delete_shape(document: Any, slide: int, shape: Any) -> None:
    """Delete a shape."""
    _page(document, slide).remove(_shape(document, slide, shape))


def edit_cell(document: Any, slide: int, shape: Any, row: int, column: int, text: str) -> None:
    """Replace the text of a cell."""
    _write(_shape(document, slide, shape).Model.getCellByPosition(column - 1, row - 1), text)


def transition(document: Any, slide: int, kind: str | None = None, all: bool = False) -> None:
    """Apply a slide's transition to all slides, or remove it."""
    page = _page(document, slide)
    if kind == "none":
        page.TransitionType = 0
    elif kind is not None:
        raise ValueError(f"the transition {kind!r} has no edit of its own yet")
    if all:
        pages = document.getDrawPages()
        for place in range(pages.getCount()):
            for name in _TRANSITION:
                pages.getByIndex(place).setPropertyValue(name, page.getPropertyValue(name))


def order(document: Any, slide: int, shape: Any, to: str) -> None:
    """Bring a shape to the front or send it to the back."""
    found = _shape(document, slide, shape)
    found.ZOrder = _page(document, slide).getCount() - 1 if to == "front" else 0


def alt_text(document: Any, slide: int, shape: Any, text: str) -> None:
    """Set the alternative text of a shape."""
    _shape(document, slide, shape).Description = text


def fill_color(document: Any, slide: int, shape: Any, color: str) -> None:
    """Fill a shape with a color."""
    found = _shape(document, slide, shape)
    found.FillStyle = uno.Enum("com.sun.star.drawing.FillStyle", "SOLID")
    found.FillColor = int(color.removeprefix("#"), 16)


def remove_animation(document: Any, slide: int, shape: Any = None) -> None:
    """Remove all animation effects of a slide."""
    if shape is not None:
        raise ValueError("the effects of one shape alone have no edit yet; leave the shape out")
    root = _page(document, slide).AnimationNode
    for child in _paragraphs(root):
        root.removeChild(child)


_ALL: tuple[Callable[..., None], ...] = (
    *(edit_text, format_text, paragraph_align, hide_slide, delete_slide, duplicate_slide),
    *(insert_slide, move_slide, notes, find_replace, resize, position, rotate, delete_shape),
    *(edit_cell, transition, order, alt_text, fill_color, remove_animation),
)
EDITS: Mapping[str, Callable[..., None]] = MappingProxyType({each.__name__: each for each in _ALL})
"""The edits by the names of the corresponding macros."""

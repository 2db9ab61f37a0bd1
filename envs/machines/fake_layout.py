"""Where everything stands on the fake machine's screen: one list serves tree, mouse and paint."""

from dataclasses import dataclass
from typing import Any

from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.machines.fake_document import FORMATS, FakeDocument

__all__ = ["BUTTONS", "TITLE_PX", "Widget", "hit", "lay_out", "slide_frame", "tree_of"]

BUTTONS = (
    "Undo",
    "Redo",
    "Bold",
    "Italic",
    "Underline",
    "Increase Font Size",
    "Decrease Font Size",
    "New Slide",
    "Duplicate Slide",
    "Delete Slide",
)
"""Names of the tool bar's buttons, from left to right."""

TITLE_PX, TOOLBAR_PX, PANEL_PX, STATUS_PX = 24, 40, 150, 22
ITEM_PX = 96
MARGIN_PX = 12

Box = tuple[int, int, int, int]
_SHOWN = frozenset({"enabled", "sensitive", "showing", "visible"})


@dataclass(frozen=True, slots=True)
class Widget:
    """One thing on the screen.

    Attributes:
        key: What it is to the program, such as ``"button:Bold"``, ``"slide:2"``, ``"shape:5"``.
        parent: Place of its parent in the list, -1 for none.
        role: AT-SPI role name.
        name: Accessible name.
        text: Text content.
        box: Left, top, width, height in pixels.
        states: AT-SPI states.
    """

    key: str
    parent: int
    role: str
    name: str
    text: str
    box: Box
    states: frozenset[str] = _SHOWN


def lay_out(document: FakeDocument, title: str, width: int, height: int) -> list[Widget]:
    """Return every widget, parents before children, backmost first."""
    body = TITLE_PX + TOOLBAR_PX
    panel_height = height - body - STATUS_PX
    widgets = [
        Widget("application", -1, "application", "Fake Impress", "", (0, 0, 0, 0)),
        Widget("window", 0, "frame", title, "", (0, 0, width, height), _SHOWN | {"active"}),
        Widget("toolbar", 1, "tool bar", "Standard", "", (0, TITLE_PX, width, TOOLBAR_PX)),
    ]
    widgets += _buttons(document, width)
    panel = len(widgets)
    widgets.append(Widget("panel", 1, "list", "Slides", "", (0, body, PANEL_PX, panel_height)))
    widgets += _slide_items(document, panel, body, panel_height)
    page = len(widgets)
    frame = slide_frame(document, width, height)
    widgets.append(Widget("page", 1, "document presentation", title, "", frame))
    widgets += _shapes(document, page, frame)
    status = f"Slide {document.current + 1} of {document.slide_count}"
    box = (0, height - STATUS_PX, width, STATUS_PX)
    widgets.append(Widget("status", 1, "label", status, status, box))
    return widgets


def slide_frame(document: FakeDocument, width: int, height: int) -> Box:
    """Return the box of the current slide on the screen: as large as fits, in its proportions."""
    left, top = PANEL_PX + MARGIN_PX, TITLE_PX + TOOLBAR_PX + MARGIN_PX
    room_x, room_y = width - left - MARGIN_PX, height - top - STATUS_PX - MARGIN_PX
    slide_x, slide_y = document.slide_size
    scale = min(room_x / slide_x, room_y / slide_y)
    return left, top, int(slide_x * scale), int(slide_y * scale)


def hit(widgets: list[Widget], x: int, y: int) -> str:
    """Return the key of the topmost widget at a point, ``""`` for none."""
    for widget in reversed(widgets):
        left, top, width, height = widget.box
        if left <= x < left + width and top <= y < top + height:
            return widget.key
    return ""


def tree_of(widgets: list[Widget], max_nodes: int) -> Tree:
    """Return the accessibility tree of the widgets, cut at `max_nodes`."""
    nodes = tuple(
        Node(index, w.parent, w.role, w.name, w.text, "", w.box, w.states)
        for index, w in enumerate(widgets[:max_nodes])
    )
    cut = len(widgets) > max_nodes
    return Tree(nodes, cut, f"more than {max_nodes} nodes" if cut else "")


def _buttons(document: FakeDocument, width: int) -> list[Widget]:
    step = width // len(BUTTONS)
    usable = {"Undo": document.can_undo, "Redo": document.can_redo}
    usable["Delete Slide"] = document.slide_count > 1
    result = []
    for place, name in enumerate(BUTTONS):
        toggles = name.lower() in FORMATS
        states = set(_SHOWN) if usable.get(name, True) else {"showing", "visible"}
        states.add("focusable")
        if toggles and document.has_format(name.lower()):
            states |= {"checked", "pressed"}
        box = (place * step + 2, TITLE_PX + 4, step - 4, TOOLBAR_PX - 8)
        role = "toggle button" if toggles else "button"
        result.append(Widget(f"button:{name}", 2, role, name, "", box, frozenset(states)))
    return result


def _slide_items(document: FakeDocument, parent: int, top: int, height: int) -> list[Widget]:
    room = max(height // ITEM_PX, 1)
    first = min(max(document.current - room // 2, 0), max(document.slide_count - room, 0))
    result = []
    for row, index in enumerate(range(first, min(first + room, document.slide_count))):
        states = {"focusable", "selectable"}
        if index == document.current:
            states |= {"selected", "focused"} if document.panel_focused else {"selected"}
        box = (8, top + row * ITEM_PX + 4, PANEL_PX - 16, ITEM_PX - 8)
        key, name = f"slide:{index}", f"Slide {index + 1}"
        title = document.title(index)
        result.append(Widget(key, parent, "list item", name, title, box, _SHOWN | states))
    return result


def _shapes(document: FakeDocument, parent: int, frame: Box) -> list[Widget]:
    scale = frame[2] / document.slide_size[0]
    result = []
    for shape in document.shapes():
        states = {"focusable", "selectable"}
        if shape.shape_id == document.selected:
            states |= {"selected"}
            if not document.panel_focused:
                states |= {"focused"}
        if document.edit and document.edit.shape_id == shape.shape_id:
            states |= {"editable"}
        key, box = f"shape:{shape.shape_id}", _shape_box(shape, frame, scale)
        text = document.shape_text(shape)
        result.append(Widget(key, parent, _role(shape), shape.name, text, box, _SHOWN | states))
    return result


def _shape_box(shape: Any, frame: Box, scale: float) -> Box:
    left, top, width, height = (
        round(int(value or 0) * scale)
        for value in (shape.left, shape.top, shape.width, shape.height)
    )
    # A line has no height of its own, yet must be there to be seen and clicked.
    return frame[0] + left, frame[1] + top, max(width, 2), max(height, 2)


def _role(shape: Any) -> str:
    if getattr(shape, "has_table", False):
        return "table"
    if getattr(shape, "has_chart", False):
        return "chart"
    return "shape" if shape.has_text_frame else "image"

"""Layout of the fake machine's screen: one list of widgets for tree, mouse and painting.

Widgets that LibreOffice Impress in the sandbox also has use the same role, name and parent, so that
an agent can switch between the machines; a test compares them. There are two differences: the Text
Formatting toolbar is always visible, and a slide in the panel is named by its current title instead
of the title at opening.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER

from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.machines.fake.document import FORMATS, FakeDocument, box_of
from pptarena.envs.machines.fake.menus import MENUS, MenuPath, is_entry_enabled

__all__ = [
    "BUTTONS",
    "TITLE_PX",
    "TOOLBARS",
    "Widget",
    "build_tree",
    "layout_widgets",
    "slide_frame",
    "widget_at",
]

TOOLBARS = {
    "Standard": ("Undo", "Redo"),
    "Text Formatting": ("Bold", "Italic", "Underline", "Increase", "Decrease"),
    "Presentation": ("New Slide", "Duplicate Slide", "Delete Slide"),
}
"""The toolbars and their button names, from left to right; two buttons change the font size."""

BUTTONS = tuple(name for names in TOOLBARS.values() for name in names)
"""Names of all buttons, from left to right."""

TITLE_PX, TOOLBAR_PX, PANEL_PX, STATUS_PX = 24, 40, 150, 22
MENU_PX, ENTRY_PX = 60, (160, 24)
ITEM_PX = 84  # on a screen of the same size, as many slides fit as in the sandbox
MARGIN_PX = 12

Box = tuple[int, int, int, int]
_FIRST_TOOLBAR = 2  # index in the list of widgets
_FIELDS = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER)
_VISIBLE = frozenset({"enabled", "sensitive", "showing", "visible"})


@dataclass(frozen=True, slots=True)
class Widget:
    """A widget on the screen.

    Attributes:
        key: Identifies the widget in the program, such as ``"button:Bold"``, ``"slide:2"``,
            ``"shape:5"``.
        parent: Index of its parent in the list; -1 for none.
        role: AT-SPI role name.
        name: Accessible name.
        text: Text content.
        box: Left, top, width, height in pixels.
        states: AT-SPI states.
        painted: Text that is painted but not in the tree.
    """

    key: str
    parent: int
    role: str
    name: str
    text: str
    box: Box
    states: frozenset[str] = _VISIBLE
    painted: str = ""


def layout_widgets(document: FakeDocument, title: str, width: int, height: int) -> list[Widget]:
    """Return every widget, parents before children, backmost first."""
    body = TITLE_PX + TOOLBAR_PX
    panel_height = height - body - STATUS_PX
    widgets = [
        Widget("window", -1, "frame", title, "", (0, 0, width, height), _VISIBLE | {"active"}),
        Widget("root", 0, "root pane", title, "", (0, TITLE_PX, width, height - TITLE_PX)),
    ]
    widgets += _toolbars(document, width)
    panel = len(widgets)
    box = (0, body, PANEL_PX, panel_height)
    widgets.append(Widget("panel", 1, "document frame", "Slides View", "", box))
    widgets += _slide_items(document, panel, body, panel_height)
    page = len(widgets)
    frame = slide_frame(document, width, height)
    name = f"{title.partition('.pptx')[0]} - LibreOffice Presentation"
    widgets.append(Widget("page", 1, "document presentation", name, "", frame))
    if document.current >= 0:
        name = f"PageShape: {slide_name(document, document.current)}"
        widgets.append(Widget("page", page, "panel", name, "", frame))
    widgets += _shapes(document, page, len(widgets), frame)
    status = f"Slide {document.current + 1} of {document.slide_count}"
    box = (0, height - STATUS_PX, width, STATUS_PX)
    bar = len(widgets)
    widgets.append(Widget("status", 1, "status bar", "", "", box))
    widgets.append(Widget("status", bar, "label", "", "", box, painted=status))
    widgets += _menus(document, width, len(widgets))  # last, so that an open menu is on top
    return widgets


def slide_name(document: FakeDocument, index: int) -> str:
    """Return the name of a slide: its title on one line, or its number."""
    return " ".join(document.title(index).split()) or f"Slide {index + 1}"


def slide_frame(document: FakeDocument, width: int, height: int) -> Box:
    """Return the box of the current slide on the screen, scaled to fit."""
    left, top = PANEL_PX + MARGIN_PX, TITLE_PX + TOOLBAR_PX + MARGIN_PX
    available_width = width - left - MARGIN_PX
    available_height = height - top - STATUS_PX - MARGIN_PX
    slide_width, slide_height = document.slide_size
    scale = min(available_width / slide_width, available_height / slide_height)
    return left, top, int(slide_width * scale), int(slide_height * scale)


def widget_at(widgets: list[Widget], x: int, y: int) -> str:
    """Return the key of the topmost widget at a point, ``""`` for none."""
    for widget in reversed(widgets):
        left, top, width, height = widget.box
        if left <= x < left + width and top <= y < top + height:
            return widget.key
    return ""


def build_tree(widgets: list[Widget], max_nodes: int) -> Tree:
    """Return the accessibility tree of the widgets, cut at `max_nodes`."""
    nodes = tuple(
        Node(index, w.parent, w.role, w.name, w.text, "", w.box, w.states)
        for index, w in enumerate(widgets[:max_nodes])
    )
    cut = len(widgets) > max_nodes
    return Tree(nodes, cut, f"more than {max_nodes} nodes" if cut else "")


def _toolbars(document: FakeDocument, width: int) -> list[Widget]:
    step = width // len(BUTTONS)
    result: list[Widget] = []
    index = 0
    for bar, names in TOOLBARS.items():
        parent = _FIRST_TOOLBAR + len(result)
        box = (index * step, TITLE_PX, len(names) * step, TOOLBAR_PX)
        result.append(Widget("toolbar", 1, "tool bar", bar, "", box))
        for name in names:
            box = (index * step + 2, TITLE_PX + 4, step - 4, TOOLBAR_PX - 8)
            result.append(_button(document, name, parent, box))
            index += 1
    return result


def _button(document: FakeDocument, name: str, parent: int, box: Box) -> Widget:
    is_toggle = name.lower() in FORMATS
    enabled = {"Undo": document.can_undo, "Redo": document.can_redo}
    enabled["Delete Slide"] = document.slide_count > 1
    states = set(_VISIBLE) if enabled.get(name, True) else {"showing", "visible"}
    states.add("focusable")
    if is_toggle and document.has_format(name.lower()):
        states |= {"checked", "pressed"}
    role = "toggle button" if is_toggle else "button"
    return Widget(f"button:{name}", parent, role, name, "", box, frozenset(states))


def _menus(document: FakeDocument, width: int, first: int) -> list[Widget]:
    """Return the menu bar, right of the title, and the open menus below it."""
    paths = [path for path in MENUS if len(path) == 1]
    left = width - len(paths) * MENU_PX
    box = (left, 0, len(paths) * MENU_PX, TITLE_PX)
    result = [Widget("menu bar", 0, "menu bar", "", "", box)]
    for column, path in enumerate(paths):
        box = (left + column * MENU_PX, 0, MENU_PX, TITLE_PX)
        result += _menu(document, path, box, first, first + len(result))
    return result


def _menu(
    document: FakeDocument, path: MenuPath, box: Box, parent: int, index: int
) -> list[Widget]:
    """Return a menu with index `index` in the list and, if it is open, its entries."""
    is_open = document.open_menu[: len(path)] == path
    states = _VISIBLE | {"selectable"} | ({"selected"} if is_open else set())
    result = [Widget(f"menu:{'/'.join(path)}", parent, "menu", path[-1], "", box, states)]
    left, top = box[0] + box[2] - ENTRY_PX[0] * len(path), max(box[1], TITLE_PX)
    for row, name in enumerate(MENUS[path] if is_open else ()):
        box = (left, top + row * ENTRY_PX[1], *ENTRY_PX)
        if (*path, name) in MENUS:
            result += _menu(document, (*path, name), box, index, index + len(result))
            continue
        states = _VISIBLE if is_entry_enabled(document, name) else frozenset({"showing", "visible"})
        states |= {"selectable"}
        result.append(Widget(f"entry:{name}", index, "menu item", name, "", box, states))
    return result


def _slide_items(document: FakeDocument, parent: int, top: int, height: int) -> list[Widget]:
    capacity = max(height // ITEM_PX, 1)
    first = max(document.current - capacity + 1, 0)  # scroll as little as possible
    result = []
    for row, index in enumerate(range(first, min(first + capacity, document.slide_count))):
        states = {"focusable", "selectable"}
        if index == document.current:
            states |= {"selected", "focused"} if document.panel_focused else {"selected"}
        box = (8, top + row * ITEM_PX + 4, PANEL_PX - 16, ITEM_PX - 8)
        key, name = f"slide:{index}", slide_name(document, index)
        number = f"Slide {index + 1}{' (hidden)' if document.is_hidden(index) else ''}"
        result.append(Widget(key, parent, "panel", name, "", box, _VISIBLE | states, number))
    return result


def _shapes(document: FakeDocument, parent: int, first: int, frame: Box) -> list[Widget]:
    scale = frame[2] / document.slide_size[0]
    result: list[Widget] = []
    for shape in document.shapes():
        if _is_hidden(shape):
            continue
        states = {"focusable", "selectable"}
        if shape.shape_id == document.selected:
            states |= {"selected"}
            if not document.panel_focused:
                states |= {"focused"}
        if document.edit and document.edit.shape_id == shape.shape_id:
            states |= {"editable"}
        key, box = f"shape:{shape.shape_id}", _shape_box(shape, frame, scale)
        all_states, text = _VISIBLE | states, document.shape_text(shape)
        index = first + len(result)
        result.append(Widget(key, parent, _role(shape), shape.name, "", box, all_states, text))
        result += _paragraphs(key, index, text, box, all_states - {"selected", "selectable"})
    return result


def _paragraphs(
    key: str, parent: int, text: str, box: Box, states: frozenset[str]
) -> Iterator[Widget]:
    """Yield the lines of a text, which divide the shape's height equally."""
    lines = text.split("\n") if text else []
    left, top, width, height = box
    for row, line in enumerate(lines):
        begin, end = top + row * height // len(lines), top + (row + 1) * height // len(lines)
        line_box = (left, begin, width, max(end - begin, 1))
        yield Widget(f"{key}:{row}", parent, "paragraph", "", line, line_box, states)


def _shape_box(shape: Any, frame: Box, scale: float) -> Box:
    left, top, width, height = (round(int(value or 0) * scale) for value in box_of(shape))
    # A line has no height of its own, but must be visible and clickable.
    return frame[0] + left, frame[1] + top, max(width, 2), max(height, 2)


def _role(shape: Any) -> str:
    if getattr(shape, "has_table", False):
        return "table"
    if getattr(shape, "has_chart", False):
        return "embedded"
    return "image" if shape._element.tag.endswith("}pic") else "panel"


def _is_hidden(shape: Any) -> bool:
    """Whether a shape is a slide number, date or footer, which the application does not list."""
    return shape.is_placeholder and shape.placeholder_format.type in _FIELDS

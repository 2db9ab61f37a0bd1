"""Macros for new shapes and text boxes, connectors, and outlines."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Size
from pptarena.agents.macros.boxes import place_exactly
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose, pick, pick_color, press
from pptarena.agents.macros.screen import NodeJson, Screen, area_of
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.sidebar import open_section
from pptarena.agents.macros.slides import show_slide
from pptarena.envs import actions
from pptarena.errors import MacroError

__all__ = ["connector", "draw", "insert_shape", "outline"]

_EMU_PER_CM = 360_000
_LINE = "Line"
_BASIC = ("Insert", "Shape", "Basic Shapes")
_TOOLS = {
    "text_box": ("Insert", "Text Box"),
    "rect": (*_BASIC, "Rectangle"),
    "ellipse": (*_BASIC, "Ellipse"),
    "triangle": (*_BASIC, "Isosceles Triangle"),
    "diamond": (*_BASIC, "Diamond"),
    "rightArrow": ("Insert", "Shape", "Block Arrows", "Right Arrow"),
}
_HEADS = {"triangle": "Arrow", "none": "- none -"}
_SOLID = "Continuous"
_SIDES = {"left": (0.02, 0.5), "right": (0.98, 0.5), "top": (0.5, 0.02), "bottom": (0.5, 0.98)}


def insert_shape(
    desk: Desk,
    slide: Position,
    kind: Literal["text_box", "rect", "ellipse", "triangle", "diamond", "rightArrow"],
    text: str,
    left_cm: float,
    top_cm: float,
    width_cm: Size,
    height_cm: Size,
    exact: bool = False,
) -> Play[None]:
    """Draw a shape or a text box and write a text into it.

    Its position is as close as the screen's pixels allow; with `exact` it is then set precisely.
    """
    yield from show_slide(desk, slide)
    place_cm = (left_cm, top_cm, width_cm, height_cm)
    yield from draw(desk, kind, text, place_cm)
    if exact:
        yield from place_exactly(desk, *place_cm)


def draw(
    desk: Desk, kind: str, text: str, place_cm: tuple[float, float, float, float]
) -> Play[None]:
    """Draw on the current page; `place_cm` is left, top, width and height in centimeters."""
    left_cm, top_cm, width_cm, height_cm = place_cm
    before = len(desk.screen.shapes())
    yield from choose(desk, *_TOOLS[kind])
    start = _point(desk, left_cm, top_cm)
    end = _point(desk, left_cm + width_cm, top_cm + height_cm)
    yield from desk.act(actions.drag(xy=start, end_xy=end))
    yield from desk.await_(lambda screen: len(screen.shapes()) > before, "a new shape")
    if not text:
        return
    if not desk.screen.editing:
        yield from desk.key("F2")
    if not desk.screen.editing:
        raise MacroError("expected the new shape to open for its text with F2")
    yield from desk.type(text)
    yield from desk.put_down()


def _point(desk: Desk, across_cm: float, down_cm: float) -> tuple[float, float]:
    """Return the screen position of a point of the slide, as fractions of the screen size."""
    page = desk.screen.page
    if page is None:
        raise MacroError("expected the paper of the slide on the screen")
    left, top, width, height = area_of(page)
    x = left + width * across_cm * _EMU_PER_CM / desk.deck.width_emu
    y = top + height * down_cm * _EMU_PER_CM / desk.deck.height_emu
    return x / desk.screen.size_px[0], y / desk.screen.size_px[1]


def connector(
    desk: Desk,
    slide: Position,
    shape: Shape,
    to: Shape,
    leaves: Literal["left", "right", "top", "bottom"],
    enters: Literal["left", "right", "top", "bottom"],
) -> Play[None]:
    """Connect two shapes with a connector glued to both.

    Args:
        desk: The desk.
        slide: The slide.
        shape: The first shape.
        to: The second shape.
        leaves: The side of the first shape at which the connector starts.
        enters: The side of the second shape at which the connector ends.
    """
    yield from show_slide(desk, slide)
    yield from desk.key("Escape", 2)  # the toolbar with the button is hidden for texts
    before = len(desk.screen.shapes())
    button = yield from desk.await_(
        lambda screen: screen.first("button", "Connectors"), "the button 'Connectors'"
    )
    yield from desk.click(button, across=0.3)  # its right part opens a menu
    start = _edge(desk, find_node(desk, slide, shape), leaves)
    end = _edge(desk, find_node(desk, slide, to), enters)
    yield from desk.act(actions.drag(xy=start, end_xy=end))
    yield from desk.await_(lambda screen: len(screen.shapes()) > before, "a new connector")


def _edge(desk: Desk, node: NodeJson, side: str) -> tuple[float, float]:
    """Return the middle of a shape's side, slightly inside, as fractions of the screen size."""
    left, top, width, height = area_of(node)
    across, down = _SIDES[side]
    x, y = desk.screen.size_px
    return (left + across * width) / x, (top + down * height) / y


def outline(
    desk: Desk,
    slide: Position,
    shape: Shape,
    color: Color | None = None,
    width_pt: Size | None = None,
    start: Literal["triangle", "none"] | None = None,
    end: Literal["triangle", "none"] | None = None,
    visible: bool = True,
) -> Play[None]:
    """Format the outline of a shape, or a line; a missing outline becomes solid."""
    yield from select_shape(desk, slide, shape)
    yield from choose(desk, "Format", "Text Box and Shape", "Line...")
    box = yield from await_dialog(desk, _LINE)
    thickness = desk.screen.labelled("Thickness", box, ("spin button",))
    if thickness is None:
        raise MacroError("expected a field 'Thickness' in the dialog 'Line'")
    if not visible:
        yield from pick(desk, _LINE, "Style", _HEADS["none"])
        yield from press(desk, _LINE)
        return
    if "sensitive" not in thickness["states"]:
        yield from pick(desk, _LINE, "Style", _SOLID)
    if color is not None:
        yield from pick_color(desk, _LINE, "Color", color)
    for label, head in (("Start style", start), ("End style", end)):
        if head is not None:
            yield from pick(desk, _LINE, label, _HEADS[head])
    yield from press(desk, _LINE)
    if width_pt is not None:
        yield from _thickness(desk, width_pt)


def _thickness(desk: Desk, width_pt: float) -> Play[None]:
    """Set the width of the selected line.

    This uses the sidebar, because the dialog's unit of 0.01 inch is too coarse.
    """
    yield from open_section(desk, "Line")
    button = yield from desk.await_(_thickness_button, "the button beside 'Thickness'")
    yield from desk.click(button, across=0.2)  # its right end may be hidden
    label = "Custom Line Thickness"

    def field(screen: Screen) -> NodeJson | None:
        found = screen.first("label", f"{label}:")
        place = None if found is None else screen.nodes[found["parent"]]
        return None if place is None else screen.labelled(label, place, ("spin button",))

    node = yield from desk.await_(field, f"the field {label!r}")
    yield from desk.click(node, across=0.2)  # its center contains a minus button
    yield from desk.key("ctrl+a")
    yield from desk.type(f"{width_pt:g} pt")
    yield from desk.key("Tab")
    node = yield from desk.await_(field, f"the field {label!r}")
    if node["text"] != f"{width_pt:.1f} pt":
        raise MacroError(f"expected {width_pt:.1f} pt in the field {label!r}, got {node['text']!r}")
    yield from desk.key("Escape")


def _thickness_button(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    return None if page is None else screen.labelled("Thickness", page, ("button",))

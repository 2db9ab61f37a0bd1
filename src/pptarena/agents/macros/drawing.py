"""Macros for new shapes and text boxes, connectors, and outlines."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position, Shape, Size
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.geometry import set_position_and_size
from pptarena.agents.macros.menus import (
    await_dialog,
    choose_color,
    choose_menu,
    press,
    select_option,
)
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
_NONE = "- none -"
_ARROWHEADS = {"triangle": "Arrow", "none": _NONE}
_SOLID = "Continuous"
_SIDES = {"left": (0.02, 0.5), "right": (0.98, 0.5), "top": (0.5, 0.02), "bottom": (0.5, 0.98)}


def insert_shape(
    driver: Driver,
    slide: Position,
    kind: Literal["text_box", "rect", "ellipse", "triangle", "diamond", "rightArrow"],
    text: str,
    left_cm: float,
    top_cm: float,
    width_cm: Size,
    height_cm: Size,
    exact: bool = False,
) -> Steps[None]:
    """Draw a shape or a text box and write a text into it.

    Its position is as close as the screen's pixels allow; with `exact` it is then set precisely.
    """
    yield from show_slide(driver, slide)
    box_cm = (left_cm, top_cm, width_cm, height_cm)
    yield from draw(driver, kind, text, box_cm)
    if exact:
        yield from set_position_and_size(driver, *box_cm)


def draw(
    driver: Driver, kind: str, text: str, box_cm: tuple[float, float, float, float]
) -> Steps[None]:
    """Draw on the current page; `box_cm` is left, top, width and height in centimeters."""
    left_cm, top_cm, width_cm, height_cm = box_cm
    count_before = len(driver.screen.shapes())
    yield from choose_menu(driver, *_TOOLS[kind])
    start = _point(driver, left_cm, top_cm)
    end = _point(driver, left_cm + width_cm, top_cm + height_cm)
    yield from driver.act(actions.drag(xy=start, end_xy=end))
    yield from driver.wait_for(lambda screen: len(screen.shapes()) > count_before, "a new shape")
    if not text:
        return
    if not driver.screen.editing:
        yield from driver.key("F2")
    if not driver.screen.editing:
        raise MacroError("expected F2 to open the text of the new shape")
    yield from driver.type(text)
    yield from driver.end_text_edit()


def _point(driver: Driver, across_cm: float, down_cm: float) -> tuple[float, float]:
    """Return the screen position of a point of the slide, as fractions of the screen size."""
    page = driver.screen.page
    if page is None:
        raise MacroError("expected the page of the slide on the screen")
    left, top, width, height = area_of(page)
    x = left + width * across_cm * _EMU_PER_CM / driver.deck.width_emu
    y = top + height * down_cm * _EMU_PER_CM / driver.deck.height_emu
    return x / driver.screen.size_px[0], y / driver.screen.size_px[1]


def connector(
    driver: Driver,
    slide: Position,
    shape: Shape,
    to: Shape,
    leaves: Literal["left", "right", "top", "bottom"],
    enters: Literal["left", "right", "top", "bottom"],
) -> Steps[None]:
    """Connect two shapes with a connector glued to both.

    Args:
        driver: The driver.
        slide: The slide.
        shape: The first shape.
        to: The second shape.
        leaves: The side of the first shape at which the connector starts.
        enters: The side of the second shape at which the connector ends.
    """
    yield from show_slide(driver, slide)
    yield from driver.key("Escape", 2)  # the toolbar with the button is hidden for texts
    count_before = len(driver.screen.shapes())
    button = yield from driver.wait_for(
        lambda screen: screen.first("button", "Connectors"), "the button 'Connectors'"
    )
    yield from driver.click(button, across=0.3)  # its right part opens a menu
    start = _side_center(driver, find_node(driver, slide, shape), leaves)
    end = _side_center(driver, find_node(driver, slide, to), enters)
    yield from driver.act(actions.drag(xy=start, end_xy=end))
    yield from driver.wait_for(
        lambda screen: len(screen.shapes()) > count_before, "a new connector"
    )


def _side_center(driver: Driver, node: NodeJson, side: str) -> tuple[float, float]:
    """Return the middle of a shape's side, slightly inside, as fractions of the screen size."""
    left, top, width, height = area_of(node)
    across, down = _SIDES[side]
    x, y = driver.screen.size_px
    return (left + across * width) / x, (top + down * height) / y


def outline(
    driver: Driver,
    slide: Position,
    shape: Shape,
    color: Color | None = None,
    width_pt: Size | None = None,
    start: Literal["triangle", "none"] | None = None,
    end: Literal["triangle", "none"] | None = None,
    visible: bool = True,
) -> Steps[None]:
    """Format the outline of a shape, or a line; a missing outline becomes solid."""
    yield from select_shape(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Text Box and Shape", "Line...")
    dialog = yield from await_dialog(driver, _LINE)
    thickness = driver.screen.labeled_control("Thickness", dialog, ("spin button",))
    if thickness is None:
        raise MacroError("expected a field 'Thickness' in the dialog 'Line'")
    if not visible:
        yield from select_option(driver, _LINE, "Style", _NONE)
        yield from press(driver, _LINE)
        return
    if "sensitive" not in thickness["states"]:
        yield from select_option(driver, _LINE, "Style", _SOLID)
    if color is not None:
        yield from choose_color(driver, _LINE, "Color", color)
    for label, head in (("Start style", start), ("End style", end)):
        if head is not None:
            yield from select_option(driver, _LINE, label, _ARROWHEADS[head])
    yield from press(driver, _LINE)
    if width_pt is not None:
        yield from _set_thickness(driver, width_pt)


def _set_thickness(driver: Driver, width_pt: float) -> Steps[None]:
    """Set the width of the selected line.

    This uses the sidebar, because the dialog's unit of 0.01 inch is too coarse.
    """
    yield from open_section(driver, "Line")
    button = yield from driver.wait_for(_thickness_button, "the button next to 'Thickness'")
    yield from driver.click(button, across=0.2)  # its right end may be hidden
    label = "Custom Line Thickness"

    def field(screen: Screen) -> NodeJson | None:
        label_node = screen.first("label", f"{label}:")
        container = None if label_node is None else screen.nodes[label_node["parent"]]
        return (
            None
            if container is None
            else screen.labeled_control(label, container, ("spin button",))
        )

    field_node = yield from driver.wait_for(field, f"the field {label!r}")
    yield from driver.click(field_node, across=0.2)  # its center contains a minus button
    yield from driver.key("ctrl+a")
    yield from driver.type(f"{width_pt:g} pt")
    yield from driver.key("Tab")
    field_node = yield from driver.wait_for(field, f"the field {label!r}")
    if field_node["text"] != f"{width_pt:.1f} pt":
        raise MacroError(
            f"expected {width_pt:.1f} pt in the field {label!r}, got {field_node['text']!r}"
        )
    yield from driver.key("Escape")


def _thickness_button(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    return None if page is None else screen.labeled_control("Thickness", page, ("button",))

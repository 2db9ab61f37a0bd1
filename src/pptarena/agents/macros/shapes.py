"""Macros that select shapes or change entire shapes."""

from typing import Annotated, Literal

from pydantic import Field

from pptarena.agents.macros.arguments import Position, Shape
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose_menu, press, select_option
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.agents.macros.slides import show_slide
from pptarena.envs import actions
from pptarena.errors import MacroError

__all__ = ["alt_text", "delete_shape", "group", "order", "select_shape", "slide_link"]

_INTERACTION_DIALOG = "Interaction"
_MAX_TRIES = 3
_PREVIEW_WAITS_SEC = (2, 10)


def select_shape(driver: Driver, slide: Position, shape: Shape) -> Steps[NodeJson]:
    """Select one shape and return its node.

    A click selects the topmost shape at that position. If it selects another shape or starts a text
    edit, the keyboard is used: Escape, then Tab in the order of the tree, in the shorter direction.
    """
    yield from show_slide(driver, slide)
    node = yield from _await_node(driver, slide, shape)
    if _selection(driver) == [node["index"]]:
        return node
    yield from driver.click(node)
    yield from driver.end_text_edit()
    for _ in range(_MAX_TRIES):
        node = find_node(driver, slide, shape)
        if _selection(driver) == [node["index"]]:
            return node
        presses = _tab_presses(driver, node)
        yield from driver.key("Tab" if presses > 0 else "shift+Tab", abs(presses))
    for _ in range(len(driver.screen.shapes())):
        node = find_node(driver, slide, shape)
        if _selection(driver) == [node["index"]]:
            return node
        yield from driver.key("Tab")
    raise MacroError(
        f"expected {shape!r} of slide {slide} to be selected, but Tab does not reach it"
    )


def _await_node(driver: Driver, slide: int, shape: str) -> Steps[NodeJson]:
    for wait_sec in _PREVIEW_WAITS_SEC:
        try:
            return find_node(driver, slide, shape)
        except MacroError:  # the preview of an effect may hide the shape
            yield from driver.act(actions.wait(wait_sec))
    return find_node(driver, slide, shape)


def _tab_presses(driver: Driver, node: NodeJson) -> int:
    """Return the number of Tab presses to a shape, negative for Shift+Tab; never 0."""
    order = [shape_node["index"] for shape_node in driver.screen.shapes()]
    selection = _selection(driver)
    forward = order.index(node["index"]) + 1  # without a selection, Tab starts at the first shape
    if selection:
        forward = (order.index(node["index"]) - order.index(selection[0])) % len(order)
    backward = len(order) - forward if selection else len(order) - forward + 1
    return (forward if forward <= backward else -backward) or 1


def _selection(driver: Driver) -> list[int]:
    return [node["index"] for node in driver.screen.shapes() if "selected" in node["states"]]


def _select_shapes(driver: Driver, slide: int, shapes: list[str]) -> Steps[None]:
    """Select exactly the given shapes."""
    yield from select_shape(driver, slide, shapes[0])
    for shape in shapes[1:]:
        yield from driver.click(find_node(driver, slide, shape), keys="shift")
        yield from driver.end_text_edit()  # the click may have opened a text
    target = sorted(find_node(driver, slide, shape)["index"] for shape in shapes)
    if sorted(_selection(driver)) != target:
        raise MacroError(f"expected {', '.join(map(repr, shapes))} to be selected together")


def group(
    driver: Driver, slide: Position, shapes: Annotated[list[Shape], Field(min_length=2)]
) -> Steps[None]:
    """Group several shapes."""
    yield from _select_shapes(driver, slide, shapes)
    count_before = len(driver.screen.shapes())
    yield from driver.key("ctrl+shift+g")
    count_after = count_before - len(shapes) + 1
    description = f"{len(shapes)} shapes in one group"
    yield from driver.wait_for(lambda screen: len(screen.shapes()) == count_after, description)


def delete_shape(driver: Driver, slide: Position, shape: Shape) -> Steps[None]:
    """Delete a shape."""
    yield from select_shape(driver, slide, shape)
    count_before = len(driver.screen.shapes())
    yield from driver.key("Delete")
    description = f"one shape fewer on slide {slide}"
    yield from driver.wait_for(lambda screen: len(screen.shapes()) == count_before - 1, description)


def order(
    driver: Driver, slide: Position, shape: Shape, to: Literal["front", "back"]
) -> Steps[None]:
    """Bring a shape to the front, or send it to the back."""
    yield from select_shape(driver, slide, shape)
    entry = "Bring to Front" if to == "front" else "Send to Back"
    # The tree keeps its order, so the macro cannot verify the result.
    yield from choose_menu(driver, "Format", "Arrange", entry)


def slide_link(driver: Driver, slide: Position, shape: Shape, to: Position) -> Steps[None]:
    """Link a shape to a slide."""
    yield from show_slide(driver, to)
    page = driver.screen.page
    name = "" if page is None else str(page["name"]).partition(":")[2].strip()
    yield from select_shape(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Interaction...")
    yield from select_option(
        driver, _INTERACTION_DIALOG, "Action at mouse click", "Go to page or object"
    )
    dialog = yield from await_dialog(driver, _INTERACTION_DIALOG)
    panel = driver.screen.first("panel", "Slide / Object", dialog)
    field = None if panel is None else driver.screen.first("text", within=panel)
    if field is None:
        raise MacroError("expected a field for the slide in the dialog 'Interaction'")
    yield from driver.click(field)
    yield from driver.key("ctrl+a")
    yield from driver.type(name)
    yield from press(driver, _INTERACTION_DIALOG, "Find", closes=False)

    def selected_slide(screen: Screen) -> NodeJson | None:
        # A shape may have the same name, but only slides can be expanded in the list.
        return screen.first(
            "table cell", name, test=lambda node: {"selected", "expandable"} <= set(node["states"])
        )

    yield from driver.wait_for(selected_slide, f"the slide {name!r} in the list of targets")
    yield from press(driver, _INTERACTION_DIALOG)


def alt_text(driver: Driver, slide: Position, shape: Shape, text: str) -> Steps[None]:
    """Set the alternative text of a shape."""
    yield from select_shape(driver, slide, shape)
    yield from choose_menu(driver, "Format", "Alt Text...")
    dialog = yield from await_dialog(driver, "Alt Text")
    field = driver.screen.labeled_control("Text Alternative", dialog, ("text",))
    if field is None:
        text_fields = driver.screen.all("text", within=dialog)
        field = text_fields[-1] if text_fields else None
    if field is None:
        raise MacroError("expected a field for the description in the dialog 'Alt Text'")
    yield from driver.click(field)
    yield from driver.key("ctrl+a")
    yield from driver.type(text)
    yield from press(driver, "Alt Text")

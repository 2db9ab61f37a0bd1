"""Macros that select shapes or change entire shapes."""

from typing import Annotated, Literal

from pydantic import Field

from pptarena.agents.macros.arguments import Position, Shape
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose, pick, press
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.agents.macros.slides import show_slide
from pptarena.envs import actions
from pptarena.errors import MacroError

__all__ = ["alt_text", "delete_shape", "group", "order", "select_shape", "slide_link"]

_INTERACTION = "Interaction"
_TRIES = 3
_PREVIEWS_SEC = (2, 10)


def select_shape(desk: Desk, slide: Position, shape: Shape) -> Play[NodeJson]:
    """Select one shape and return its node.

    A click selects the topmost shape at that position. If it selects another shape or starts a text
    edit, the keyboard is used: Escape, then Tab in the order of the tree, in the shorter direction.
    """
    yield from show_slide(desk, slide)
    node = yield from _await_node(desk, slide, shape)
    if _chosen(desk) == [node["index"]]:
        return node
    yield from desk.click(node)
    yield from desk.put_down()
    for _ in range(_TRIES):
        node = find_node(desk, slide, shape)
        if _chosen(desk) == [node["index"]]:
            return node
        away = _away(desk, node)
        yield from desk.key("Tab" if away > 0 else "shift+Tab", abs(away))
    for _ in range(len(desk.screen.shapes())):
        node = find_node(desk, slide, shape)
        if _chosen(desk) == [node["index"]]:
            return node
        yield from desk.key("Tab")
    raise MacroError(f"expected {shape!r} of slide {slide} to be selected; Tab does not reach it")


def _await_node(desk: Desk, slide: int, shape: str) -> Play[NodeJson]:
    for wait_sec in _PREVIEWS_SEC:
        try:
            return find_node(desk, slide, shape)
        except MacroError:  # the preview of an effect may hide it
            yield from desk.act(actions.wait(wait_sec))
    return find_node(desk, slide, shape)


def _away(desk: Desk, node: NodeJson) -> int:
    """Return the number of Tab presses to a shape, negative for Shift+Tab; never 0."""
    order = [each["index"] for each in desk.screen.shapes()]
    chosen = _chosen(desk)
    ahead = order.index(node["index"]) + 1  # without a selection, Tab starts at the first shape
    if chosen:
        ahead = (order.index(node["index"]) - order.index(chosen[0])) % len(order)
    back = len(order) - ahead if chosen else len(order) - ahead + 1
    return (ahead if ahead <= back else -back) or 1


def _chosen(desk: Desk) -> list[int]:
    return [node["index"] for node in desk.screen.shapes() if "selected" in node["states"]]


def _select_shapes(desk: Desk, slide: int, shapes: list[str]) -> Play[None]:
    """Select exactly the given shapes."""
    yield from select_shape(desk, slide, shapes[0])
    for shape in shapes[1:]:
        yield from desk.click(find_node(desk, slide, shape), keys="shift")
        yield from desk.put_down()  # the click may have opened a text; the selection stays
    wanted = sorted(find_node(desk, slide, shape)["index"] for shape in shapes)
    if sorted(_chosen(desk)) != wanted:
        raise MacroError(f"expected {', '.join(map(repr, shapes))} to be selected together")


def group(
    desk: Desk, slide: Position, shapes: Annotated[list[Shape], Field(min_length=2)]
) -> Play[None]:
    """Group several shapes."""
    yield from _select_shapes(desk, slide, shapes)
    before = len(desk.screen.shapes())
    yield from desk.key("ctrl+shift+g")
    count = before - len(shapes) + 1
    what = f"{len(shapes)} shapes in one group"
    yield from desk.await_(lambda screen: len(screen.shapes()) == count, what)


def delete_shape(desk: Desk, slide: Position, shape: Shape) -> Play[None]:
    """Delete a shape."""
    yield from select_shape(desk, slide, shape)
    before = len(desk.screen.shapes())
    yield from desk.key("Delete")
    what = f"a shape less on slide {slide}"
    yield from desk.await_(lambda screen: len(screen.shapes()) == before - 1, what)


def order(desk: Desk, slide: Position, shape: Shape, to: Literal["front", "back"]) -> Play[None]:
    """Bring a shape to the front, or send it to the back."""
    yield from select_shape(desk, slide, shape)
    entry = "Bring to Front" if to == "front" else "Send to Back"
    # The order of the tree stays the same, so only pixels show the result.
    yield from choose(desk, "Format", "Arrange", entry)


def slide_link(desk: Desk, slide: Position, shape: Shape, to: Position) -> Play[None]:
    """Link a shape to a slide."""
    yield from show_slide(desk, to)
    page = desk.screen.page
    name = "" if page is None else str(page["name"]).partition(":")[2].strip()
    yield from select_shape(desk, slide, shape)
    yield from choose(desk, "Format", "Interaction...")
    yield from pick(desk, _INTERACTION, "Action at mouse click", "Go to page or object")
    box = yield from await_dialog(desk, _INTERACTION)
    place = desk.screen.first("panel", "Slide / Object", box)
    field = None if place is None else desk.screen.first("text", within=place)
    if field is None:
        raise MacroError("expected a field for the slide in the dialog 'Interaction'")
    yield from desk.click(field)
    yield from desk.key("ctrl+a")
    yield from desk.type(name)
    yield from press(desk, _INTERACTION, "Find", closes=False)

    def found(screen: Screen) -> NodeJson | None:
        # Slides can be expanded in the list, shapes cannot; a shape may have the same name.
        return screen.first(
            "table cell", name, test=lambda node: {"selected", "expandable"} <= set(node["states"])
        )

    yield from desk.await_(found, f"the slide {name!r} in the list of targets")
    yield from press(desk, _INTERACTION)


def alt_text(desk: Desk, slide: Position, shape: Shape, text: str) -> Play[None]:
    """Set the alternative text of a shape."""
    yield from select_shape(desk, slide, shape)
    yield from choose(desk, "Format", "Alt Text...")
    box = yield from await_dialog(desk, "Alt Text")
    field = desk.screen.labelled("Text Alternative", box, ("text",))
    if field is None:
        texts = desk.screen.all("text", within=box)
        field = texts[-1] if texts else None
    if field is None:
        raise MacroError("expected a field for the description in the dialog 'Alt Text'")
    yield from desk.click(field)
    yield from desk.key("ctrl+a")
    yield from desk.type(text)
    yield from press(desk, "Alt Text")

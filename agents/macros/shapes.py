"""Macros that pick a shape, and those that treat it as a whole."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import await_dialog, choose, press
from pptarena.agents.macros.screen import NodeJson
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["alt_text", "delete_shape", "order", "select_shape"]


def select_shape(desk: Desk, slide: int, shape: str) -> Play[NodeJson]:
    """Select a shape, alone, and return its node.

    A click picks what lies on top at that place, so where it picks something else, or begins to
    edit a text, the keyboard goes on: Escape, and Tab from shape to shape.
    """
    yield from show_slide(desk, slide)
    node = find_node(desk, slide, shape)
    if _chosen(desk) == [node["index"]]:
        return node
    yield from desk.click(node)
    yield from desk.put_down()
    for _ in range(2 * len(desk.screen.shapes()) + 2):
        node = find_node(desk, slide, shape)
        if _chosen(desk) == [node["index"]]:
            return node
        yield from desk.key("Tab")
    raise MacroError(f"expected {shape!r} of slide {slide} to be selected; Tab does not reach it")


def _chosen(desk: Desk) -> list[int]:
    return [node["index"] for node in desk.screen.shapes() if "selected" in node["states"]]


def delete_shape(desk: Desk, slide: int, shape: str) -> Play[None]:
    """Delete a shape."""
    yield from select_shape(desk, slide, shape)
    before = len(desk.screen.shapes())
    yield from desk.key("Delete")
    what = f"a shape less on slide {slide}"
    yield from desk.await_(lambda screen: len(screen.shapes()) == before - 1, what)


def order(desk: Desk, slide: int, shape: str, to: str) -> Play[None]:
    """Bring a shape to the front, or send it to the back."""
    yield from select_shape(desk, slide, shape)
    entry = "Bring to Front" if to == "front" else "Send to Back"
    # The tree keeps its order; nothing on the screen but pixels shows which shape lies in front.
    yield from choose(desk, "Format", "Arrange", entry)


def alt_text(desk: Desk, slide: int, shape: str, text: str) -> Play[None]:
    """Give a shape a description for people who cannot see it."""
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

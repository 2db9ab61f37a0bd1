"""Macros for animation effects, in the sidebar."""

from typing import Literal

from pptarena.agents.macros.arguments import Position, Shape, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import open_tab, pick, press
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, plain
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.sidebar import open_page
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["animation", "remove_animation"]

_ANIMATION = "Animation"
_OPTIONS = "Effect Options"
_BUTTONS = ("button", "push button")
_MOST_EFFECTS = 60  # of one category, including headings
_STARTS = {"with_previous": "With previous", "after_previous": "After previous"}


def animation(
    desk: Desk,
    slide: Position,
    shape: Shape,
    effect: Text,
    start: Literal["on_click", "with_previous", "after_previous"] = "on_click",
    whole: bool = False,
) -> Play[None]:
    """Add an effect from the list that the sidebar shows first: entrance effects.

    A text appears paragraph by paragraph, unless `whole` is set.
    """
    yield from select_shape(desk, slide, shape)
    yield from open_page(desk, _ANIMATION)
    before = len(_entries(desk.screen))
    add = yield from desk.await_(lambda screen: screen.first(_BUTTONS, "Add"), "the button 'Add'")
    yield from desk.click(add)
    yield from desk.await_(lambda screen: len(_entries(screen)) > before, "a new effect")
    for _ in range(_MOST_EFFECTS):
        table = yield from desk.await_(_effects, "the list of effects")
        cell = desk.screen.first("table cell", effect, table)
        if cell is None:
            yield from desk.scroll(table, 1)
        elif "selected" in cell["states"]:
            break
        else:
            yield from desk.click(cell)  # not by keys: they go to the slide after a selection
    else:
        raise MacroError(f"expected an effect {effect!r} in the sidebar's list; it ends without it")
    if start != "on_click":
        yield from _start(desk, _STARTS[start])
    if whole:
        yield from _as_one(desk)


def _as_one(desk: Desk) -> Play[None]:
    """Animate the text of the selected effects as one object."""
    page = desk.screen.first("panel", _ANIMATION)
    button = None if page is None else desk.screen.labelled("Direction", page, _BUTTONS)
    if button is None:
        raise MacroError("expected a button 'Options' beside 'Direction' in the sidebar")
    yield from desk.click(button)
    yield from open_tab(desk, "Text Animation", _OPTIONS)
    yield from pick(desk, _OPTIONS, "Group text", "As one object")
    yield from press(desk, _OPTIONS)


def _start(desk: Desk, entry: str) -> Play[None]:
    """Set the start condition of the selected effect."""

    def field(screen: Screen) -> NodeJson | None:
        page = screen.first("panel", _ANIMATION)
        return None if page is None else screen.labelled("Start", page, ("combo box",))

    node = yield from desk.await_(field, "the list beside 'Start'")
    yield from desk.click(node)
    cell = yield from desk.await_(
        lambda screen: screen.first("table cell", entry, test=lambda node: bool(node["element"])),
        f"the entry {entry!r} in the list 'Start'",
    )
    yield from desk.click(cell)


def remove_animation(desk: Desk, slide: Position, shape: Shape | None = None) -> Play[None]:
    """Remove the effects of a slide, or those of one of its shapes."""
    yield from show_slide(desk, slide)
    yield from open_page(desk, _ANIMATION)
    for _ in range(_MOST_EFFECTS):
        entries = _entries(desk.screen)
        if shape is not None:
            node = find_node(desk, slide, shape)
            lines = {plain(line["text"]) for line in desk.screen.paragraphs(node)}
            entries = [
                entry
                for entry in entries
                if f"'{node['name']}'" in entry["name"] or plain(entry["name"]) in lines
            ]
        if not entries:
            return
        count = len(_entries(desk.screen))
        yield from desk.click(entries[0])
        minus = _minus(desk.screen)
        if minus is None:
            raise MacroError("expected a button that removes an effect beside 'Add'")
        yield from desk.click(minus)
        yield from desk.await_(
            lambda screen, count=count: len(_entries(screen)) < count,  # type: ignore[misc]
            "an effect less",
        )
    raise MacroError(f"expected the effects of slide {slide} to end; there are still some")


def _tables(screen: Screen) -> list[NodeJson]:
    page = screen.first("panel", _ANIMATION)
    return [] if page is None else screen.all("tree table", within=page)


def _entries(screen: Screen) -> list[NodeJson]:
    """Return the effects of the slide: the upper list, which is missing if there are none."""
    add = screen.first(_BUTTONS, "Add")
    found = [table for table in _tables(screen) if add and area_of(table)[1] < area_of(add)[1]]
    return [
        cell for table in found for cell in screen.all("table cell", within=table) if cell["name"]
    ]


def _effects(screen: Screen) -> NodeJson | None:
    """Return the list of available effects; the tree contains only its visible entries."""
    add = screen.first(_BUTTONS, "Add")
    found = [table for table in _tables(screen) if add and area_of(table)[1] > area_of(add)[1]]
    return next(iter(found), None)


def _minus(screen: Screen) -> NodeJson | None:
    """Return the button to the right of "Add", which has no name."""
    add = screen.first(_BUTTONS, "Add")
    if add is None:
        return None
    left, top, width, _ = area_of(add)
    beside = [
        node
        for node in screen.all(_BUTTONS, "")
        if area_of(node)[1] == top and area_of(node)[0] >= left + width
    ]
    return min(beside, key=lambda node: area_of(node)[0], default=None)

"""Macros for animation effects, in the sidebar."""

from typing import Literal

from pptarena.agents.macros.arguments import Position, Shape, Text
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.find_shape import find_node
from pptarena.agents.macros.menus import open_tab, press, select_option
from pptarena.agents.macros.screen import NodeJson, Screen, area_of, normalize
from pptarena.agents.macros.shapes import select_shape
from pptarena.agents.macros.sidebar import open_page
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["animation", "remove_animation"]

_ANIMATION = "Animation"
_OPTIONS = "Effect Options"
_BUTTONS = ("button", "push button")
_MAX_EFFECTS = 60  # of one category, including headings
_STARTS = {"with_previous": "With previous", "after_previous": "After previous"}


def animation(
    driver: Driver,
    slide: Position,
    shape: Shape,
    effect: Text,
    start: Literal["on_click", "with_previous", "after_previous"] = "on_click",
    whole: bool = False,
) -> Steps[None]:
    """Add an effect from the list that the sidebar shows first: entrance effects.

    A text appears paragraph by paragraph, unless `whole` is set.
    """
    yield from select_shape(driver, slide, shape)
    yield from open_page(driver, _ANIMATION)
    count_before = len(_applied_effects(driver.screen))
    add_button = yield from driver.wait_for(
        lambda screen: screen.first(_BUTTONS, "Add"), "the button 'Add'"
    )
    yield from driver.click(add_button)
    yield from driver.wait_for(
        lambda screen: len(_applied_effects(screen)) > count_before, "a new effect"
    )
    for _ in range(_MAX_EFFECTS):
        effects = yield from driver.wait_for(_available_effects, "the list of effects")
        cell = driver.screen.first("table cell", effect, effects)
        if cell is None:
            yield from driver.scroll(effects, 1)
        elif "selected" in cell["states"]:
            break
        else:
            yield from driver.click(cell)  # keys would go to the slide after a selection
    else:
        raise MacroError(
            f"expected an effect {effect!r} in the sidebar's list, which does not contain it"
        )
    if start != "on_click":
        yield from _set_start(driver, _STARTS[start])
    if whole:
        yield from _animate_as_one_object(driver)


def _animate_as_one_object(driver: Driver) -> Steps[None]:
    """Animate the text of the selected effects as one object."""
    page = driver.screen.first("panel", _ANIMATION)
    button = None if page is None else driver.screen.labeled_control("Direction", page, _BUTTONS)
    if button is None:
        raise MacroError("expected a button 'Options' next to 'Direction' in the sidebar")
    yield from driver.click(button)
    yield from open_tab(driver, "Text Animation", _OPTIONS)
    yield from select_option(driver, _OPTIONS, "Group text", "As one object")
    yield from press(driver, _OPTIONS)


def _set_start(driver: Driver, start_label: str) -> Steps[None]:
    """Set the start condition of the selected effect."""

    def field(screen: Screen) -> NodeJson | None:
        page = screen.first("panel", _ANIMATION)
        return None if page is None else screen.labeled_control("Start", page, ("combo box",))

    start_list = yield from driver.wait_for(field, "the list next to 'Start'")
    yield from driver.click(start_list)
    option = yield from driver.wait_for(
        lambda screen: screen.first(
            "table cell", start_label, test=lambda node: bool(node["element"])
        ),
        f"the entry {start_label!r} in the list 'Start'",
    )
    yield from driver.click(option)


def remove_animation(driver: Driver, slide: Position, shape: Shape | None = None) -> Steps[None]:
    """Remove the effects of a slide, or those of one of its shapes."""
    yield from show_slide(driver, slide)
    yield from open_page(driver, _ANIMATION)
    for _ in range(_MAX_EFFECTS):
        entries = _applied_effects(driver.screen)
        if shape is not None:
            node = find_node(driver, slide, shape)
            paragraph_texts = {
                normalize(paragraph["text"]) for paragraph in driver.screen.paragraphs(node)
            }
            entries = [
                entry
                for entry in entries
                if f"'{node['name']}'" in entry["name"]
                or normalize(entry["name"]) in paragraph_texts
            ]
        if not entries:
            return
        count_before = len(_applied_effects(driver.screen))
        yield from driver.click(entries[0])
        remove_button = _remove_button(driver.screen)
        if remove_button is None:
            raise MacroError("expected a button next to 'Add' that removes an effect")
        yield from driver.click(remove_button)
        yield from driver.wait_for(
            lambda screen, count=count_before: len(_applied_effects(screen)) < count,  # type: ignore[misc]
            "one effect fewer",
        )
    raise MacroError(f"expected all effects of slide {slide} to be removed, but some remain")


def _tables(screen: Screen) -> list[NodeJson]:
    page = screen.first("panel", _ANIMATION)
    return [] if page is None else screen.all("tree table", within=page)


def _applied_effects(screen: Screen) -> list[NodeJson]:
    """Return the effects of the slide: the upper list, which is missing if the slide has none."""
    add_button = screen.first(_BUTTONS, "Add")
    upper_tables = [
        table
        for table in _tables(screen)
        if add_button and area_of(table)[1] < area_of(add_button)[1]
    ]
    return [
        cell
        for table in upper_tables
        for cell in screen.all("table cell", within=table)
        if cell["name"]
    ]


def _available_effects(screen: Screen) -> NodeJson | None:
    """Return the list of available effects; the tree contains only its visible entries."""
    add_button = screen.first(_BUTTONS, "Add")
    lower_tables = [
        table
        for table in _tables(screen)
        if add_button and area_of(table)[1] > area_of(add_button)[1]
    ]
    return next(iter(lower_tables), None)


def _remove_button(screen: Screen) -> NodeJson | None:
    """Return the button to the right of "Add", which has no name."""
    add_button = screen.first(_BUTTONS, "Add")
    if add_button is None:
        return None
    left, top, width, _ = area_of(add_button)
    buttons_to_the_right = [
        node
        for node in screen.all(_BUTTONS, "")
        if area_of(node)[1] == top and area_of(node)[0] >= left + width
    ]
    return min(buttons_to_the_right, key=lambda node: area_of(node)[0], default=None)

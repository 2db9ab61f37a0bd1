"""Macros for layouts, which LibreOffice calls master slides."""

from pptarena.agents.macros.arguments import Position, Size, Text
from pptarena.agents.macros.drawing import draw
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.menus import choose_menu
from pptarena.agents.macros.screen import NodeJson, Screen, normalize
from pptarena.agents.macros.sidebar import open_section
from pptarena.agents.macros.slides import insert_slide, refresh_slide, show_slide
from pptarena.errors import MacroError

__all__ = ["change_layout", "insert_layout_slide", "slide_boxes", "stamp_layout"]

_SCROLL_NOTCHES = 3


def change_layout(driver: Driver, slide: Position, layout: Text) -> Steps[None]:
    """Change the layout of a slide to another one of the deck."""
    yield from show_slide(driver, slide)
    yield from driver.key("Escape", 2)  # without a selection, the sidebar applies to the slide
    yield from open_section(driver, "Slide")
    layout_list = yield from driver.wait_for(_layout_list, "the list 'Master Slide' in the sidebar")
    yield from driver.click(layout_list)
    entry = yield from driver.wait_for(
        lambda screen: screen.first(
            ("table cell", "menu item"), layout, test=lambda node: bool(node["element"])
        ),
        f"the layout {layout!r} in the list 'Master Slide'",
    )
    yield from driver.click(entry)


def _layout_list(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    return None if page is None else screen.labeled_control("Master Slide", page, ("combo box",))


def insert_layout_slide(driver: Driver, after: Position, layout: Text) -> Steps[None]:
    """Insert a slide with a given layout after another slide."""
    yield from insert_slide(driver, after)
    yield from change_layout(driver, after + 1, layout)


def slide_boxes(driver: Driver, slide: Position, boxes: Text) -> Steps[None]:
    """Add the empty placeholders of one of the application's slide types to a slide."""
    yield from show_slide(driver, slide)
    yield from driver.key("Escape", 2)
    yield from open_section(driver, "Layouts")
    entry = yield from driver.wait_for(
        lambda screen: screen.first("list item", boxes), f"the entry {boxes!r} in the sidebar"
    )
    yield from driver.click(entry)
    yield from refresh_slide(driver, slide)


def stamp_layout(
    driver: Driver,
    layout: Text,
    text: Text,
    left_cm: float = 0.5,
    top_cm: float = 0.2,
    width_cm: Size = 4.5,
    height_cm: Size = 0.9,
) -> Steps[None]:
    """Add a text box to a layout, as close to the given position as the pixels allow."""
    yield from driver.end_text_edit()
    yield from choose_menu(driver, "View", "Master Slide")
    yield from _show_layout(driver, layout)
    yield from draw(driver, "text_box", text, (left_cm, top_cm, width_cm, height_cm))
    yield from choose_menu(driver, "View", "Normal")
    yield from driver.wait_for(lambda screen: screen.first("menu", "Slide"), "the normal view")


def _show_layout(driver: Driver, layout: str) -> Steps[None]:
    """Show a layout in the master view.

    The layout is clicked, because after an edit in the sidebar the list ignores keys.
    """
    first = yield from driver.wait_for(_any_thumbnail, "the list of layouts at the left")
    for notches in (-_SCROLL_NOTCHES, _SCROLL_NOTCHES):  # to the top, then down
        previous = None
        while (thumbnails := driver.screen.thumbnails()) != previous:
            previous = thumbnails
            thumbnail = _find_thumbnail(driver.screen, layout)
            if thumbnail is not None:
                yield from driver.click(thumbnail)
                if _current_layout(driver.screen) == normalize(layout):
                    return
            yield from driver.scroll(first, notches)  # the layout may be cut off at the list's edge
    raise MacroError(f"expected a layout {layout!r} in the master view")


def _current_layout(screen: Screen) -> str:
    page = screen.page
    return "" if page is None else normalize(str(page["name"]).partition(":")[2])


def _any_thumbnail(screen: Screen) -> NodeJson | None:
    return next((node for node in screen.thumbnails() if node["element"]), None)


def _find_thumbnail(screen: Screen, layout: str) -> NodeJson | None:
    return next(
        (
            thumbnail
            for thumbnail in screen.thumbnails()
            if thumbnail["element"] and normalize(str(thumbnail["name"])) == normalize(layout)
        ),
        None,
    )

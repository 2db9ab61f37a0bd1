"""Macros for layouts, which LibreOffice calls master slides."""

from pptarena.agents.macros.arguments import Position, Size, Text
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.drawing import draw
from pptarena.agents.macros.menus import choose
from pptarena.agents.macros.screen import NodeJson, Screen, plain
from pptarena.agents.macros.sidebar import open_section
from pptarena.agents.macros.slides import insert_slide, show_anew, show_slide
from pptarena.errors import MacroError

__all__ = ["change_layout", "insert_layout_slide", "slide_boxes", "stamp_layout"]

_NOTCHES = 3


def change_layout(desk: Desk, slide: Position, layout: Text) -> Play[None]:
    """Change the layout of a slide to another one of the deck."""
    yield from show_slide(desk, slide)
    yield from desk.key("Escape", 2)  # without a selection, the sidebar applies to the slide
    yield from open_section(desk, "Slide")
    field = yield from desk.await_(_field, "the list 'Master Slide' in the sidebar")
    yield from desk.click(field)
    entry = yield from desk.await_(
        lambda screen: screen.first(
            ("table cell", "menu item"), layout, test=lambda node: bool(node["element"])
        ),
        f"the layout {layout!r} in the list 'Master Slide'",
    )
    yield from desk.click(entry)


def _field(screen: Screen) -> NodeJson | None:
    page = screen.first("panel", "Properties")
    return None if page is None else screen.labelled("Master Slide", page, ("combo box",))


def insert_layout_slide(desk: Desk, after: Position, layout: Text) -> Play[None]:
    """Insert a slide with a given layout after another slide."""
    yield from insert_slide(desk, after)
    yield from change_layout(desk, after + 1, layout)


def slide_boxes(desk: Desk, slide: Position, boxes: Text) -> Play[None]:
    """Add the empty placeholders of one of the application's slide types to a slide."""
    yield from show_slide(desk, slide)
    yield from desk.key("Escape", 2)
    yield from open_section(desk, "Layouts")
    entry = yield from desk.await_(
        lambda screen: screen.first("list item", boxes), f"the entry {boxes!r} in the sidebar"
    )
    yield from desk.click(entry)
    yield from show_anew(desk, slide)


def stamp_layout(
    desk: Desk,
    layout: Text,
    text: Text,
    left_cm: float = 0.5,
    top_cm: float = 0.2,
    width_cm: Size = 4.5,
    height_cm: Size = 0.9,
) -> Play[None]:
    """Add a text box to a layout, as close to the given position as the pixels allow."""
    yield from desk.put_down()
    yield from choose(desk, "View", "Master Slide")
    yield from _show_layout(desk, layout)
    yield from draw(desk, "text_box", text, (left_cm, top_cm, width_cm, height_cm))
    yield from choose(desk, "View", "Normal")
    yield from desk.await_(lambda screen: screen.first("menu", "Slide"), "the normal view")


def _show_layout(desk: Desk, layout: str) -> Play[None]:
    """Show a layout in the master view.

    The layout is clicked, because after an edit in the sidebar the list ignores keys.
    """
    first = yield from desk.await_(_any_thumbnail, "the list of layouts at the left")
    for notches in (-_NOTCHES, _NOTCHES):  # to the top, then down
        before = None
        while (shown := desk.screen.thumbnails()) != before:
            before = shown
            found = _named(desk.screen, layout)
            if found is not None:
                yield from desk.click(found)
                if _shown(desk.screen) == plain(layout):
                    return
            yield from desk.scroll(first, notches)  # it may be cut off at the list's edge
    raise MacroError(f"expected a layout {layout!r} in the view of masters")


def _shown(screen: Screen) -> str:
    page = screen.page
    return "" if page is None else plain(str(page["name"]).partition(":")[2])


def _any_thumbnail(screen: Screen) -> NodeJson | None:
    return next((each for each in screen.thumbnails() if each["element"]), None)


def _named(screen: Screen, layout: str) -> NodeJson | None:
    return next(
        (
            each
            for each in screen.thumbnails()
            if each["element"] and plain(str(each["name"])) == plain(layout)
        ),
        None,
    )

"""Macros that show, insert, delete, move and hide slides."""

from pptarena.agents.macros.arguments import Position
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.menus import choose_menu
from pptarena.agents.macros.screen import NodeJson, Screen, normalize
from pptarena.errors import MacroError

__all__ = [
    "delete_slide",
    "duplicate_slide",
    "hide_slide",
    "insert_slide",
    "move_slide",
    "refresh_slide",
    "show_slide",
]


_SCROLL_NOTCHES = 5  # about four thumbnails
# Longest moves by menu. Downwards, the menu then takes fewer actions than cut and paste; upwards,
# it takes a few more but is safer.
_MAX_STEPS_DOWN = 3
_MAX_STEPS_UP = 8


def show_slide(driver: Driver, slide: Position) -> Steps[None]:
    """Show the slide at a current position."""
    yield from driver.end_text_edit()
    driver.slide_tracker.origin(slide)
    if driver.screen.slide != slide:
        yield from _select_slide(driver, slide)


def refresh_slide(driver: Driver, slide: int) -> Steps[None]:
    """Show another slide briefly, so that new objects appear in the accessibility tree."""
    if driver.screen.slide_count > 1:
        yield from show_slide(driver, slide - 1 if slide > 1 else 2)
    yield from show_slide(driver, slide)


def _select_slide(driver: Driver, slide: int) -> Steps[None]:
    """Show a slide and focus the slide list, with only that slide selected."""
    yield from driver.end_text_edit()
    driver.slide_tracker.origin(slide)
    if driver.by_titles:
        yield from _click_title(driver, slide)
        if driver.screen.slide == slide:
            return
    for _ in range(2):
        thumbnail = yield from driver.wait_for(_current_thumbnail, "the list of slides at the left")
        yield from driver.click(thumbnail)
        distance = slide - driver.screen.slide
        if driver.screen.slide and distance:
            yield from driver.key("Down" if distance > 0 else "Up", abs(distance))
        if driver.screen.slide == slide:
            return
    # After the preview of a transition the keys have no effect, but clicks do.
    for _ in range(3 * driver.screen.slide_count):
        thumbnail = yield from driver.wait_for(_current_thumbnail, "the list of slides at the left")
        nearest = _nearest_thumbnail(driver.screen, thumbnail, slide)
        if nearest is thumbnail and "selected" in thumbnail["states"]:
            yield from driver.scroll(thumbnail, 1 if slide > driver.screen.slide else -1)
        else:
            yield from driver.click(nearest)
        if driver.screen.slide == slide:
            return
    raise MacroError(f"expected slide {slide} to be shown, got {driver.screen.slide}")


def _click_title(driver: Driver, slide: int) -> Steps[None]:
    """Click the thumbnail with the title of a slide, after scrolling until it is visible.

    Do nothing if the slide has no unique title.
    """
    title = _unique_title(driver, slide)
    notches = _SCROLL_NOTCHES if slide > driver.screen.slide else -_SCROLL_NOTCHES
    for _ in range(driver.screen.slide_count if title else 0):
        thumbnails = [node for node in driver.screen.thumbnails() if node["element"]]
        matching = [node for node in thumbnails if normalize(node["name"]) == title]
        if matching:
            yield from driver.click(matching[0])
            return
        if not thumbnails:
            return
        names_before = [node["name"] for node in thumbnails]
        yield from driver.scroll(thumbnails[len(thumbnails) // 2], notches)
        if names_before == [node["name"] for node in driver.screen.thumbnails() if node["element"]]:
            return  # the end of the list


def _unique_title(driver: Driver, slide: int) -> str:
    """Return the normalized title of a slide; "" if it is empty or not unique."""
    slides = driver.deck.slides
    origins = [
        driver.slide_tracker.origin(position)
        for position in range(1, driver.screen.slide_count + 1)
    ]
    titles = ["" if origin is None else normalize(slides[origin].title) for origin in origins]
    title = titles[slide - 1]
    return title if titles.count(title) == 1 else ""


def _current_thumbnail(screen: Screen) -> NodeJson | None:
    """Return the thumbnail to click in the slide list: the current slide, or any."""
    thumbnails = [node for node in screen.thumbnails() if node["element"]]
    selected = [node for node in thumbnails if "selected" in node["states"]]
    return next(iter(selected or thumbnails), None)


def _nearest_thumbnail(screen: Screen, current: NodeJson, slide: int) -> NodeJson:
    """Return the thumbnail of a slide, or the visible one nearest to it."""
    thumbnails = sorted(screen.thumbnails(), key=lambda node: node["box"][1])
    thumbnails = [node for node in thumbnails if node["element"]]
    index = thumbnails.index(current) + (
        slide - screen.slide if "selected" in current["states"] else 0
    )
    return thumbnails[min(max(index, 0), len(thumbnails) - 1)]


def hide_slide(driver: Driver, slide: Position) -> Steps[None]:
    """Hide a slide in the slide show."""
    yield from _select_slide(driver, slide)
    yield from choose_menu(driver, "Slide", "Hide Slide")


def delete_slide(driver: Driver, slide: Position) -> Steps[None]:
    """Delete a slide."""
    count_before = driver.screen.slide_count
    if count_before < 2:
        raise MacroError("expected more than one slide: the last one cannot be deleted")
    yield from _select_slide(driver, slide)
    yield from driver.key("Delete")
    yield from _await_slide_count(driver, count_before - 1)
    driver.slide_tracker.delete(slide)


def duplicate_slide(driver: Driver, slide: Position) -> Steps[None]:
    """Insert a copy after a slide."""
    count_before = driver.screen.slide_count
    yield from _select_slide(driver, slide)
    yield from choose_menu(driver, "Slide", "Duplicate Slide")
    yield from _await_slide_count(driver, count_before + 1)
    driver.slide_tracker.insert(slide, copy=True)


def insert_slide(driver: Driver, after: Position) -> Steps[None]:
    """Insert a slide after another one."""
    count_before = driver.screen.slide_count
    yield from _select_slide(driver, after)
    yield from driver.key("ctrl+m")
    yield from _await_slide_count(driver, count_before + 1)
    driver.slide_tracker.insert(after)


def move_slide(driver: Driver, slide: Position, to: Position) -> Steps[None]:
    """Move a slide.

    Both methods of LibreOffice 25.2 have bugs. The command "Slide Down" overwrites the notes of one
    of the two slides with those of the other, so a slide moves down by moving the slides below it
    up. Cut and paste duplicates the layout if no other slide uses it, and sometimes even if others
    do. So it is used only for long moves of slides that share their layout.
    """
    driver.slide_tracker.origin(to)
    yield from _select_slide(driver, slide)
    count, page_name = driver.screen.slide_count, _page_name(driver.screen)
    if to <= _MAX_STEPS_DOWN < slide:
        yield from choose_menu(driver, "Slide", "Move", "Slide to Start")
        for below in range(2, to + 1):
            yield from _select_slide(driver, below)
            yield from choose_menu(driver, "Slide", "Move", "Slide Up")
    elif (
        to < slide <= to + _MAX_STEPS_UP
        or slide < to <= slide + _MAX_STEPS_DOWN
        or not _shares_layout(driver, slide)
    ):
        for _ in range(slide - to):
            yield from choose_menu(driver, "Slide", "Move", "Slide Up")
        for below in range(slide + 1, to + 1):
            yield from _select_slide(driver, below)
            yield from choose_menu(driver, "Slide", "Move", "Slide Up")
    else:
        yield from driver.key("ctrl+x")
        yield from _await_slide_count(driver, count - 1)
        yield from _select_slide(driver, to - 1)  # pasted slides follow the current one
        yield from driver.key("ctrl+v")
        yield from _await_slide_count(driver, count)
    yield from show_slide(driver, to)
    yield from driver.wait_for(
        lambda screen: screen.slide == to and _page_name(screen) == page_name,
        f"slide {slide} at position {to}",
    )
    driver.slide_tracker.move(slide, to)


def _shares_layout(driver: Driver, slide: int) -> bool:
    """Return whether another slide uses this slide's layout."""
    slides, origin = driver.deck.slides, driver.slide_tracker.origin(slide)
    if origin is None:
        return False
    source = slides[origin]
    return any(other.layout == source.layout for other in slides if other is not source)


def _page_name(screen: Screen) -> str:
    return "" if screen.page is None else str(screen.page["name"])


def _await_slide_count(driver: Driver, count: int) -> Steps[None]:
    yield from driver.wait_for(lambda screen: screen.slide_count == count, f"{count} slides")

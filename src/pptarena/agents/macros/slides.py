"""Macros that show, insert, delete, move and hide slides."""

from pptarena.agents.macros.arguments import Position
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.menus import choose
from pptarena.agents.macros.screen import NodeJson, Screen, plain
from pptarena.errors import MacroError

__all__ = [
    "delete_slide",
    "duplicate_slide",
    "hide_slide",
    "insert_slide",
    "move_slide",
    "show_anew",
    "show_slide",
]


_SCROLLED = 5  # wheel clicks; some four thumbnails
_NEAR = 3  # down by up to this many positions, the menu takes fewer steps
_FAR = 8  # up by so many, the menu takes few more steps and is safer


def show_slide(desk: Desk, slide: Position) -> Play[None]:
    """Show the slide at a current position."""
    yield from desk.put_down()
    desk.roll.origin(slide)
    if desk.screen.slide != slide:
        yield from _hold_slide(desk, slide)


def show_anew(desk: Desk, slide: int) -> Play[None]:
    """Show another slide for a moment, which adds new objects to the accessibility tree."""
    if desk.screen.slide_count > 1:
        yield from show_slide(desk, slide - 1 if slide > 1 else 2)
    yield from show_slide(desk, slide)


def _hold_slide(desk: Desk, slide: int) -> Play[None]:
    """Show a slide and focus the slide list, with only that slide selected."""
    yield from desk.put_down()
    desk.roll.origin(slide)
    if desk.by_titles:
        yield from _click_title(desk, slide)
        if desk.screen.slide == slide:
            return
    for _ in range(2):
        anchor = yield from desk.await_(_anchor, "the list of slides at the left")
        yield from desk.click(anchor)
        away = slide - desk.screen.slide
        if desk.screen.slide and away:
            yield from desk.key("Down" if away > 0 else "Up", abs(away))
        if desk.screen.slide == slide:
            return
    # After the preview of a transition the keys have no effect, but clicks do.
    for _ in range(3 * desk.screen.slide_count):
        anchor = yield from desk.await_(_anchor, "the list of slides at the left")
        node = _towards(desk.screen, anchor, slide)
        if node is anchor and "selected" in anchor["states"]:
            yield from desk.scroll(anchor, 1 if slide > desk.screen.slide else -1)
        else:
            yield from desk.click(node)
        if desk.screen.slide == slide:
            return
    raise MacroError(f"expected slide {slide} to be shown, got {desk.screen.slide}")


def _click_title(desk: Desk, slide: int) -> Play[None]:
    """Click the thumbnail with the title of a slide, after scrolling until it is visible.

    Nothing happens if the slide has no title or shares it with another one.
    """
    title = _unique_title(desk, slide)
    amount = _SCROLLED if slide > desk.screen.slide else -_SCROLLED
    for _ in range(desk.screen.slide_count if title else 0):
        found = [node for node in desk.screen.thumbnails() if node["element"]]
        named = [node for node in found if plain(node["name"]) == title]
        if named:
            yield from desk.click(named[0])
            return
        if not found:
            return
        before = [node["name"] for node in found]
        yield from desk.scroll(found[len(found) // 2], amount)
        if before == [node["name"] for node in desk.screen.thumbnails() if node["element"]]:
            return  # the end of the list


def _unique_title(desk: Desk, slide: int) -> str:
    """Return the normalized title of a slide; "" if it has none or is not the only one with it."""
    slides = desk.deck.slides
    origins = [desk.roll.origin(at) for at in range(1, desk.screen.slide_count + 1)]
    titles = ["" if origin is None else plain(slides[origin].title) for origin in origins]
    title = titles[slide - 1]
    return title if titles.count(title) == 1 else ""


def _anchor(screen: Screen) -> NodeJson | None:
    """Return the thumbnail to click in the slide list: the current slide, or any."""
    found = [node for node in screen.thumbnails() if node["element"]]
    chosen = [node for node in found if "selected" in node["states"]]
    return next(iter(chosen or found), None)


def _towards(screen: Screen, shown: NodeJson, slide: int) -> NodeJson:
    """Return the thumbnail of a slide, or the visible one nearest to it."""
    found = sorted(screen.thumbnails(), key=lambda node: node["box"][1])
    found = [node for node in found if node["element"]]
    at = found.index(shown) + (slide - screen.slide if "selected" in shown["states"] else 0)
    return found[min(max(at, 0), len(found) - 1)]


def hide_slide(desk: Desk, slide: Position) -> Play[None]:
    """Hide a slide in the slide show."""
    yield from _hold_slide(desk, slide)
    yield from choose(desk, "Slide", "Hide Slide")


def delete_slide(desk: Desk, slide: Position) -> Play[None]:
    """Delete a slide."""
    before = desk.screen.slide_count
    if before < 2:
        raise MacroError("expected more than one slide: the last one cannot be deleted")
    yield from _hold_slide(desk, slide)
    yield from desk.key("Delete")
    yield from _count(desk, before - 1)
    desk.roll.delete(slide)


def duplicate_slide(desk: Desk, slide: Position) -> Play[None]:
    """Insert a copy after a slide."""
    before = desk.screen.slide_count
    yield from _hold_slide(desk, slide)
    yield from choose(desk, "Slide", "Duplicate Slide")
    yield from _count(desk, before + 1)
    desk.roll.insert(slide, copy=True)


def insert_slide(desk: Desk, after: Position) -> Play[None]:
    """Insert a slide after another one."""
    before = desk.screen.slide_count
    yield from _hold_slide(desk, after)
    yield from desk.key("ctrl+m")
    yield from _count(desk, before + 1)
    desk.roll.insert(after)


def move_slide(desk: Desk, slide: Position, to: Position) -> Play[None]:
    """Move a slide.

    Both methods of LibreOffice 25.2 have bugs. The command "Slide Down" overwrites the notes of one
    of the two slides with those of the other, so a slide moves down by moving the slides below it
    up. Cut and paste duplicates the layout if no other slide uses it, and sometimes even if others
    do. So it is used only for long moves of slides whose layout is shared.
    """
    desk.roll.origin(to)
    yield from _hold_slide(desk, slide)
    count, page = desk.screen.slide_count, _page_name(desk.screen)
    if to <= _NEAR < slide:
        yield from choose(desk, "Slide", "Move", "Slide to Start")
        for below in range(2, to + 1):
            yield from _hold_slide(desk, below)
            yield from choose(desk, "Slide", "Move", "Slide Up")
    elif to < slide <= to + _FAR or slide < to <= slide + _NEAR or not _shares_layout(desk, slide):
        for _ in range(slide - to):
            yield from choose(desk, "Slide", "Move", "Slide Up")
        for below in range(slide + 1, to + 1):
            yield from _hold_slide(desk, below)
            yield from choose(desk, "Slide", "Move", "Slide Up")
    else:
        yield from desk.key("ctrl+x")
        yield from _count(desk, count - 1)
        yield from _hold_slide(desk, to - 1)  # pasted slides follow the current one
        yield from desk.key("ctrl+v")
        yield from _count(desk, count)
    yield from show_slide(desk, to)
    yield from desk.await_(
        lambda screen: screen.slide == to and _page_name(screen) == page,
        f"the slide that stood at {slide} at place {to}",
    )
    desk.roll.move(slide, to)


def _shares_layout(desk: Desk, slide: int) -> bool:
    """Return whether another slide uses this slide's layout."""
    slides, origin = desk.deck.slides, desk.roll.origin(slide)
    if origin is None:
        return False
    mine = slides[origin]
    return any(each.layout == mine.layout for each in slides if each is not mine)


def _page_name(screen: Screen) -> str:
    return "" if screen.page is None else str(screen.page["name"])


def _count(desk: Desk, count: int) -> Play[None]:
    yield from desk.await_(lambda screen: screen.slide_count == count, f"{count} slides")

"""Menus and dialogs: choose an entry, fill in fields, press a button."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = [
    "await_dialog",
    "choose",
    "fill",
    "menu",
    "open_tab",
    "pick",
    "pick_color",
    "press",
    "set_flag",
]

_ENTRIES = ("menu", "menu item", "check menu item", "radio menu item", "tearoff menu item")
_TRIES = 3
_TEXT_PART = 0.2  # of a field's width: the center of a spin button contains its minus button
_FIELDS = ("text", "entry", "spin button", "combo box")
_BUTTONS = ("button", "push button", "toggle button")
_PICK = "Pick a Color"


def menu(desk: Desk, path: Annotated[list[str], Field(min_length=1)]) -> Play[None]:
    """Choose a menu entry, such as View, Notes."""
    yield from choose(desk, *path)


def choose(desk: Desk, *path: str) -> Play[None]:
    """Choose a menu entry.

    Args:
        desk: The desk.
        path: The menu in the menu bar, any submenus, and the entry.

    Raises:
        MacroError: If one of them is missing or disabled.
    """
    for attempt in range(_TRIES):
        bar = yield from desk.await_(lambda screen: screen.first("menu", path[0]), path[0])
        yield from desk.click(bar)
        if (yield from _walk(desk, path[1:], last=attempt == _TRIES - 1)):
            return


def _walk(desk: Desk, path: tuple[str, ...], *, last: bool) -> Play[bool]:
    """Navigate an open menu; return False if it did not open and may be retried."""
    for words in path:
        try:
            entry = yield from desk.await_(_entry(words), f"the entry {words!r}")
        except MacroError:
            yield from desk.key("Escape", 2)
            if last:
                raise
            return False
        if not {"sensitive", "enabled"} <= set(entry["states"]):
            yield from desk.key("Escape", 2)
            raise MacroError(f"the entry {words!r} of the menu cannot be chosen now")
        yield from desk.click(entry)
    return True


def _entry(words: str) -> Callable[[Screen], NodeJson | None]:
    """Return a function that finds an entry of an open menu."""

    def look(screen: Screen) -> NodeJson | None:
        bars = {node["index"] for node in screen.all("menu bar")}
        found = screen.all(_ENTRIES, words, test=lambda node: node["parent"] not in bars)
        return next((node for node in found if node["element"]), None)

    return look


def await_dialog(desk: Desk, name: str | None = None) -> Play[NodeJson]:
    """Wait for the dialog with a given name, or for any dialog, and return it."""
    what = "a dialog" if name is None else f"the dialog {name!r}"
    return (yield from desk.await_(lambda screen: screen.dialog(name), what))


def open_tab(desk: Desk, tab: str, dialog: str | None = None) -> Play[None]:
    """Switch to a tab of a dialog."""
    box = yield from await_dialog(desk, dialog)
    page = desk.screen.first("page tab", tab, box)
    if page is None:
        raise MacroError(f"expected a page {tab!r} in the dialog {box['name']!r}")
    if "selected" not in page["states"]:
        yield from desk.click(page)

    def turned(screen: Screen) -> bool:
        again = screen.first("page tab", tab)
        return again is not None and "selected" in again["states"]

    yield from desk.await_(turned, f"the page {tab!r}")


def fill(desk: Desk, dialog: str, panel: str | None, label: str, text: str) -> Play[NodeJson]:
    """Enter a text in the field next to a label, and leave the field with Tab.

    Returns:
        The field after the entry.
    """

    def field(screen: Screen) -> NodeJson | None:
        place = screen.dialog(dialog)
        if place is not None and panel is not None:
            place = screen.first("panel", panel, place)
        return None if place is None else screen.labelled(label, place, _FIELDS)

    what = f"a field {label!r} in the dialog {dialog!r}"
    node = yield from desk.await_(field, what)
    if _has_list(desk.screen, node):  # there, a triple click may select a word
        yield from desk.click(node, across=_TEXT_PART)
        yield from desk.key("ctrl+a")
    else:
        yield from desk.click(node, "triple_click", across=_TEXT_PART)
    if text:
        yield from desk.type(text)
    else:
        yield from desk.key("Delete")
    yield from desk.key("Tab")
    return (yield from desk.await_(field, what))


def _has_list(screen: Screen, field: NodeJson) -> bool:
    """Return whether a field has a drop-down list."""
    return "combo box" in (field["role"], screen.nodes[field["parent"]]["role"])


def pick(desk: Desk, dialog: str, label: str, entry: str) -> Play[None]:
    """Choose an entry of the drop-down list next to a label."""
    box = yield from await_dialog(desk, dialog)
    field = desk.screen.labelled(label, box, ("combo box",))
    if field is None:
        raise MacroError(f"expected a list {label!r} in the dialog {dialog!r}")
    yield from desk.click(field)
    node = yield from desk.await_(
        lambda screen: screen.first(("table cell", "menu item"), entry, test=_can_be_clicked),
        f"the entry {entry!r} in the list {label!r}",
    )
    yield from desk.click(node)


def _can_be_clicked(node: NodeJson) -> bool:
    return bool(node["element"])


def pick_color(desk: Desk, dialog: str, label: str, color: str) -> Play[None]:
    """Choose a custom color with the button next to a label."""
    box = yield from await_dialog(desk, dialog)
    button = desk.screen.labelled(label, box, _BUTTONS)
    if button is None:
        raise MacroError(f"expected a button beside {label!r} in the dialog {dialog!r}")
    yield from desk.click(button)
    custom = yield from desk.await_(
        lambda screen: screen.first(_BUTTONS, "Custom Color…"), "the button 'Custom Color…'"
    )
    yield from desk.click(custom)
    yield from await_dialog(desk, _PICK)
    yield from fill(desk, _PICK, "RGB", "Hex #", color.removeprefix("#").lower())
    yield from press(desk, _PICK)


def set_flag(desk: Desk, dialog: str, name: str, value: bool) -> Play[None]:
    """Set or clear a check box of a dialog."""

    def box(screen: Screen) -> NodeJson | None:
        place = screen.dialog(dialog)
        return None if place is None else screen.first("check box", name, place)

    node = yield from desk.await_(box, f"a box {name!r} in the dialog {dialog!r}")
    if ("checked" in node["states"]) == value:
        return
    yield from desk.click(node)

    def ticked(screen: Screen) -> bool:
        again = box(screen)
        return again is not None and ("checked" in again["states"]) == value

    yield from desk.await_(ticked, f"the box {name!r} {'with' if value else 'without'} a tick")


def press(desk: Desk, dialog: str, button: str = "OK", *, closes: bool = True) -> Play[None]:
    """Press a button of a dialog, and wait until the dialog closes."""
    box = yield from await_dialog(desk, dialog)
    node = desk.screen.first(("button", "push button"), button, box)
    if node is None:
        raise MacroError(f"expected a button {button!r} in the dialog {dialog!r}")
    yield from desk.click(node)
    if closes:
        yield from desk.await_(
            lambda screen: screen.dialog(dialog) is None, f"the dialog {dialog!r} to close"
        )

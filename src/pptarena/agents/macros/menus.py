"""Menus and dialogs: choose an entry, fill in fields, press a button."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = [
    "await_dialog",
    "choose_color",
    "choose_menu",
    "fill",
    "menu",
    "open_tab",
    "press",
    "select_option",
    "set_checked",
]

_ENTRY_ROLES = ("menu", "menu item", "check menu item", "radio menu item", "tearoff menu item")
_TRIES = 3
_CLICK_OFFSET = 0.2  # fraction of a field's width; in a spin button, the minus button is central
_FIELD_ROLES = ("text", "entry", "spin button", "combo box")
_BUTTON_ROLES = ("button", "push button", "toggle button")
_COLOR_DIALOG = "Pick a Color"


def menu(driver: Driver, path: Annotated[list[str], Field(min_length=1)]) -> Steps[None]:
    """Choose a menu entry, such as View, Notes."""
    yield from choose_menu(driver, *path)


def choose_menu(driver: Driver, *path: str) -> Steps[None]:
    """Choose a menu entry.

    Args:
        driver: The driver.
        path: The menu in the menu bar, any submenus, and the entry.

    Raises:
        MacroError: If a menu or the entry is missing or disabled.
    """
    for attempt in range(_TRIES):
        menu_node = yield from driver.wait_for(
            lambda screen: screen.first("menu", path[0]), path[0]
        )
        yield from driver.click(menu_node)
        if (yield from _follow_path(driver, path[1:], is_last_attempt=attempt == _TRIES - 1)):
            return


def _follow_path(driver: Driver, path: tuple[str, ...], *, is_last_attempt: bool) -> Steps[bool]:
    """Navigate an open menu; return False if it did not open and may be retried."""
    for name in path:
        try:
            entry = yield from driver.wait_for(_find_entry(name), f"the entry {name!r}")
        except MacroError:
            yield from driver.key("Escape", 2)
            if is_last_attempt:
                raise
            return False
        if not {"sensitive", "enabled"} <= set(entry["states"]):
            yield from driver.key("Escape", 2)
            raise MacroError(f"the entry {name!r} of the menu is disabled")
        yield from driver.click(entry)
    return True


def _find_entry(name: str) -> Callable[[Screen], NodeJson | None]:
    """Return a function that finds an entry of an open menu."""

    def find(screen: Screen) -> NodeJson | None:
        bars = {node["index"] for node in screen.all("menu bar")}
        entries = screen.all(_ENTRY_ROLES, name, test=lambda node: node["parent"] not in bars)
        return next((node for node in entries if node["element"]), None)

    return find


def await_dialog(driver: Driver, name: str | None = None) -> Steps[NodeJson]:
    """Wait for the dialog with a given name, or for any dialog, and return it."""
    description = "a dialog" if name is None else f"the dialog {name!r}"
    return (yield from driver.wait_for(lambda screen: screen.dialog(name), description))


def open_tab(driver: Driver, tab: str, dialog: str | None = None) -> Steps[None]:
    """Switch to a tab of a dialog."""
    dialog_node = yield from await_dialog(driver, dialog)
    tab_node = driver.screen.first("page tab", tab, dialog_node)
    if tab_node is None:
        raise MacroError(f"expected a tab {tab!r} in the dialog {dialog_node['name']!r}")
    if "selected" not in tab_node["states"]:
        yield from driver.click(tab_node)

    def is_open(screen: Screen) -> bool:
        node = screen.first("page tab", tab)
        return node is not None and "selected" in node["states"]

    yield from driver.wait_for(is_open, f"the tab {tab!r}")


def fill(driver: Driver, dialog: str, panel: str | None, label: str, text: str) -> Steps[NodeJson]:
    """Enter a text in the field next to a label, and leave the field with Tab.

    Returns:
        The field after the entry.
    """

    def find_field(screen: Screen) -> NodeJson | None:
        container = screen.dialog(dialog)
        if container is not None and panel is not None:
            container = screen.first("panel", panel, container)
        return None if container is None else screen.labeled_control(label, container, _FIELD_ROLES)

    description = f"a field {label!r} in the dialog {dialog!r}"
    field = yield from driver.wait_for(find_field, description)
    if _has_list(driver.screen, field):  # in such a field, a triple click may select only a word
        yield from driver.click(field, across=_CLICK_OFFSET)
        yield from driver.key("ctrl+a")
    else:
        yield from driver.click(field, "triple_click", across=_CLICK_OFFSET)
    if text:
        yield from driver.type(text)
    else:
        yield from driver.key("Delete")
    yield from driver.key("Tab")
    return (yield from driver.wait_for(find_field, description))


def _has_list(screen: Screen, field: NodeJson) -> bool:
    """Return whether a field has a drop-down list."""
    return "combo box" in (field["role"], screen.nodes[field["parent"]]["role"])


def select_option(driver: Driver, dialog: str, label: str, entry: str) -> Steps[None]:
    """Choose an entry of the drop-down list next to a label."""
    dialog_node = yield from await_dialog(driver, dialog)
    field = driver.screen.labeled_control(label, dialog_node, ("combo box",))
    if field is None:
        raise MacroError(f"expected a list {label!r} in the dialog {dialog!r}")
    yield from driver.click(field)
    option = yield from driver.wait_for(
        lambda screen: screen.first(("table cell", "menu item"), entry, test=_is_clickable),
        f"the entry {entry!r} in the list {label!r}",
    )
    yield from driver.click(option)


def _is_clickable(node: NodeJson) -> bool:
    return bool(node["element"])


def choose_color(driver: Driver, dialog: str, label: str, color: str) -> Steps[None]:
    """Choose a custom color with the button next to a label."""
    dialog_node = yield from await_dialog(driver, dialog)
    button = driver.screen.labeled_control(label, dialog_node, _BUTTON_ROLES)
    if button is None:
        raise MacroError(f"expected a button next to {label!r} in the dialog {dialog!r}")
    yield from driver.click(button)
    custom_button = yield from driver.wait_for(
        lambda screen: screen.first(_BUTTON_ROLES, "Custom Color…"), "the button 'Custom Color…'"
    )
    yield from driver.click(custom_button)
    yield from await_dialog(driver, _COLOR_DIALOG)
    yield from fill(driver, _COLOR_DIALOG, "RGB", "Hex #", color.removeprefix("#").lower())
    yield from press(driver, _COLOR_DIALOG)


def set_checked(driver: Driver, dialog: str, name: str, value: bool) -> Steps[None]:
    """Set or clear a check box of a dialog."""

    def find_check_box(screen: Screen) -> NodeJson | None:
        dialog_node = screen.dialog(dialog)
        return None if dialog_node is None else screen.first("check box", name, dialog_node)

    check_box = yield from driver.wait_for(
        find_check_box, f"a box {name!r} in the dialog {dialog!r}"
    )
    if ("checked" in check_box["states"]) == value:
        return
    yield from driver.click(check_box)

    def is_done(screen: Screen) -> bool:
        current = find_check_box(screen)
        return current is not None and ("checked" in current["states"]) == value

    yield from driver.wait_for(
        is_done, f"the box {name!r} to be {'checked' if value else 'unchecked'}"
    )


def press(driver: Driver, dialog: str, button: str = "OK", *, closes: bool = True) -> Steps[None]:
    """Press a button of a dialog, and wait until the dialog closes."""
    dialog_node = yield from await_dialog(driver, dialog)
    button_node = driver.screen.first(("button", "push button"), button, dialog_node)
    if button_node is None:
        raise MacroError(f"expected a button {button!r} in the dialog {dialog!r}")
    yield from driver.click(button_node)
    if closes:
        yield from driver.wait_for(
            lambda screen: screen.dialog(dialog) is None, f"the dialog {dialog!r} to close"
        )

"""Map UI Automation's control types and properties to the roles and states of pptarena.

Numbers: Microsoft, "Control Type Identifiers" and "Automation Element Property Identifiers"
(uiautomationclient.h). Roles and states are those of AT-SPI, so that an agent trained on one system
finds the same names on the other.
"""

from collections.abc import Mapping
from typing import Any

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES

__all__ = ["PROPERTIES", "map_role", "map_states"]

PROPERTIES = {
    "process": 30002,
    "box": 30001,
    "control_type": 30003,
    "name": 30005,
    "focused": 30008,
    "focusable": 30009,
    "enabled": 30010,
    "class_name": 30012,
    "help_text": 30013,
    "password": 30019,
    "offscreen": 30022,
    "has_expand": 30028,
    "has_selection_item": 30036,
    "has_toggle": 30041,
    "has_value": 30043,
    "value": 30045,
    "value_read_only": 30046,
    "many_selectable": 30060,
    "expand_state": 30070,
    "modal": 30077,
    "selected": 30079,
    "toggle_state": 30086,
}
"""Property identifiers by the names used here: all properties that are fetched of an element."""

_ROLES = {
    50000: "button",
    50001: "calendar",
    50002: "check box",
    50003: "combo box",
    50004: "entry",
    50005: "link",
    50006: "image",
    50007: "list item",
    50008: "list",
    50009: "menu",
    50010: "menu bar",
    50011: "menu item",
    50012: "progress bar",
    50013: "radio button",
    50014: "scroll bar",
    50015: "slider",
    50016: "spin button",
    50017: "status bar",
    50018: "page tab list",
    50019: "page tab",
    50020: "label",
    50021: "tool bar",
    50022: "tool tip",
    50023: "tree",
    50024: "tree item",
    50025: "panel",  # custom: elements that an application draws itself
    50026: "panel",
    50027: "panel",  # thumb of a scroll bar or slider
    50028: "table",
    50029: "table row",
    50030: "document frame",
    50031: "push button menu",
    50032: "frame",
    50033: "panel",
    50034: "header",
    50035: "table column header",
    50036: "table",
    50037: "title bar",
    50038: "separator",
    50039: "panel",  # semantic zoom
    50040: "tool bar",
}
_BUTTON, _CHECK_BOX, _EDIT, _DOCUMENT, _MENU_ITEM, _WINDOW = (
    50000,
    50002,
    50004,
    50030,
    50011,
    50032,
)
_SLIDE_CLASS = "paneClassDC"  # window class of PowerPoint's slide area
_COLLAPSED, _EXPANDED, _PARTIALLY, _LEAF = 0, 1, 2, 3  # enum ExpandCollapseState
_BITS = {name: 1 << bit for bit, name in enumerate(STATE_NAMES)}


def map_role(properties: Mapping[str, Any]) -> int:
    """Return the AT-SPI number of an element's role.

    Args:
        properties: The element's properties by the names of `PROPERTIES`; missing ones are unknown.
    """
    control_type = properties.get("control_type")
    name = _ROLES.get(control_type, "unknown") if isinstance(control_type, int) else "unknown"
    if properties.get("class_name") == _SLIDE_CLASS:
        name = "document presentation"
    elif properties.get("has_toggle") and control_type == _BUTTON:
        name = "toggle button"
    elif properties.get("has_toggle") and control_type == _MENU_ITEM:
        name = "check menu item"
    elif control_type == _EDIT and properties.get("password"):
        name = "password text"
    elif control_type == _WINDOW and properties.get("modal"):
        name = "dialog"
    return ROLE_NAMES.index(name)


def map_states(properties: Mapping[str, Any]) -> int:
    """Return the AT-SPI states of an element, one bit each.

    Args:
        properties: As for `map_role`.
    """
    toggled = properties.get("toggle_state") if properties.get("has_toggle") else None
    expand = properties.get("expand_state", _LEAF) if properties.get("has_expand") else _LEAF
    control_type = properties.get("control_type")
    writable = control_type in (_EDIT, _DOCUMENT) or bool(properties.get("has_value"))
    read_only = bool(properties.get("has_value")) and bool(properties.get("value_read_only"))
    is_set = {
        "enabled": properties.get("enabled"),
        "sensitive": properties.get("enabled"),
        "visible": not properties.get("offscreen"),
        "showing": not properties.get("offscreen"),
        "focusable": properties.get("focusable"),
        "focused": properties.get("focused"),
        "editable": writable and not read_only and properties.get("enabled"),
        "read-only": read_only,
        "checkable": toggled is not None,
        "checked": toggled == 1,
        "pressed": toggled == 1 and control_type == _BUTTON,
        "indeterminate": toggled == 2,
        "expandable": expand != _LEAF,
        "expanded": expand in (_EXPANDED, _PARTIALLY),
        "collapsed": expand == _COLLAPSED,
        "selectable": properties.get("has_selection_item"),
        "selected": properties.get("has_selection_item") and properties.get("selected"),
        "multiselectable": properties.get("many_selectable"),
        "modal": control_type == _WINDOW and properties.get("modal"),
    }
    return sum(_BITS[name] for name, value in is_set.items() if value)

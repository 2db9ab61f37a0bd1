"""The role names of the accessibility tree, with a stable number for each.

Names and numbers up to 130 are those of the AT-SPI 2 role enumeration, version 2.56
(https://docs.gtk.org/atspi2/enum.Role.html); later ones are additional roles of the fake machine or
other applications. Renamed roles (``push button`` is now ``button``) keep their number under both
names. A number never changes; new names are appended.
"""

__all__ = ["INTERACTIVE_ROLES", "ROLES", "TEXT_ROLES", "role_id"]

_LISTED = """
invalid, accelerator label, alert, animation, arrow, calendar, canvas, check box, check menu item,
color chooser, column header, combo box, date editor, desktop icon, desktop frame, dial, dialog,
directory pane, drawing area, file chooser, filler, focus traversable, font chooser, frame,
glass pane, html container, icon, image, internal frame, label, layered pane, list, list item,
menu, menu bar, menu item, option pane, page tab, page tab list, panel, password text, popup menu,
progress bar, button, radio button, radio menu item, root pane, row header, scroll bar,
scroll pane, separator, slider, spin button, split pane, status bar, table, table cell,
table column header, table row header, tearoff menu item, terminal, text, toggle button, tool bar,
tool tip, tree, tree table, unknown, viewport, window, extended, header, footer, paragraph, ruler,
application, autocomplete, editbar, embedded, entry, chart, caption, document frame, heading,
page, section, redundant object, form, link, input method window, table row, tree item,
document spreadsheet, document presentation, document text, document web, document email, comment,
list box, grouping, image map, notification, info bar, level bar, title bar, block quote, audio,
video, definition, article, landmark, log, marquee, math, rating, timer, static, math fraction,
math root, subscript, superscript, description list, description term, description value,
footnote, content deletion, content insertion, mark, suggestion, push button menu, switch, shape,
text frame, graphic, embedded component, document
"""

ROLES = tuple(" ".join(name.split()) for name in _LISTED.split(","))
"""Role names, indexed by the role's number."""

INTERACTIVE_ROLES = frozenset(
    {
        "button",
        "check box",
        "check menu item",
        "color chooser",
        "combo box",
        "date editor",
        "dial",
        "entry",
        "icon",
        "link",
        "list item",
        "menu",
        "menu item",
        "page tab",
        "password text",
        "push button",
        "push button menu",
        "radio button",
        "radio menu item",
        "slider",
        "spin button",
        "switch",
        "table cell",
        "table column header",
        "toggle button",
        "tree item",
    }
)
"""Actionable roles: always elements when visible."""

TEXT_ROLES = frozenset(
    {
        "alert",
        "caption",
        "comment",
        "heading",
        "info bar",
        "label",
        "paragraph",
        "static",
        "text",
        "tool tip",
    }
)
"""Roles that are elements if they have a name or text, or are editable."""

_RENAMED = {"push button": "button", "edit bar": "editbar"}  # names of older versions

_NUMBERS = {name: number for number, name in enumerate(ROLES)}
_NUMBERS |= {old: _NUMBERS[new] for old, new in _RENAMED.items()}
_UNKNOWN = _NUMBERS["unknown"]


def role_id(role: str) -> int:
    """Return the number of a role; unlisted names have the number of ``"unknown"``."""
    return _NUMBERS.get(role, _UNKNOWN)

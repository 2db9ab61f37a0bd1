"""Read the tree of the application over the accessibility bus, one call after the other."""

from typing import Any

from gi.repository import Gio, GLib

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES
from pptarena.vm_images.guest.tree_shape import (
    TreeNode,
    as_json,
    depth_first,
    fix_offset,
    is_layout_only,
    is_uninformative,
    self_drawn_nodes,
    without,
)

__all__ = ["BusTree"]

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_COMPONENT = "org.a11y.atspi.Component"
_TEXT = "org.a11y.atspi.Text"
_ROOT = "/org/a11y/atspi/accessible/root"
_REGISTRY = "org.a11y.atspi.Registry"

_SHOWING = 1 << STATE_NAMES.index("showing")


def _roles(*names: str) -> frozenset[int]:
    return frozenset(map(ROLE_NAMES.index, names))


_MENU, _MENU_BAR, _ROOT_PANE = map(ROLE_NAMES.index, ("menu", "menu bar", "root pane"))
_WITH_TEXT = _roles(
    *("text", "paragraph", "entry", "spin button", "editbar", "password text", "heading")
)
_CHILDLESS = _roles(
    *("button", "toggle button", "check box", "radio button", "label", "icon", "image"),
    *("menu item", "check menu item", "radio menu item", "scroll bar", "slider", "paragraph"),
)
_NAMED_BY_TOOLTIP = _roles(
    *("button", "toggle button", "combo box", "spin button", "check box", "text")
)
_OMITTED = _roles("separator", "redundant object")


class BusTree:
    """The tree of the application of one session.

    Args:
        bus_address: Address of the accessibility bus.
    """

    def __init__(self, bus_address: str) -> None:
        flags = (
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        )
        self._bus = Gio.DBusConnection.new_for_address_sync(bus_address, flags, None, None)
        self._name = ""

    def read(self, text_chars: int) -> list[dict[str, object]]:
        """Return the visible nodes, parents first."""
        self._name = self._application()
        nodes = without(depth_first(self._walk()), is_layout_only)
        for node in nodes:
            self._describe(node, text_chars)
        fix_offset(
            nodes,
            lambda index: self_drawn_nodes(
                nodes, index, lambda position: self._is_gtk(nodes[position])
            ),
        )
        nodes = without(nodes, is_uninformative)
        return [as_json(node, index, 0) for index, node in enumerate(nodes)]

    def _application(self) -> str:
        names = [str(name) for name, _ in self._call(_ROOT, _ACCESSIBLE, "GetChildren", _REGISTRY)]
        titles = [self._property(_ROOT, "Name", name) for name in names]
        return names[titles.index("soffice")]

    def _call(
        self, path: str, interface: str, method: str, name: str = "", arguments: Any = None
    ) -> Any:
        """Return the value of a reply; None if the object does not have the interface."""
        try:
            reply = self._bus.call_sync(
                *(name or self._name, path, interface, method, arguments),
                *(None, Gio.DBusCallFlags.NONE, -1, None),
            )
        except GLib.Error:
            return None
        return reply.unpack()[0]

    def _property(self, path: str, key: str, name: str = "") -> str:
        arguments = GLib.Variant("(ss)", (_ACCESSIBLE, key))
        return self._call(path, "org.freedesktop.DBus.Properties", "Get", name, arguments) or ""

    def _states(self, path: str) -> int:
        low, high = self._call(path, _ACCESSIBLE, "GetState") or (0, 0)
        return int(low | high << 32)

    def _children(self, path: str) -> list[str]:
        return [child for _, child in self._call(path, _ACCESSIBLE, "GetChildren") or ()]

    def _walk(self) -> list[TreeNode]:
        """Return the visible nodes, level by level."""
        nodes: list[TreeNode] = []
        frontier = [(path, -1) for path in self._children(_ROOT)]
        visited = {path for path, _ in frontier}
        for path, parent in frontier:  # grows during the loop
            states = self._states(path)
            role = self._call(path, _ACCESSIBLE, "GetRole") if states & _SHOWING else None
            if role is None or role in _OMITTED:
                continue
            if role == _MENU_BAR and parent >= 0 and nodes[parent].role == _ROOT_PANE:
                continue  # the invisible duplicate of the toolkit's menu bar
            children = [] if role in _CHILDLESS else self._children(path)
            if role == _MENU and children and not self._states(children[0]) & _SHOWING:
                children = []  # a closed menu
            fresh = [child for child in children if child not in visited]
            visited.update(fresh)
            frontier += [(child, len(nodes)) for child in fresh]
            nodes.append(TreeNode(path, parent, role, states))
        return nodes

    def _describe(self, node: TreeNode, text_chars: int) -> None:
        node.name = self._property(node.path, "Name")
        pixels = GLib.Variant("(u)", (0,))
        node.box = self._call(node.path, _COMPONENT, "GetExtents", arguments=pixels) or (0, 0, 0, 0)
        if node.role in _WITH_TEXT:
            text_range = GLib.Variant("(ii)", (0, -1))
            node.text = (self._call(node.path, _TEXT, "GetText", arguments=text_range) or "")[
                :text_chars
            ]
        if not node.name and node.role in _NAMED_BY_TOOLTIP:
            node.description = self._property(node.path, "Description")

    def _is_gtk(self, node: TreeNode) -> bool:
        attributes = self._call(node.path, _ACCESSIBLE, "GetAttributes") or {}
        return bool(attributes.get("toolkit") == "gtk")

"""Read the accessibility tree: level by level, all calls of a level in one write.

Only what is showing is walked. Three things keep the number of calls down: roles never change
and are remembered by object path; childless roles are not asked for children; the items of a
menu are asked only when its first item shows (a closed menu bar holds hundreds of hidden items).
"""

import struct
import time
from collections.abc import Callable

from tests.vm_images.native.bus_tree.body import (
    attributes_of,
    box_of,
    number_of,
    references_of,
    states_of,
    string_of,
    variant_string_of,
)
from tests.vm_images.native.bus_tree.link import Call, DBusError, Link, Reply, UInt

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES
from pptarena.vm_images.guest.tree_shape import (
    TreeLimits,
    TreeNode,
    as_json,
    depth_first,
    is_layout_only,
    mend_offset,
    own_parts,
    says_nothing,
    subtree,
    without,
)

__all__ = ["TreeLimits", "TreeReader"]

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_COMPONENT = "org.a11y.atspi.Component"
_TEXT = "org.a11y.atspi.Text"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_ROOT = "/org/a11y/atspi/accessible/root"
_REGISTRY = "org.a11y.atspi.Registry"

_SHOWING = 1 << STATE_NAMES.index("showing")
_MENU = ROLE_NAMES.index("menu")
_MENU_BAR = ROLE_NAMES.index("menu bar")
_ROOT_PANE = ROLE_NAMES.index("root pane")
_WITH_TEXT = frozenset(
    ROLE_NAMES.index(name)
    for name in ("text", "paragraph", "entry", "spin button", "editbar", "password text", "heading")
)
_CHILDLESS = frozenset(
    ROLE_NAMES.index(name)
    for name in (
        *("button", "toggle button", "check box", "radio button", "label", "icon", "image"),
        *("menu item", "check menu item", "radio menu item", "scroll bar", "slider", "paragraph"),
    )
)
_NAMED_BY_TIP = frozenset(
    ROLE_NAMES.index(name)
    for name in ("button", "toggle button", "combo box", "spin button", "check box", "text")
)
_LEFT_OUT = frozenset(ROLE_NAMES.index(name) for name in ("separator", "redundant object"))


class TreeReader:
    """Reads the tree of the application on the accessibility bus of one session.

    Args:
        bus_address: Address of the accessibility bus (``org.a11y.Bus.GetAddress``).
        application_pid: Returns the process of the application. What any other process says of
            itself on the bus is left out: it could say that it is the application.
    """

    def __init__(self, bus_address: str, application_pid: Callable[[], int]) -> None:
        self._bus_address = bus_address
        self._application_pid = application_pid
        self._bus: Link | None = None
        self._applications: dict[str, _Application | None] = {}  # None: not the application

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        """Return the nodes, parents first, and why the reading was cut ("" if it was not)."""
        deadline = time.monotonic() + limits.seconds
        nodes: list[dict[str, object]] = []
        reason = ""
        try:
            names = self._application_names(deadline)
        except DBusError as error:
            self._drop_bus()
            return nodes, f"accessibility bus: {error}"
        for name in names:
            application = self._applications[name]
            if application is None:
                continue
            try:
                found, why = application.read(limits, deadline, len(nodes))
            except (DBusError, struct.error, IndexError) as error:  # gone, or its replies are odd
                self._forget(name)
                reason = f"application {name}: {error}"
                continue
            nodes.extend(found)
            reason = reason or why
        return nodes, reason

    def _application_names(self, deadline: float) -> list[str]:
        """List the applications on the bus and keep a direct connection to each."""
        if self._bus is None:
            self._bus = Link(self._bus_address, _left(deadline))
            hello: Call = ("/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", ())
            self._bus.call_many([hello], deadline, "org.freedesktop.DBus")
        [reply] = self._bus.call_many(
            [(_ROOT, _ACCESSIBLE, "GetChildren", ())], deadline, _REGISTRY
        )
        names = [name for name, _ in references_of(reply)]
        for name in set(self._applications) - set(names):
            self._forget(name)
        for name in names:
            if name not in self._applications:
                self._applications[name] = self._connect(name, deadline)
        return names

    def _connect(self, name: str, deadline: float) -> "_Application | None":
        """Connect to what has a name on the bus; None if it is not the application itself."""
        assert self._bus is not None
        call: Call = (_ROOT, "org.a11y.atspi.Application", "GetApplicationBusAddress", ())
        [reply] = self._bus.call_many([call], deadline, name)
        try:
            link = Link(string_of(reply), _left(deadline))
        except DBusError:  # the application listens before it reports: none is there
            return None
        if link.peer_pid != self._application_pid():
            link.close()
            return None
        return _Application(link)

    def _forget(self, name: str) -> None:
        application = self._applications.pop(name, None)
        if application is not None:
            application.link.close()

    def _drop_bus(self) -> None:
        for name in list(self._applications):
            self._forget(name)
        if self._bus is not None:
            self._bus.close()
            self._bus = None


class _Application:
    """The tree of one application, over a direct connection."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self._roles: dict[str, int] = {}
        self._toolkits: dict[str, str] = {}

    def read(
        self, limits: TreeLimits, deadline: float, offset: int
    ) -> tuple[list[dict[str, object]], str]:
        nodes, reason = self._walk(limits, deadline, offset)
        nodes = without(nodes, is_layout_only)
        self._describe(nodes, limits, deadline)
        mend_offset(nodes, lambda place: self._own_parts(nodes, place, deadline))
        nodes = without(nodes, says_nothing)
        known = {node.path for node in nodes}
        if len(self._roles) > 4 * len(known) + 2000:
            self._roles = {path: role for path, role in self._roles.items() if path in known}
            self._toolkits.clear()
        return [as_json(node, offset + place, offset) for place, node in enumerate(nodes)], reason

    def _own_parts(self, nodes: list[TreeNode], root: int, deadline: float) -> list[int]:
        """Return the places of what the application draws itself, outside GTK's widgets."""
        places = subtree(nodes, root)
        new = [nodes[place].path for place in places if nodes[place].path not in self._toolkits]
        replies = self._call([(path, _ACCESSIBLE, "GetAttributes", ()) for path in new], deadline)
        for path, reply in zip(new, replies, strict=True):
            self._toolkits[path] = attributes_of(reply).get("toolkit", "")
        return own_parts(nodes, root, lambda place: self._toolkits[nodes[place].path] == "gtk")

    def _call(self, calls: list[Call], deadline: float) -> list[Reply]:
        return self.link.call_many(calls, deadline) if calls else []

    def _walk(self, limits: TreeLimits, deadline: float, offset: int) -> tuple[list[TreeNode], str]:
        """Collect the showing nodes breadth first, then order them depth first."""
        [reply] = self._call([(_ROOT, _ACCESSIBLE, "GetChildren", ())], deadline)
        found: list[TreeNode] = []
        frontier = [(path, -1) for _, path in references_of(reply)]
        seen = {path for path, _ in frontier}
        reason = ""
        for _ in range(limits.depth):
            if not frontier:
                break
            room = limits.nodes - offset - len(found)
            shown = self._level(frontier, found, deadline)
            if len(shown) > room:
                shown, reason = shown[: max(0, room)], f"more than {limits.nodes} nodes"
            start = len(found)
            found.extend(shown)
            frontier = []
            for place, node in enumerate(shown, start):
                fresh = [path for path in node.children if path not in seen]
                seen.update(fresh)
                frontier.extend((path, place) for path in fresh)
            if reason:
                break
        else:
            reason = f"deeper than {limits.depth} levels"
        return depth_first(found), reason

    def _level(
        self, frontier: list[tuple[str, int]], found: list[TreeNode], deadline: float
    ) -> list[TreeNode]:
        """Return the showing nodes of one level, with their children."""
        frontier = self._open_menus_only(frontier, found, deadline)
        new = [path for path, _ in frontier if path not in self._roles]
        calls: list[Call] = [(path, _ACCESSIBLE, "GetRole", ()) for path in new]
        calls += [(path, _ACCESSIBLE, "GetState", ()) for path, _ in frontier]
        replies = self._call(calls, deadline)
        for path, reply in zip(new, replies, strict=False):
            if (role := number_of(reply)) is not None:
                self._roles[path] = role
        shown = []
        for (path, parent), reply in zip(frontier, replies[len(new) :], strict=True):
            states, role = states_of(reply), self._roles.get(path)
            if not states & _SHOWING or role is None or role in _LEFT_OUT:
                continue
            if role == _MENU_BAR and parent >= 0 and found[parent].role == _ROOT_PANE:
                continue  # this is the invisible twin of the toolkit's own menu bar
            shown.append(TreeNode(path, parent, role, states))
        asked = [node for node in shown if node.role not in _CHILDLESS]
        lists = self._call(
            [(node.path, _ACCESSIBLE, "GetChildren", ()) for node in asked], deadline
        )
        for node, reply in zip(asked, lists, strict=True):
            node.children = [path for _, path in references_of(reply)]
        return shown

    def _open_menus_only(
        self, frontier: list[tuple[str, int]], found: list[TreeNode], deadline: float
    ) -> list[tuple[str, int]]:
        """Leave out the items of menus whose first item does not show."""
        first: dict[int, str] = {}
        for path, parent in frontier:
            if parent >= 0 and found[parent].role == _MENU:
                first.setdefault(parent, path)
        replies = self._call(
            [(path, _ACCESSIBLE, "GetState", ()) for path in first.values()], deadline
        )
        closed = {
            parent
            for parent, reply in zip(first, replies, strict=True)
            if not states_of(reply) & _SHOWING
        }
        return [(path, parent) for path, parent in frontier if parent not in closed]

    def _describe(self, nodes: list[TreeNode], limits: TreeLimits, deadline: float) -> None:
        """Fetch names, boxes and texts of all nodes in one write."""
        calls: list[Call] = []
        for node in nodes:
            calls.append((node.path, _PROPERTIES, "Get", (_ACCESSIBLE, "Name")))
            calls.append((node.path, _COMPONENT, "GetExtents", (UInt(0),)))
        texts = [node for node in nodes if node.role in _WITH_TEXT]
        calls += [(node.path, _TEXT, "GetText", (0, -1)) for node in texts]
        replies = self._call(calls, deadline)
        for place, node in enumerate(nodes):
            node.name = variant_string_of(replies[2 * place])
            node.box = box_of(replies[2 * place + 1])
        for node, reply in zip(texts, replies[2 * len(nodes) :], strict=True):
            node.text = string_of(reply)[: limits.text_chars]
        nameless = [node for node in nodes if not node.name and node.role in _NAMED_BY_TIP]
        tips = self._call(
            [(node.path, _PROPERTIES, "Get", (_ACCESSIBLE, "Description")) for node in nameless],
            deadline,
        )
        for node, reply in zip(nameless, tips, strict=True):
            node.description = variant_string_of(reply)


def _left(deadline: float) -> float:
    return max(0.001, deadline - time.monotonic())  # a time-out of 0 would mean not to wait at all

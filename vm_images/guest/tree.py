"""Read the accessibility tree: level by level, all calls of a level in one write.

Only what is showing is walked. Three things keep the number of calls down: roles never change
and are remembered by object path; childless roles are not asked for children; the items of a
menu are asked only when its first item shows (a closed menu bar holds hundreds of hidden items).
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES
from pptarena.vm_images.guest.dbus_body import (
    box_of,
    number_of,
    references_of,
    states_of,
    string_of,
    variant_string_of,
)
from pptarena.vm_images.guest.dbus_link import Call, DBusError, Link, Reply, UInt

__all__ = ["TreeLimits", "TreeReader"]

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_COMPONENT = "org.a11y.atspi.Component"
_TEXT = "org.a11y.atspi.Text"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_ROOT = "/org/a11y/atspi/accessible/root"
_REGISTRY = "org.a11y.atspi.Registry"

_SHOWING = 1 << STATE_NAMES.index("showing")
_FOCUSABLE = 1 << STATE_NAMES.index("focusable")
_PANEL = ROLE_NAMES.index("panel")
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
_LAYOUT_ONLY = frozenset(  # left out of the result: they hold other nodes and say nothing
    ROLE_NAMES.index(name) for name in ("filler", "viewport", "scroll pane", "split pane")
)
_NAMED_BY_TIP = frozenset(
    ROLE_NAMES.index(name)
    for name in ("button", "toggle button", "combo box", "spin button", "check box", "text")
)
_LEFT_OUT = frozenset(ROLE_NAMES.index(name) for name in ("separator", "redundant object"))
_NOWHERE = -(1 << 31)  # coordinate of a node that is scrolled out of sight


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """Bounds of one reading; passing any of them sets the degraded flag.

    Attributes:
        nodes: Most nodes returned.
        depth: Deepest level walked.
        seconds: Longest time for the whole reading.
        text_chars: Most characters of one text.
    """

    nodes: int = 1000
    depth: int = 60
    seconds: float = 1.0
    text_chars: int = 500


@dataclass(slots=True)
class _Node:
    path: str
    parent: int
    role: int
    states: int
    name: str = ""
    text: str = ""
    description: str = ""
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    children: list[str] = field(default_factory=list)


class TreeReader:
    """Reads the trees of all applications on the accessibility bus of one session.

    Args:
        bus_address: Address of the accessibility bus (``org.a11y.Bus.GetAddress``).
    """

    def __init__(self, bus_address: str) -> None:
        self._bus_address = bus_address
        self._bus: Link | None = None
        self._applications: dict[str, _Application] = {}

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
            try:
                found, why = self._applications[name].read(limits, deadline, len(nodes))
            except DBusError as error:
                self._forget(name)
                reason = f"application {name}: {error}"
                continue
            nodes.extend(found)
            reason = reason or why
        return nodes, reason

    def _application_names(self, deadline: float) -> list[str]:
        """List the applications on the bus and keep a direct connection to each."""
        if self._bus is None:
            self._bus = Link(self._bus_address)
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

    def _connect(self, name: str, deadline: float) -> "_Application":
        assert self._bus is not None
        call: Call = (_ROOT, "org.a11y.atspi.Application", "GetApplicationBusAddress", ())
        [reply] = self._bus.call_many([call], deadline, name)
        address = string_of(reply)
        if address:
            with contextlib.suppress(DBusError):
                return _Application(Link(address), "")
        return _Application(self._bus, name)

    def _forget(self, name: str) -> None:
        application = self._applications.pop(name, None)
        if application is not None and application.link is not self._bus:
            application.link.close()

    def _drop_bus(self) -> None:
        for name in list(self._applications):
            self._forget(name)
        if self._bus is not None:
            self._bus.close()
            self._bus = None


class _Application:
    """The tree of one application, over a direct connection or through the bus."""

    def __init__(self, link: Link, destination: str) -> None:
        self.link = link
        self._destination = destination
        self._roles: dict[str, int] = {}

    def read(
        self, limits: TreeLimits, deadline: float, offset: int
    ) -> tuple[list[dict[str, object]], str]:
        nodes, reason = self._walk(limits, deadline, offset)
        nodes = _without(nodes, lambda node: node.role in _LAYOUT_ONLY)
        self._describe(nodes, limits, deadline)
        nodes = _without(nodes, lambda node: node.box[0] == _NOWHERE or _says_nothing(node))
        known = {node.path for node in nodes}
        if len(self._roles) > 4 * len(known) + 2000:
            self._roles = {path: role for path, role in self._roles.items() if path in known}
        return [_as_json(node, offset + place, offset) for place, node in enumerate(nodes)], reason

    def _call(self, calls: list[Call], deadline: float) -> list[Reply]:
        return self.link.call_many(calls, deadline, self._destination) if calls else []

    def _walk(self, limits: TreeLimits, deadline: float, offset: int) -> tuple[list[_Node], str]:
        """Collect the showing nodes breadth first, then order them depth first."""
        [reply] = self._call([(_ROOT, _ACCESSIBLE, "GetChildren", ())], deadline)
        found: list[_Node] = []
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
        return _depth_first(found), reason

    def _level(
        self, frontier: list[tuple[str, int]], found: list[_Node], deadline: float
    ) -> list[_Node]:
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
                continue  # the toolkit's own menu bar stands beside this unseen twin
            shown.append(_Node(path, parent, role, states))
        asked = [node for node in shown if node.role not in _CHILDLESS]
        lists = self._call(
            [(node.path, _ACCESSIBLE, "GetChildren", ()) for node in asked], deadline
        )
        for node, reply in zip(asked, lists, strict=True):
            node.children = [path for _, path in references_of(reply)]
        return shown

    def _open_menus_only(
        self, frontier: list[tuple[str, int]], found: list[_Node], deadline: float
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

    def _describe(self, nodes: list[_Node], limits: TreeLimits, deadline: float) -> None:
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


def _as_json(node: _Node, index: int, offset: int) -> dict[str, object]:
    return {
        "index": index,
        "parent": node.parent + offset if node.parent >= 0 else -1,
        "role": ROLE_NAMES[node.role] if node.role < len(ROLE_NAMES) else "unknown",
        "name": node.name,
        "text": node.text,
        "description": node.description,
        "box": node.box,
        "states": [name for bit, name in enumerate(STATE_NAMES) if node.states >> bit & 1],
    }


def _says_nothing(node: _Node) -> bool:
    return node.role == _PANEL and not node.name and not node.states & _FOCUSABLE


def _without(nodes: list[_Node], drop: Callable[[_Node], bool]) -> list[_Node]:
    """Leave nodes out; their children move up to the nearest parent that stays."""
    kept: list[_Node] = []
    place_of: dict[int, int] = {-1: -1}
    for place, node in enumerate(nodes):
        if drop(node):
            place_of[place] = place_of[node.parent]
        else:
            node.parent = place_of[node.parent]
            place_of[place] = len(kept)
            kept.append(node)
    return kept


def _depth_first(nodes: list[_Node]) -> list[_Node]:
    """Order nodes as a reader meets them and renumber their parents."""
    children: dict[int, list[int]] = {}
    for place, node in enumerate(nodes):
        children.setdefault(node.parent, []).append(place)
    ordered: list[_Node] = []

    def visit(place: int, parent: int) -> Iterator[tuple[int, int]]:
        nodes[place].parent = parent
        ordered.append(nodes[place])
        here = len(ordered) - 1
        for child in children.get(place, ()):
            yield child, here

    stack = [iter([(place, -1) for place in children.get(-1, ())])]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
        else:
            stack.append(visit(*step))
    return ordered

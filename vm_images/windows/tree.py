"""The accessibility tree of Windows: walked level by level, within limits.

Every request returns the children of one element with all their properties (a cached request of UI
Automation), so a node needs no separate round trip. Elements off the screen are not walked.
"""

import time
from collections.abc import Mapping
from typing import Any, Protocol

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES
from pptarena.vm_images.guest.tree_shape import (
    TreeLimits,
    TreeNode,
    as_json,
    depth_first,
    says_nothing,
    without,
)
from pptarena.vm_images.windows.control_types import role_of, states_of

__all__ = ["Elements", "TreeReader"]

_SHOWING = 1 << STATE_NAMES.index("showing")
_EDITABLE = 1 << STATE_NAMES.index("editable")
_LEFT_OUT = frozenset(ROLE_NAMES.index(name) for name in ("separator",))
_CHILDLESS = frozenset(
    ROLE_NAMES.index(name) for name in ("label", "image", "check box", "radio button", "scroll bar")
)
_WITH_TEXT = frozenset(
    ROLE_NAMES.index(name) for name in ("entry", "document frame", "combo box", "spin button")
)


class Elements(Protocol):
    """The source of elements; `uia` on Windows."""

    def windows(self) -> list[Any]:
        """Return the elements of the top-level windows to read, topmost first."""

    def children(self, element: Any) -> list[Any]:
        """Return the children of an element, with their properties."""

    def facts(self, element: Any) -> Mapping[str, Any]:
        """Return the fetched properties, by the names of `control_types.PROPERTIES`."""


class TreeReader:
    """Reads the trees of the windows on the screen.

    Args:
        elements: The source of elements.
        failures: Exceptions of `elements` for an element that no longer exists.
    """

    def __init__(self, elements: Elements, failures: tuple[type[Exception], ...]) -> None:
        self._elements = elements
        self._failures = failures

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        """Return the nodes, parents first, and why the tree is incomplete ("" if complete)."""
        deadline = time.monotonic() + limits.seconds
        found: list[TreeNode] = []
        reason = ""
        try:
            frontier = [(element, -1) for element in self._elements.windows()]
        except self._failures as error:
            return [], f"UI Automation: {error}"
        for _ in range(limits.depth):
            below: list[tuple[Any, int]] = []
            for element, parent in frontier:
                reason = _bound(found, limits, deadline)
                if reason:
                    break
                below += self._take(element, parent, found, limits)
            frontier = below
            if reason or not frontier:
                break
        else:
            reason = f"deeper than {limits.depth} levels"
        nodes = without(depth_first(found), says_nothing)
        return [as_json(node, place, 0) for place, node in enumerate(nodes)], reason

    def _take(
        self, element: Any, parent: int, found: list[TreeNode], limits: TreeLimits
    ) -> list[tuple[Any, int]]:
        """Append the node of a visible element; return its children with their parent."""
        try:
            node = _node(self._elements.facts(element), parent, limits)
            if not node.states & _SHOWING or node.role in _LEFT_OUT:
                return []
            place = len(found)
            found.append(node)
            if node.role in _CHILDLESS:
                return []
            return [(child, place) for child in self._elements.children(element)]
        except self._failures:
            return []  # deleted since its parent was read


def _bound(found: list[TreeNode], limits: TreeLimits, deadline: float) -> str:
    if len(found) >= limits.nodes:
        return f"more than {limits.nodes} nodes"
    if time.monotonic() >= deadline:
        return f"more than {limits.seconds:g} s"
    return ""


def _node(facts: Mapping[str, Any], parent: int, limits: TreeLimits) -> TreeNode:
    role, states = role_of(facts), states_of(facts)
    name = str(facts.get("name") or "")
    text = ""
    if (role in _WITH_TEXT or states & _EDITABLE) and not facts.get("password"):
        text = str(facts.get("value") or "")[: limits.text_chars]
    description = str(facts.get("help_text") or "")
    return TreeNode(
        path="",
        parent=parent,
        role=role,
        states=states,
        name=name,
        text=text,
        description=description if description != name else "",
        box=_box(facts.get("box")),
    )


def _box(value: Any) -> tuple[int, int, int, int]:
    """Return left, top, width, height in whole pixels; all zero without a box."""
    try:
        left, top, width, height = (round(float(part)) for part in value)
    except (TypeError, ValueError, OverflowError):
        return (0, 0, 0, 0)
    return (left, top, max(0, width), max(0, height))

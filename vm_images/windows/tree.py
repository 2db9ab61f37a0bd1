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
    is_uninformative,
    without,
)
from pptarena.vm_images.windows.control_types import map_role, map_states

__all__ = ["Elements", "TreeReader"]

_SHOWING = 1 << STATE_NAMES.index("showing")
_EDITABLE = 1 << STATE_NAMES.index("editable")
_SKIPPED_ROLES = frozenset(ROLE_NAMES.index(name) for name in ("separator",))
_LEAF_ROLES = frozenset(
    ROLE_NAMES.index(name) for name in ("label", "image", "check box", "radio button", "scroll bar")
)
_TEXT_ROLES = frozenset(
    ROLE_NAMES.index(name) for name in ("entry", "document frame", "combo box", "spin button")
)


class Elements(Protocol):
    """The source of elements; `uia` on Windows."""

    def windows(self) -> list[Any]:
        """Return the elements of the top-level windows to read, topmost first."""

    def children(self, element: Any) -> list[Any]:
        """Return the children of an element, with their properties."""

    def properties(self, element: Any) -> Mapping[str, Any]:
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
        nodes: list[TreeNode] = []
        reason = ""
        try:
            level = [(element, -1) for element in self._elements.windows()]
        except self._failures as error:
            return [], f"UI Automation: {error}"
        for _ in range(limits.depth):
            next_level: list[tuple[Any, int]] = []
            for element, parent in level:
                reason = _exceeded_limit(nodes, limits, deadline)
                if reason:
                    break
                next_level += self._visit(element, parent, nodes, limits)
            level = next_level
            if reason or not level:
                break
        else:
            reason = f"deeper than {limits.depth} levels"
        ordered = without(depth_first(nodes), is_uninformative)
        return [as_json(node, index, 0) for index, node in enumerate(ordered)], reason

    def _visit(
        self, element: Any, parent: int, nodes: list[TreeNode], limits: TreeLimits
    ) -> list[tuple[Any, int]]:
        """Append the node of a visible element; return its children with their parent."""
        try:
            node = _node(self._elements.properties(element), parent, limits)
            if not node.states & _SHOWING or node.role in _SKIPPED_ROLES:
                return []
            index = len(nodes)
            nodes.append(node)
            if node.role in _LEAF_ROLES:
                return []
            return [(child, index) for child in self._elements.children(element)]
        except self._failures:
            return []  # deleted since its parent was read


def _exceeded_limit(nodes: list[TreeNode], limits: TreeLimits, deadline: float) -> str:
    if len(nodes) >= limits.nodes:
        return f"more than {limits.nodes} nodes"
    if time.monotonic() >= deadline:
        return f"more than {limits.seconds:g} s"
    return ""


def _node(properties: Mapping[str, Any], parent: int, limits: TreeLimits) -> TreeNode:
    role, states = map_role(properties), map_states(properties)
    name = str(properties.get("name") or "")
    text = ""
    if (role in _TEXT_ROLES or states & _EDITABLE) and not properties.get("password"):
        text = str(properties.get("value") or "")[: limits.text_chars]
    description = str(properties.get("help_text") or "")
    return TreeNode(
        path="",
        parent=parent,
        role=role,
        states=states,
        name=name,
        text=text,
        description=description if description != name else "",
        box=_box(properties.get("box")),
    )


def _box(value: Any) -> tuple[int, int, int, int]:
    """Return left, top, width, height in whole pixels; all zero without a box."""
    try:
        left, top, width, height = (round(float(part)) for part in value)
    except (TypeError, ValueError, OverflowError):
        return (0, 0, 0, 0)
    return (left, top, max(0, width), max(0, height))

"""Accessibility tree processing: limits, nodes, their order, and removal of nodes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from pptarena.vm_images.guest.atspi_names import ROLE_NAMES, STATE_NAMES

__all__ = [
    "TreeLimits",
    "TreeNode",
    "as_json",
    "depth_first",
    "fix_offset",
    "is_layout_only",
    "is_uninformative",
    "self_drawn_nodes",
    "subtree",
    "truncated_tree",
    "without",
]

_FOCUSABLE = 1 << STATE_NAMES.index("focusable")
_PANEL = ROLE_NAMES.index("panel")
_ROOT_PANE = ROLE_NAMES.index("root pane")
_LAYOUT_ONLY = frozenset(  # left out of the result: containers without information
    ROLE_NAMES.index(name) for name in ("filler", "viewport", "scroll pane", "split pane")
)
_HIDDEN_COORDINATE = -(1 << 31)  # coordinate of a node that is scrolled out of view
_MAX_TOTAL_CHARS = 300_000  # of all texts together: the limit of a reply


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """Limits of one reading; exceeding any of them sets the degraded flag.

    Attributes:
        nodes: Maximum number of nodes returned.
        depth: Maximum depth.
        seconds: Timeout of the entire reading.
        text_chars: Maximum number of characters of a text.
    """

    nodes: int = 1000
    depth: int = 60
    seconds: float = 1.0
    text_chars: int = 500


@dataclass(slots=True)
class TreeNode:
    """A node of a tree under construction; parents are indices in the list of nodes."""

    path: str
    parent: int
    role: int
    states: int
    name: str = ""
    text: str = ""
    description: str = ""
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    children: list[str] = field(default_factory=list)
    is_toolkit_widget: bool = False


def as_json(node: TreeNode, index: int, offset: int) -> dict[str, object]:
    """Return the JSON object to send; `offset` is the number of nodes before this tree."""
    return {
        "index": index,
        "parent": node.parent + offset if node.parent >= 0 else -1,
        "role": ROLE_NAMES[node.role] if node.role < len(ROLE_NAMES) else "unknown",
        "name": node.name,
        "text": node.text,
        "description": node.description,
        "box": node.box,
        "states": _state_names(node.states),
    }


@lru_cache(4096)
def _state_names(states: int) -> tuple[str, ...]:
    return tuple(name for bit, name in enumerate(STATE_NAMES) if states >> bit & 1)


def truncated_tree(
    nodes: list[dict[str, object]], reason: str, text_chars: int
) -> tuple[list[dict[str, object]], str]:
    """Truncate long texts, and the tree if its texts exceed the limit of a reply.

    Returns:
        The nodes and why the tree was truncated, "" if it was not.
    """
    remaining_chars = _MAX_TOTAL_CHARS
    for index, node in enumerate(nodes):
        for key in ("name", "text", "description"):
            text = node[key] = str(node[key])[:text_chars]
            remaining_chars -= len(text)
        if remaining_chars < 0:
            return nodes[:index], reason[:text_chars] or "more text than fits"
    return nodes, reason[:text_chars]


def is_layout_only(node: TreeNode) -> bool:
    """Return whether a node only arranges other nodes."""
    return node.role in _LAYOUT_ONLY


def is_uninformative(node: TreeNode) -> bool:
    """Return whether a node is scrolled out of view, or an unnamed panel without information."""
    if node.box[0] == _HIDDEN_COORDINATE:
        return True
    return node.role == _PANEL and not node.name and not node.states & _FOCUSABLE


def fix_offset(nodes: list[TreeNode], self_drawn: Callable[[int], list[int]]) -> None:
    """Correct the position of nodes that the application reports too high.

    In a window that has not been moved yet, the positions of LibreOffice's own nodes (unlike those
    of GTK) lack the height of the menu bar. The offset follows from its root pane, which fills the
    GTK panel around it.

    Args:
        nodes: All nodes.
        self_drawn: Returns the indices of the nodes that the application draws itself, at and below
            an index.
    """
    for pane_index, pane in enumerate(nodes):
        if pane.role != _ROOT_PANE or pane.parent < 0:
            continue
        container = nodes[pane.parent].box
        shift = (container[0] - pane.box[0], container[1] - pane.box[1])
        if shift == (0, 0) or container[2:] != pane.box[2:]:
            continue
        for index in self_drawn(pane_index):
            left, top, width, height = nodes[index].box
            if left != _HIDDEN_COORDINATE:
                nodes[index].box = (left + shift[0], top + shift[1], width, height)


def self_drawn_nodes(
    nodes: list[TreeNode], root: int, is_toolkit_widget: Callable[[int], bool]
) -> list[int]:
    """Return the indices of nodes that the application draws itself, without toolkit widgets."""
    own = {root}
    for index in subtree(nodes, root)[1:]:
        if nodes[index].parent in own and not is_toolkit_widget(index):
            own.add(index)
    return sorted(own)


def subtree(nodes: list[TreeNode], root: int) -> list[int]:
    """Return the indices of a node and all its descendants; parents precede children."""
    indices = {root}
    for index in range(root + 1, len(nodes)):
        if nodes[index].parent in indices:
            indices.add(index)
    return sorted(indices)


def without(nodes: list[TreeNode], drop: Callable[[TreeNode], bool]) -> list[TreeNode]:
    """Remove nodes; their children move to the nearest remaining ancestor."""
    remaining: list[TreeNode] = []
    new_index: dict[int, int] = {-1: -1}
    for index, node in enumerate(nodes):
        if drop(node):
            new_index[index] = new_index[node.parent]
        else:
            node.parent = new_index[node.parent]
            new_index[index] = len(remaining)
            remaining.append(node)
    return remaining


def depth_first(nodes: list[TreeNode]) -> list[TreeNode]:
    """Order nodes depth first and renumber their parents."""
    roots: list[int] = []
    children: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        (roots if node.parent < 0 else children[node.parent]).append(index)
    ordered: list[TreeNode] = []
    stack = [(index, -1) for index in reversed(roots)]
    while stack:
        index, nodes[index].parent = stack.pop()
        stack += [(child, len(ordered)) for child in reversed(children[index])]
        ordered.append(nodes[index])
    return ordered

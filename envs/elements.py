"""The elements of an observation: actionable nodes of the accessibility tree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.action_space import MAX_ELEMENTS
from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.roles import INTERACTIVE_ROLES, TEXT_ROLES, role_id
from pptarena.errors import ActionError

__all__ = ["COLUMNS", "ElementTable", "a11y_json", "element_at", "find_elements"]

Box = tuple[int, int, int, int]

_STATES = {
    "enabled": ("enabled", "sensitive"),
    "focused": ("focused",),
    "selected": ("selected",),
    "checked": ("checked", "pressed"),
    "editable": ("editable",),
    "expandable": ("expandable",),
    "expanded": ("expanded",),
}

COLUMNS = ("x0", "y0", "x1", "y1", "role", *_STATES)
"""Columns of the observation's ``elements``.

``x0, y0, x1, y1``: the visible box in [0, 1] of the screen; ``role``: the number in
`pptarena.envs.roles.ROLES`; the others: states, 0.0 or 1.0 (``checked`` includes pressed).
"""

# Visible nodes below a node of these roles are objects of the user's document.
_DOCUMENT_ROLES = frozenset(
    {"document presentation", "document frame", "document", "document text", "document web"}
)


@dataclass(frozen=True, slots=True)
class ElementTable:
    """The elements of one observation, numbered from 1 in tree order.

    Attributes:
        nodes: Index of each element's tree node.
        boxes: Visible part of each element: left, top, width, height in pixels.
        features: float32 (256, 12), one row per element, see `COLUMNS`; unused rows are 0.
        truncated: Whether there were more elements than rows.
    """

    nodes: tuple[int, ...]
    boxes: tuple[Box, ...]
    features: NDArray[np.float32]
    truncated: bool = False

    def __len__(self) -> int:
        return len(self.nodes)

    def box(self, element: int) -> Box:
        """Return left, top, width, height in pixels of the visible part of an element.

        Raises:
            ActionError: If the last observation has no element of that number.
        """
        if not 1 <= element <= len(self.nodes):
            if not self.nodes:
                raise ActionError(f"no element {element}: the last observation has no elements")
            raise ActionError(
                f"expected an element from 1 to {len(self.nodes)} of the last observation, "
                f"got {element}"
            )
        return self.boxes[element - 1]


def find_elements(tree: Tree, width_px: int, height_px: int) -> ElementTable:
    """Return the elements of a tree: visible nodes that are actionable or have text.

    Args:
        tree: The accessibility tree.
        width_px: Width of the screen; boxes are clipped at its edges.
        height_px: Height of the screen.
    """
    candidates = list(_candidates(tree, width_px, height_px))
    listed = candidates[:MAX_ELEMENTS]
    features = np.zeros((MAX_ELEMENTS, len(COLUMNS)), np.float32)
    rows = [
        (
            left / width_px,
            top / height_px,
            (left + width) / width_px,
            (top + height) / height_px,
            role_id(node.role),
            *_flags(node.states),
        )
        for node, (left, top, width, height) in listed
    ]
    if rows:
        features[: len(rows)] = rows
    return ElementTable(
        nodes=tuple(node.index for node, _ in listed),
        boxes=tuple(box for _, box in listed),
        features=features,
        truncated=len(candidates) > MAX_ELEMENTS,
    )


@lru_cache(1024)
def _flags(states: frozenset[str]) -> tuple[float, ...]:
    # Cached: the same few sets of states occur repeatedly.
    return tuple(float(not states.isdisjoint(names)) for names in _STATES.values())


def a11y_json(tree: Tree, elements: ElementTable) -> dict[str, Any]:
    """Return the entire tree as JSON, each node with the number of its element or 0."""
    numbers = {node: number for number, node in enumerate(elements.nodes, start=1)}
    reasons = [tree.reason] if tree.reason else []
    if elements.truncated:
        reasons.append(f"more than {MAX_ELEMENTS} elements")
    nodes = [
        {
            "index": node.index,
            "parent": node.parent,
            "role": node.role,
            "name": node.name,
            "text": node.text,
            "description": node.description,
            "box": list(node.box),
            "states": sorted(node.states),
            "element": numbers.get(node.index, 0),
        }
        for node in tree.nodes
    ]
    degraded = tree.degraded or elements.truncated
    return {"nodes": nodes, "degraded": degraded, "reason": "; ".join(reasons)}


def element_at(nodes: Sequence[Mapping[str, Any]], x: float, y: float) -> Mapping[str, Any] | None:
    """Return the smallest element at a point, a node of `a11y_json`; None if there is none.

    Args:
        nodes: The nodes of ``info["a11y"]``.
        x: Pixels from the left.
        y: Pixels from the top.
    """

    def contains(box: Sequence[int]) -> bool:
        return box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]

    hits = [node for node in nodes if node["element"] and contains(node["box"])]
    # The last of several equally small elements is the innermost.
    return min(reversed(hits), key=lambda node: node["box"][2] * node["box"][3], default=None)


def _candidates(tree: Tree, width_px: int, height_px: int) -> Iterator[tuple[Node, Box]]:
    document_nodes: set[int] = set()  # indices of document nodes and their descendants
    for node in tree.nodes:
        in_document = node.parent in document_nodes
        if in_document or node.role in _DOCUMENT_ROLES:
            document_nodes.add(node.index)
        if _is_element(node, in_document):
            box = _visible(node.box, width_px, height_px)
            if box[2] > 0 and box[3] > 0:
                yield node, box


def _is_element(node: Node, in_document: bool) -> bool:
    if not {"showing", "visible"} <= node.states:
        return False
    if node.role in INTERACTIVE_ROLES:
        return True
    if node.role in TEXT_ROLES:
        return bool(node.name or node.text or "editable" in node.states)
    return in_document


def _visible(box: Box, width_px: int, height_px: int) -> Box:
    left, top = max(box[0], 0), max(box[1], 0)
    right, bottom = min(box[0] + box[2], width_px), min(box[1] + box[3], height_px)
    return left, top, right - left, bottom - top

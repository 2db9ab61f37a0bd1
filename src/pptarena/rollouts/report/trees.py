"""Accessibility trees of an episode, with each distinct node stored once."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["TreeTable"]

_NODE_KEYS = ("role", "name", "text", "description", "box", "states")


class TreeTable:
    """Packs trees that differ little from step to step.

    A packed tree is ``{"nodes": [...], "depths": [...], "elements": [...], "reason"}``: for each
    node, parents before their children, its number in `nodes`, its depth, and the number of its
    element or 0.

    Attributes:
        nodes: The distinct nodes: role, name, text, description, box and states.
    """

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._numbers: dict[str, int] = {}

    def add(self, tree: Mapping[str, Any]) -> dict[str, Any]:
        """Pack one tree.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: If it is not a tree in the store's
                format.
        """
        nodes = tree["nodes"]
        order = _parents_first([int(node["parent"]) for node in nodes])
        return {
            "nodes": [self._number(nodes[index]) for index, _ in order],
            "depths": [depth for _, depth in order],
            "elements": [int(nodes[index]["element"]) for index, _ in order],
            "reason": str(tree.get("reason", "")),
        }

    def _number(self, node: Mapping[str, Any]) -> int:
        packed = [node[key] for key in _NODE_KEYS]
        left, top, width, height = packed[4]
        packed[4] = [int(part) for part in (left, top, width, height)]
        packed[5] = " ".join(packed[5])
        key = json.dumps(packed)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(packed)
        return self._numbers[key]


def _parents_first(parents: Sequence[int]) -> list[tuple[int, int]]:
    """Return index and depth of every node, each after its parent; cycles are left out."""
    children: dict[int, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent if 0 <= parent < len(parents) else -1, []).append(index)
    order = []
    waiting = [(index, 0) for index in reversed(children.get(-1, []))]
    while waiting:
        index, depth = waiting.pop()
        order.append((index, depth))
        waiting += [(child, depth + 1) for child in reversed(children.get(index, []))]
    return order

"""The accessibility tree, read by the observer inside the application."""

import time

from pptarena.vm_images.guest.errors import OfficeLostError, OfficeTimeoutError
from pptarena.vm_images.guest.observer import Observer, parse_nodes
from pptarena.vm_images.guest.tree_shape import (
    TreeLimits,
    TreeNode,
    as_json,
    depth_first,
    fix_offset,
    is_layout_only,
    is_uninformative,
    self_drawn_nodes,
    without,
)

__all__ = ["ObserverTree"]


class ObserverTree:
    """Reads the tree that the accessibility bus shows, without the bus.

    Args:
        observer: The observer that walks the tree.
        answer_sec: Longest wait. An idle application answers immediately but may wait for a CPU.
    """

    def __init__(self, observer: Observer, answer_sec: float) -> None:
        self._observer = observer
        self._answer_sec = answer_sec
        self._last: tuple[bytes, list[dict[str, object]]] = b"", []

    def read(self, limits: TreeLimits) -> tuple[list[dict[str, object]], str]:
        """Return the nodes, parents first, and why the tree was truncated ("" if it was not).

        Equal trees in succession return the same list.
        """
        if not self._observer.attached:
            return [], ""  # the application does not run
        try:
            data, reason = self._observer.tree(limits, time.monotonic() + self._answer_sec)
            if data != self._last[0]:
                self._last = data, _json_nodes(parse_nodes(data))
        except (OfficeLostError, OfficeTimeoutError) as error:
            return [], str(error)
        return self._last[1], reason


def _json_nodes(nodes: list[TreeNode]) -> list[dict[str, object]]:
    """Return the nodes of the reply, parents first."""
    visible_nodes = without(depth_first(nodes), is_layout_only)
    fix_offset(
        visible_nodes,
        lambda position: self_drawn_nodes(
            visible_nodes, position, lambda index: visible_nodes[index].is_toolkit_widget
        ),
    )
    visible_nodes = without(visible_nodes, is_uninformative)
    return [as_json(node, position, 0) for position, node in enumerate(visible_nodes)]

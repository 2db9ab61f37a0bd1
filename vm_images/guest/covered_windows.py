"""Removal of nodes in main windows hidden behind another one, where they cannot be clicked."""

from collections.abc import Sequence
from typing import Any

__all__ = ["without_covered_windows"]


def without_covered_windows(
    nodes: list[dict[str, Any]], titles: Sequence[str]
) -> list[dict[str, Any]]:
    """Return a tree without the contents of main windows that another window covers entirely.

    The nodes of the windows themselves are retained. A slide show, which has no menu bar, is not
    considered: it displays the document of the window behind it.

    Args:
        nodes: The nodes, parents first, with their positions as ``index``.
        titles: Titles of the windows, topmost first.
    """
    with_menu_bar = {node["parent"] for node in nodes if node["role"] == "menu bar"}
    frames = [
        node
        for node in nodes
        if node["parent"] == -1 and node["role"] == "frame" and node["index"] in with_menu_bar
    ]
    ordered = []
    for title in titles:
        match = next((frame for frame in frames if frame["name"] == title), None)
        if match is not None:
            frames.remove(match)  # windows with equal titles count once each
            ordered.append(match)
    covered_indices = {
        frame["index"]
        for position, frame in enumerate(ordered)
        if any(_contains(above["box"], frame["box"]) for above in ordered[:position])
    }
    if not covered_indices:
        return nodes
    remaining: list[dict[str, Any]] = []
    removed, new_index = set(covered_indices), {-1: -1}
    for node in nodes:
        if node["parent"] in removed:
            removed.add(node["index"])
            continue
        new_index[node["index"]] = len(remaining)
        remaining.append({**node, "index": len(remaining), "parent": new_index[node["parent"]]})
    return remaining


def _contains(outer: Sequence[int], inner: Sequence[int]) -> bool:
    left, top, width, height = outer
    return (
        left <= inner[0]
        and top <= inner[1]
        and left + width >= inner[0] + inner[2]
        and top + height >= inner[1] + inner[3]
    )

"""Removal of nodes in main windows hidden behind another one, where they cannot be clicked."""

from collections.abc import Sequence
from typing import Any

__all__ = ["without_covered"]


def without_covered(nodes: list[dict[str, Any]], titles: Sequence[str]) -> list[dict[str, Any]]:
    """Return a tree without the contents of main windows that another window covers entirely.

    The windows themselves stay. A slide show, which has no menu bar, covers nothing: it shows the
    document of the window behind it.

    Args:
        nodes: The nodes, parents first, with their positions as ``index``.
        titles: Titles of the windows, topmost first.
    """
    barred = {node["parent"] for node in nodes if node["role"] == "menu bar"}
    frames = [
        node
        for node in nodes
        if node["parent"] == -1 and node["role"] == "frame" and node["index"] in barred
    ]
    ordered = []
    for title in titles:
        found = next((frame for frame in frames if frame["name"] == title), None)
        if found is not None:
            frames.remove(found)  # windows with equal titles count once each
            ordered.append(found)
    covered = {
        frame["index"]
        for place, frame in enumerate(ordered)
        if any(_covers(above["box"], frame["box"]) for above in ordered[:place])
    }
    if not covered:
        return nodes
    kept: list[dict[str, Any]] = []
    gone, moved = set(covered), {-1: -1}
    for node in nodes:
        if node["parent"] in gone:
            gone.add(node["index"])
            continue
        moved[node["index"]] = len(kept)
        kept.append({**node, "index": len(kept), "parent": moved[node["parent"]]})
    return kept


def _covers(above: Sequence[int], below: Sequence[int]) -> bool:
    left, top, width, height = above
    return (
        left <= below[0]
        and top <= below[1]
        and left + width >= below[0] + below[2]
        and top + height >= below[1] + below[3]
    )

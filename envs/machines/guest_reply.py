"""The only parser of guest replies: checks all types and limits; otherwise the machine is lost.

The agent may control the guest. Content that a user can produce, such as odd characters in a text,
is sanitized; other invalid content is rejected.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pptarena.envs.machines.base import Files, MachineObservation, Node, Tree
from pptarena.envs.machines.config import MachineConfig
from pptarena.errors import MachineLostError
from pptarena.vm_images.guest.protocol import MAX_STRING_CHARS, DocumentState, Frame

__all__ = [
    "NodeCache",
    "parse_application",
    "parse_deck",
    "parse_files",
    "parse_observation",
    "replace_surrogates",
]

_MAX_TITLES = 256
_MAX_STATES = 64
_MAX_STATE_CHARS = 64
_MAX_DEPTH = 128
_MAX_REVISION = 2**53
_MAX_SLIDES = 1_000_000
_MAX_SIDE_PX = 2**31
_MAX_SEC = 1e6
_ERROR_CHARS = 200

_TIMING_KEYS = frozenset({"action", "settle", "screenshot", "tree", "settled_by"})
_NODE_FIELDS = len(fields(Node))
_OBSERVATION_KEYS = frozenset(
    {"width_px", "height_px", "nodes", "degraded", "window_titles", "clipboard"}
    | {"document", "timing"}
)
_DOCUMENT_KEYS = frozenset(field.name for field in fields(DocumentState))


class NodeCache:
    """Cache of the nodes of a machine's last tree, since parsing them is the slowest part."""

    def __init__(self) -> None:
        self._values: list[Any] = []
        self._nodes: list[Node] = []
        self._tree = Tree()

    def find(self, index: int, value: Any) -> Node | None:
        """Return the last tree's node at an index if it was made from an equal value."""
        # A number that equals another type, such as 1.0, gives the node of the valid value.
        if index < len(self._values) and self._values[index] == value:
            return self._nodes[index]
        return None

    def tree(self, values: list[Any], nodes: list[Node], reason: str) -> Tree:
        """Record and return a tree, the last one itself if nothing has changed."""
        last = self._tree
        is_unchanged = len(nodes) == len(self._nodes) and all(map(is_, nodes, self._nodes))
        if not is_unchanged or last.reason != reason:
            self._tree = Tree(tuple(nodes), bool(reason), reason)
        self._values, self._nodes = values, nodes
        return self._tree


def parse_observation(
    frame: Frame, config: MachineConfig, cache: NodeCache | None = None
) -> MachineObservation:
    """Parse the reply to ``load``, ``perform`` or ``look``.

    Args:
        frame: The reply. A screenshot in a `bytearray` is not copied.
        config: Settings of the machine, which determine the screen size and the tree limit.
        cache: The nodes of the machine's last reply; updated.

    Raises:
        MachineLostError: If the reply is invalid for this version of the guest program.
    """
    try:
        return _parse_observation(frame, config, cache or NodeCache())
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        detail = repr(error)[:_ERROR_CHARS]
        raise MachineLostError(f"the guest sent a malformed observation: {detail}") from error


def parse_application(frame: Frame) -> str:
    """Parse the reply to ``hello``: name and version of the application.

    Raises:
        MachineLostError: If it is missing.
    """
    try:
        _require_keys(frame.header, frozenset({"application"}), "the reply to hello")
        return _string(frame.header["application"], "application")
    except (TypeError, ValueError) as error:
        raise MachineLostError(
            f"the guest did not send the name of its application: {error}"
        ) from error


def parse_files(frame: Frame, names: Sequence[str]) -> Files:
    """Parse the reply to ``collect``: the requested files that exist.

    Raises:
        MachineLostError: If the reply contains other files, or contents that belong to no file.
    """
    found = frame.header.get("found")
    if type(found) is not list or not all(type(name) is str and name in names for name in found):
        raise MachineLostError("the guest sent files that were not requested")
    if len(set(found)) != len(found) or len(frame.blobs) != len(found):
        raise MachineLostError("the guest sent more or fewer contents than files")
    return dict(zip(found, map(bytes, frame.blobs), strict=True))


def parse_deck(frame: Frame) -> bytes:
    """Parse the reply to ``save`` or ``kept``: the .pptx file.

    Raises:
        MachineLostError: If there is no file.
    """
    if len(frame.blobs) != 1:
        raise MachineLostError("the guest sent no document")
    return bytes(frame.blobs[0])


def replace_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which cannot be encoded."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode()


def _parse_observation(frame: Frame, config: MachineConfig, cache: NodeCache) -> MachineObservation:
    header = frame.header
    _require_keys(header, _OBSERVATION_KEYS, "the observation")
    reason = _string(header["degraded"], "degraded")
    titles = _list(header["window_titles"], _MAX_TITLES, "window_titles")
    return MachineObservation(
        screenshot=_screenshot(frame, config),
        tree=_tree(header["nodes"], config.max_nodes, reason, cache),
        window_titles=tuple(_string(title, "window_titles") for title in titles),
        clipboard=_string(header["clipboard"], "clipboard"),
        document=_document(header["document"]),
        timing=_timing(header["timing"]),
    )


def _screenshot(frame: Frame, config: MachineConfig) -> NDArray[np.uint8]:
    header, shape = frame.header, (config.height_px, config.width_px, 3)
    size = (_integer(header["height_px"], 1, 2**16), _integer(header["width_px"], 1, 2**16))
    if size != shape[:2] or len(frame.blobs) != 1 or len(frame.blobs[0]) != math.prod(shape):
        byte_counts = [len(blob) for blob in frame.blobs]
        raise ValueError(f"expected one screen of {shape}, got {size} with {byte_counts} bytes")
    screen = np.frombuffer(frame.blobs[0], np.uint8).reshape(shape)
    return screen if isinstance(frame.blobs[0], bytearray) else screen.copy()


def _tree(values: Any, max_nodes: int, reason: str, cache: NodeCache) -> Tree:
    nodes: list[Node] = []
    depths: list[int] = []
    for index, value in enumerate(_list(values, max_nodes, "nodes")):
        node = cache.find(index, value)
        if node is None:
            parent = _integer(value["parent"], -1, index - 1)
            _integer(value["index"], index, index)
            node = _node(index, parent, value)
        depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
        nodes.append(node)
    if depths and max(depths) > _MAX_DEPTH:
        raise ValueError(f"expected a tree at most {_MAX_DEPTH} deep, got {max(depths)}")
    return cache.tree(values, nodes, reason)


def _node(index: int, parent: int, value: Mapping[str, Any]) -> Node:
    if len(value) != _NODE_FIELDS:
        raise ValueError(f"node {index} has unknown fields")
    box = value["box"]
    left, top, width, height = box
    for side in box:
        if type(side) is not int or not -_MAX_SIDE_PX <= side <= _MAX_SIDE_PX:
            raise ValueError(f"the box of node {index} is not four integers in pixels")
    return Node(
        index=index,
        parent=parent,
        role=_string(value["role"], "role"),
        name=_string(value["name"], "name"),
        text=_string(value["text"], "text"),
        description=_string(value["description"], "description"),
        box=(left, top, width, height),
        states=_states(tuple(_list(value["states"], _MAX_STATES, "states"))),
    )


@lru_cache(1024)
def _states(names: tuple[Any, ...]) -> frozenset[str]:
    # Cached: the same few sets recur. Equal tuples hold equal types, since no number or other JSON
    # value equals a string, and exceptions are not cached.
    return frozenset(_string(name, "states", _MAX_STATE_CHARS) for name in names)


def _document(value: Any) -> DocumentState:
    _require_keys(value, _DOCUMENT_KEYS, "document")
    if type(value["open"]) is not bool or type(value["editing"]) is not bool:
        raise ValueError("expected document/open and document/editing to be true or false")
    return DocumentState(
        open=value["open"],
        revision=_integer(value["revision"], -1, _MAX_REVISION),
        editing=value["editing"],
        slide=_integer(value["slide"], 0, _MAX_SLIDES),
        slide_count=_integer(value["slide_count"], 0, _MAX_SLIDES),
    )


def _timing(value: Any) -> dict[str, Any]:
    _require_keys(value, _TIMING_KEYS, "timing")
    for name, part in value.items():
        if name == "settled_by":
            _string(part, name)
        elif type(part) not in (int, float) or not 0 <= part <= _MAX_SEC:  # rejects NaN too
            raise ValueError(f"expected timing/{name} in seconds")
    return {**value, "settled_by": replace_surrogates(value["settled_by"])}


def _require_keys(value: Any, keys: frozenset[str], name: str) -> None:
    if type(value) is not dict or value.keys() != keys:
        raise ValueError(f"expected {name} to be an object with {', '.join(sorted(keys))}")


def _integer(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"expected a whole number from {low} to {high}")
    return value


def _list(value: Any, max_length: int, name: str) -> list[Any]:
    if type(value) is not list or len(value) > max_length:
        raise ValueError(f"expected {name} to be a list of at most {max_length}")
    return value


def _string(value: Any, name: str, max_length: int = MAX_STRING_CHARS) -> str:
    if type(value) is not str or len(value) > max_length:
        raise ValueError(f"expected {name} to be a text of at most {max_length} characters")
    return value if value.isascii() else replace_surrogates(value)

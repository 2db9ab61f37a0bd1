"""`PixelTree`: a tree of detected elements, in place of or with the accessibility tree."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pptarena.envs.elements import find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.pixels.boxes import BoxDetector
from pptarena.envs.pixels.detection import Detection, Detector, Screenshot
from pptarena.envs.pixels.icons import IconDetector
from pptarena.envs.pixels.merging import exclude_known, merge_detections
from pptarena.envs.pixels.text import TextDetector
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

__all__ = ["DETECTORS", "ELEMENT_SOURCES", "PixelTree", "open_detector"]

ELEMENT_SOURCES: Final = ("tree", "pixels", "both")
"""Values of the environment's setting ``elements``."""

DETECTORS: Final = ("text", "boxes")
"""Detectors that are used by default."""

_ICONS: Final = "icons:"
_CACHED_SCREENS = 256
_STATES = frozenset({"enabled", "sensitive", "showing", "visible"})


class PixelTree:
    """Replaces or completes accessibility trees with elements detected in the screenshots.

    Detections are cached by screenshot, so an unchanged screen costs nothing. Several threads may
    share an instance.

    Args:
        source: ``"pixels"`` uses detected elements alone, ``"both"`` adds them to the tree.
        detectors: ``"text"``, ``"boxes"``, ``"icons:FILE"`` with a file of weights, or detectors.

    Raises:
        ConfigError: If a detector is unknown, or its package or file is missing.
    """

    def __init__(self, source: str, detectors: Sequence[str | Detector] = DETECTORS) -> None:
        self._source = source
        self._detectors = [open_detector(detector) for detector in detectors]
        self._screens: OrderedDict[bytes, tuple[Detection, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def detect(self, screenshot: Screenshot) -> tuple[Detection, ...]:
        """Return the merged detections of all detectors, in reading order."""
        shape = repr(screenshot.shape).encode()
        key = hashlib.sha1(screenshot.tobytes() + shape, usedforsecurity=False).digest()
        with self._lock:
            if key in self._screens:
                self._screens.move_to_end(key)
                return self._screens[key]
        unmerged = [item for detector in self._detectors for item in detector.detect(screenshot)]
        detections = tuple(merge_detections(unmerged))
        with self._lock:
            self._screens[key] = detections
            if len(self._screens) > _CACHED_SCREENS:
                self._screens.popitem(last=False)
        return detections

    def tree(self, screenshot: Screenshot, tree: Tree) -> Tree:
        """Return the tree that an agent observes.

        With ``"pixels"``, its root is the screen, and every detection is a child of it. With
        ``"both"``, detections that are not an element of the tree follow as further roots. A
        detection's description is its confidence.

        Args:
            screenshot: The screenshot.
            tree: The accessibility tree of the same moment.
        """
        height, width = screenshot.shape[:2]
        detections: Sequence[Detection] = self.detect(screenshot)
        if self._source == "both":
            detections = exclude_known(detections, find_elements(tree, width, height).boxes)
            nodes, parent, reason = tree.nodes, -1, tree.reason
        else:
            root = Node(0, -1, "frame", "", "", "", (0, 0, width, height), _STATES)
            nodes, parent, reason = (root,), 0, ""
        detected_nodes = (
            Node(
                index=index,
                parent=parent,
                role=detection.role,
                name=detection.name,
                text="",
                description=f"confidence {detection.confidence:.2f}",
                box=detection.box,
                states=_STATES,
            )
            for index, detection in enumerate(detections, start=len(nodes))
        )
        return Tree((*nodes, *detected_nodes), bool(reason), reason)


def open_detector(detector: str | Detector) -> Detector:
    """Return a detector by its name.

    Args:
        detector: ``"text"``, ``"boxes"``, ``"icons:FILE"``, or a detector, which is returned.

    Raises:
        ConfigError: If it is unknown, or its package or file is missing.
    """
    return _open(detector) if isinstance(detector, str) else detector


@lru_cache(maxsize=8)  # models are large, and environments of a process share them
def _open(name: str) -> Detector:
    if name == "text":
        return TextDetector()
    if name == "boxes":
        return BoxDetector()
    if name.startswith(_ICONS):
        return IconDetector(name.removeprefix(_ICONS))
    raise ConfigError(f"detectors: {not_found('detector', name, (*DETECTORS, 'icons:FILE'))}")

"""The interface of detectors, and the geometry of boxes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Box", "Detection", "Detector", "Screenshot", "area", "intersection", "iou"]

Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

Screenshot = NDArray[np.uint8]
"""uint8 (height, width, 3), RGB."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A text, icon or control found in a screenshot.

    Attributes:
        box: Left, top, width, height in pixels, inside the screenshot.
        role: The most likely role, one of `pptarena.envs.roles.ROLES`. Only interactive
            roles, and text roles with a name, become elements.
        name: The text on it; ``""`` if there is none.
        confidence: Certainty of the detector, in [0, 1].
    """

    box: Box
    role: str
    name: str = ""
    confidence: float = 1.0


class Detector(Protocol):
    """Finds texts, icons or controls in a screenshot.

    Equal screenshots must give equal detections, whatever was detected before. Several threads may
    call a detector concurrently.
    """

    def detect(self, screenshot: Screenshot) -> Sequence[Detection]:
        """Return the detections in a screenshot, which must not be modified."""
        ...


def area(box: Box) -> int:
    """Return the area of a box in pixels."""
    return box[2] * box[3]


def intersection(first: Box, second: Box) -> int:
    """Return the area in pixels that two boxes share."""
    width = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    height = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    return max(width, 0) * max(height, 0)


def iou(first: Box, second: Box) -> float:
    """Return the intersection over union of two boxes, in [0, 1]."""
    shared = intersection(first, second)
    return shared / (area(first) + area(second) - shared) if shared else 0.0

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
    """Something that a detector found in a screenshot.

    Attributes:
        box: Left, top, width, height in pixels, inside the screenshot.
        role: The role that it most likely has, one of `pptarena.envs.roles.ROLES`. Only interactive
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


def intersection(one: Box, other: Box) -> int:
    """Return the area in pixels that two boxes share."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0)


def iou(one: Box, other: Box) -> float:
    """Return the intersection over union of two boxes, in [0, 1]."""
    shared = intersection(one, other)
    return shared / (area(one) + area(other) - shared) if shared else 0.0

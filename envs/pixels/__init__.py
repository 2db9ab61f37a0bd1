"""Elements from pixels: detectors that find texts, icons and controls in a screenshot."""

from pptarena.envs.pixels.detection import Detection, Detector
from pptarena.envs.pixels.pixel_tree import ELEMENT_SOURCES, PixelTree

__all__ = ["ELEMENT_SOURCES", "Detection", "Detector", "PixelTree"]

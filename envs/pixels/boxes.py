"""`BoxDetector`: icons, frames and controls by classical image analysis, without a model."""

from pptarena.envs.pixels.components import Mask, component_boxes, dilate, edges
from pptarena.envs.pixels.detection import Box, Detection, Screenshot, intersection
from pptarena.envs.pixels.frames import frame_boxes

__all__ = ["BoxDetector"]

_CONTRAST = 16
_GAP_PX = (3, 2)  # parts of one icon are at most twice as far apart, horizontally and vertically
_ICON_MIN_PX, _ICON_MAX_PX = 6, (72, 48)
_MARGIN_PX, _PADDED_MAX_PX = 5, 32  # a tool button is larger than its icon
_CHECK_BOX_MAX_PX = 20
_CHECK_BOX_INK = 0.35  # a tick; a small icon in a frame has more
_CONTROL_MAX_PX = (480, 44)
_ARROW_MAX_PX = (16, 10)
_ARROW_AREA_PX = 36


class BoxDetector:
    """Finds frames and small pictures by their edges.

    A frame of a control's height is a ``button``, with an arrow at its right end a ``combo box``, a
    small square a ``check box``. Everything else is an ``icon``: tool buttons, thumbnails, shapes.
    """

    def detect(self, screenshot: Screenshot) -> list[Detection]:
        """Return frames and icons, without text."""
        ink = edges(screenshot, _CONTRAST)
        height, width = ink.shape
        parts = [_shrink(box, *_GAP_PX) for box in component_boxes(dilate(ink, *_GAP_PX))]
        small = [
            box
            for box in parts
            if min(box[2:]) >= _ICON_MIN_PX
            and box[2] <= _ICON_MAX_PX[0]
            and box[3] <= _ICON_MAX_PX[1]
        ]
        arrows = [
            box
            for box in component_boxes(ink)
            if 5 <= box[2] <= _ARROW_MAX_PX[0] and 3 <= box[3] <= _ARROW_MAX_PX[1]
        ]
        detections = [Detection(box, _role(box, arrows, ink)) for box in frame_boxes(screenshot)]
        detections = [
            detection
            for detection in detections
            if detection.role != "icon" or max(detection.box[2:]) > _PADDED_MAX_PX
        ]
        detections += [Detection(_pad(box, width, height), "icon", "", 0.5) for box in small]
        return detections


def _role(box: Box, arrows: list[Box], ink: Mask) -> str:
    left, top, width, height = box
    if max(width, height) <= _PADDED_MAX_PX:
        ink_share = ink[top + 2 : top + height - 2, left + 2 : left + width - 2].mean()
        is_square = max(width, height) <= _CHECK_BOX_MAX_PX and abs(width - height) <= 2
        return "check box" if is_square and ink_share <= _CHECK_BOX_INK else "icon"
    if width > _CONTROL_MAX_PX[0] or height > _CONTROL_MAX_PX[1]:
        return "icon"
    arrow_area = (left + width - _ARROW_AREA_PX, top + 3, _ARROW_AREA_PX - 3, height - 6)
    if width > 2 * _ARROW_AREA_PX and any(
        intersection(arrow, arrow_area) == arrow[2] * arrow[3] for arrow in arrows
    ):
        return "combo box"
    return "button"


def _shrink(box: Box, x_px: int, y_px: int) -> Box:
    left, top, width, height = box
    return left + x_px, top + y_px, width - 2 * x_px, height - 2 * y_px


def _pad(box: Box, width_px: int, height_px: int) -> Box:
    left, top, width, height = box
    if max(width, height) > _PADDED_MAX_PX:
        return box
    x0, y0 = max(left - _MARGIN_PX, 0), max(top - _MARGIN_PX, 0)
    x1 = min(left + width + _MARGIN_PX, width_px)
    y1 = min(top + height + _MARGIN_PX, height_px)
    return x0, y0, x1 - x0, y1 - y0

"""`IconDetector`: icons by a YOLO model, in the format of OmniParser's icon detector."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.envs.pixels.detection import Box, Detection, Screenshot, iou
from pptarena.envs.pixels.text import open_onnx
from pptarena.errors import ConfigError, missing_package

__all__ = ["IconDetector"]

_SCORE_MIN: Final = 0.05  # OmniParser's defaults
_IOU_MAX: Final = 0.1
_GRAY: Final = 114


class IconDetector:
    """Finds icons with a YOLO model of one class, such as ``icon_detect`` of OmniParser v2.

    The weights are the user's own file. ``.onnx`` needs onnxruntime (the extra "pixels"); its input
    is float32 (1, 3, size, size) in [0, 1], its output (1, 5, count): center x, center y, width,
    height in pixels of the input, and the score. ``.pt`` needs the package ultralytics, which is
    under the AGPL; loading such a file runs code in it, so use only files that you trust.

    Args:
        weights: The file of weights.

    Raises:
        ConfigError: If the file does not exist, has another suffix, or its package is missing.
    """

    def __init__(self, weights: str | Path) -> None:
        file = Path(weights).expanduser()
        if file.suffix not in (".onnx", ".pt") or not file.is_file():
            raise ConfigError(f"icons:{weights}: expected an existing file .onnx or .pt")
        self._session = open_onnx(file) if file.suffix == ".onnx" else None
        self._yolo = _open_yolo(file) if file.suffix == ".pt" else None

    def detect(self, screenshot: Screenshot) -> list[Detection]:
        """Return the icons, each with role ``icon`` and without a name."""
        if self._session is None:
            return self._detect_with_ultralytics(screenshot)
        model_input = self._session.get_inputs()[0]
        side = model_input.shape[2] if isinstance(model_input.shape[2], int) else 640
        image, scale = _letterbox(screenshot, side)
        output = np.asarray(self._session.run(None, {model_input.name: image})[0])
        if output.ndim != 3 or output.shape[1] < 5:
            raise ConfigError(f"icons: expected output (1, 5, count), got {output.shape}")
        return _detections(output[0], scale, screenshot.shape[:2])

    def _detect_with_ultralytics(self, screenshot: Screenshot) -> list[Detection]:
        assert self._yolo is not None
        picture = Image.fromarray(screenshot)
        result = self._yolo.predict(picture, conf=_SCORE_MIN, iou=_IOU_MAX, verbose=False)[0]
        corners, scores = result.boxes.xyxy.tolist(), result.boxes.conf.tolist()
        size = screenshot.shape[:2]
        return [
            Detection(box, "icon", "", float(score))
            for box, score in zip(
                (_clip(box_corners, size) for box_corners in corners), scores, strict=True
            )
            if min(box[2:]) > 0
        ]


def _open_yolo(file: Path) -> Any:
    try:
        from ultralytics import YOLO
    except ImportError as error:
        raise missing_package(f"icons:{file.name}", "ultralytics", "pixels") from error
    return YOLO(str(file))


def _letterbox(screenshot: Screenshot, side: int) -> tuple[NDArray[np.float32], float]:
    """Return the screenshot in the top left of a gray square, and the scale."""
    height, width = screenshot.shape[:2]
    scale = side / max(height, width)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    square = np.full((side, side, 3), _GRAY, np.uint8)
    square[: size[1], : size[0]] = np.asarray(Image.fromarray(screenshot).resize(size))
    scaled = square.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255)
    return scaled, scale


def _detections(
    output: NDArray[np.float32], scale: float, size: tuple[int, int]
) -> list[Detection]:
    """Return the best boxes of a YOLO output (5, count), without overlapping ones."""
    x, y, width, height, scores = output[:5]
    candidates = np.nonzero(scores >= _SCORE_MIN)[0]
    detections: list[Detection] = []
    for index in candidates[np.argsort(-scores[candidates], kind="stable")]:
        corners = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        box = _clip([float(values[index]) / scale for values in corners], size)
        if min(box[2:]) > 0 and all(
            iou(box, detection.box) <= _IOU_MAX for detection in detections
        ):
            detections.append(Detection(box, "icon", "", min(float(scores[index]), 1.0)))
    return detections


def _clip(corners: Sequence[float], size: tuple[int, int]) -> Box:
    x0, x1 = (min(max(round(value), 0), size[1]) for value in (corners[0], corners[2]))
    y0, y1 = (min(max(round(value), 0), size[0]) for value in (corners[1], corners[3]))
    return x0, y0, x1 - x0, y1 - y0

"""`TextDetector`: lines of text by optical character recognition (OCR)."""

import hashlib
import importlib.util
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pptarena.envs.pixels.components import component_boxes, edges
from pptarena.envs.pixels.detection import Box, Detection, Screenshot
from pptarena.errors import ConfigError, missing_package

__all__ = ["TextDetector", "open_onnx"]

_MODELS: Final = "rapidocr_onnxruntime"
_DETECTION: Final = "ch_PP-OCRv4_det_infer.onnx"
_RECOGNITION: Final = "ch_PP-OCRv4_rec_infer.onnx"

_PIXEL_MIN, _BOX_MIN = 0.3, 0.5  # probabilities of text
_TEXT_MIN = 0.75
_UNCLIP = 1.6  # the model marks the core of a line; the ratio is the one of its training
_SIDE_MIN_PX = 3
_STRIDE_PX = 32
_LINE_PX = 48  # height of a line for the recognition model
_WIDTH_STEP_PX = 64
_WIDTH_MIN_PX = 128
_WIDTH_MAX_PX = 4096
_GAP_SHARE = 0.6  # of a line's height; a wider gap separates two texts
_INK_CONTRAST = 40
_CACHED_LINES = 20_000


class TextDetector:
    """Finds lines of text with the PP-OCRv4 models in the package rapidocr-onnxruntime.

    The models read English and Chinese; accents are often lost. Lines are split at gaps that are
    wide for their height, so that the entries of a menu bar are separate texts. Recognized lines
    are cached by their pixels, so a screen that changes in one place is recognized only there.

    The package's models are used without its code, which needs OpenCV and libGL. One thread is
    used, so that results do not depend on the number of cores.

    Raises:
        ConfigError: If the packages of the extra "pixels" are missing.
    """

    def __init__(self) -> None:
        folder = _model_folder()
        self._detection = open_onnx(folder / _DETECTION)
        self._recognition = open_onnx(folder / _RECOGNITION)
        characters = self._recognition.get_modelmeta().custom_metadata_map["character"]
        self._characters = ("", *characters.splitlines(), " ")  # the first stands for no character
        self._lines: OrderedDict[bytes, tuple[str, float]] = OrderedDict()
        self._lock = threading.Lock()

    def detect(self, screenshot: Screenshot) -> list[Detection]:
        """Return the lines of text, each with role ``label``."""
        ink = edges(screenshot, _INK_CONTRAST)
        detections = []
        for line in self._line_boxes(screenshot):
            for box in _split(line, ink):
                name, confidence = self._read(screenshot, box)
                if any(map(str.isalnum, name)) and confidence >= _TEXT_MIN:
                    detections.append(Detection(box, "label", name, confidence))
        return detections

    def _line_boxes(self, screenshot: Screenshot) -> list[Box]:
        height, width = screenshot.shape[:2]
        pad = ((0, -height % _STRIDE_PX), (0, -width % _STRIDE_PX), (0, 0))
        padded = np.pad(screenshot, pad, mode="edge")
        probabilities = _run(self._detection, _network_input(padded))[0, 0, :height, :width]
        return [
            _expand(box, width, height)
            for box in component_boxes(probabilities > _PIXEL_MIN)
            if min(box[2:]) >= _SIDE_MIN_PX
            and _crop(probabilities, box)[_crop(probabilities, box) > _PIXEL_MIN].mean() >= _BOX_MIN
        ]

    def _read(self, screenshot: Screenshot, box: Box) -> tuple[str, float]:
        pixels = np.ascontiguousarray(_crop(screenshot, box))
        key = hashlib.sha1(
            pixels.tobytes() + repr(box[2:]).encode(), usedforsecurity=False
        ).digest()
        with self._lock:
            if key in self._lines:
                self._lines.move_to_end(key)
                return self._lines[key]
        text = self._recognize(pixels)
        with self._lock:
            self._lines[key] = text
            if len(self._lines) > _CACHED_LINES:
                self._lines.popitem(last=False)
        return text

    def _recognize(self, pixels: Screenshot) -> tuple[str, float]:
        height, width = pixels.shape[:2]
        line_width = min(max(round(width * _LINE_PX / height), 1), _WIDTH_MAX_PX)
        line = Image.fromarray(pixels).resize((line_width, _LINE_PX), Image.Resampling.BILINEAR)
        padded_width = max(-(-line_width // _WIDTH_STEP_PX) * _WIDTH_STEP_PX, _WIDTH_MIN_PX)
        batch = np.zeros((1, 3, _LINE_PX, padded_width), np.float32)
        batch[..., :line_width] = _network_input(np.asarray(line))
        steps = _run(self._recognition, batch)[0]
        best_index, certainty = steps.argmax(-1), steps.max(-1)
        # Connectionist temporal classification: repeats stand for one character, 0 for none.
        is_character = (best_index != 0) & np.concatenate(
            ([True], best_index[1:] != best_index[:-1])
        )
        text = "".join(self._characters[index] for index in best_index[is_character]).strip()
        return text, float(certainty[is_character].mean()) if is_character.any() else 0.0


def open_onnx(file: Path) -> Any:
    """Return an ONNX Runtime session on the CPU with one thread.

    Raises:
        ConfigError: If onnxruntime is missing, or the file is no ONNX model.
    """
    try:
        import onnxruntime
    except ImportError as error:
        raise missing_package("elements from pixels", "onnxruntime", "pixels") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(file), options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has no common class of errors
        raise ConfigError(f"{file}: expected an ONNX model: {error}") from error


def _model_folder() -> Path:
    spec = importlib.util.find_spec(_MODELS)
    if spec is None or not spec.submodule_search_locations:
        raise missing_package("elements from pixels", "rapidocr-onnxruntime", "pixels")
    return Path(spec.submodule_search_locations[0]) / "models"


def _run(session: Any, batch: NDArray[np.float32]) -> NDArray[np.float32]:
    result: NDArray[np.float32] = session.run(None, {session.get_inputs()[0].name: batch})[0]
    return result


def _network_input(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return pixels as float32 (1, 3, height, width) in [-1, 1], blue first."""
    scaled = pixels[:, :, ::-1].astype(np.float32) / 127.5 - 1.0
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


def _crop(picture: NDArray[Any], box: Box) -> NDArray[Any]:
    left, top, width, height = box
    return picture[top : top + height, left : left + width]


def _expand(box: Box, width_px: int, height_px: int) -> Box:
    left, top, width, height = box
    margin = round(width * height * _UNCLIP / (2 * (width + height)))
    x0, y0 = max(left - margin, 0), max(top - margin, 0)
    x1, y1 = min(left + width + margin, width_px), min(top + height + margin, height_px)
    return x0, y0, x1 - x0, y1 - y0


def _split(box: Box, ink: NDArray[np.bool_]) -> list[Box]:
    """Split a line at wide gaps without ink; the parts are trimmed to their ink at the sides."""
    columns = np.nonzero(_crop(ink, box).any(0))[0]
    if not len(columns):
        return []
    left, top, _, height = box
    breaks = np.nonzero(np.diff(columns) > max(_GAP_SHARE * height, 8))[0]
    firsts = columns[np.concatenate(([0], breaks + 1))]
    lasts = columns[np.concatenate((breaks, [len(columns) - 1]))]
    margin = 2
    limit = ink.shape[1]
    return [
        (x0, top, x1 - x0, height)
        for x0, x1 in (
            (max(left + int(first) - margin, 0), min(left + int(last) + margin, limit))
            for first, last in zip(firsts, lasts, strict=True)
        )
    ]

"""Detectors on synthetic screens."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pptarena.envs.pixels import icons, text
from pptarena.envs.pixels.boxes import BoxDetector
from pptarena.envs.pixels.detection import Detection, iou
from pptarena.envs.pixels.icons import IconDetector
from pptarena.envs.pixels.pixel_tree import open_detector
from pptarena.envs.pixels.text import TextDetector
from pptarena.errors import ConfigError

Screen = NDArray[np.uint8]

needs_models = pytest.mark.skipif(
    importlib.util.find_spec("rapidocr_onnxruntime") is None, reason='needs the extra "pixels"'
)


def draw_screen(*, with_text: bool = True) -> Screen:
    """Return a window with a menu bar, a button, a check box, a combo box and a round icon."""
    picture = Image.new("RGB", (480, 240), "#f4f4f2")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(15)
    draw.rounded_rectangle((40, 60, 139, 89), 4, fill="white", outline="#888888")
    draw.rectangle((40, 120, 53, 133), fill="white", outline="#333333")
    draw.rectangle((220, 60, 399, 89), fill="white", outline="#888888")
    draw.polygon(((380, 72), (390, 72), (385, 77)), fill="black")
    draw.ellipse((300, 150, 319, 169), fill="#2060c0")
    if with_text:
        for x, word in ((10, "File"), (60, "Edit"), (110, "Slide Show")):
            draw.text((x, 8), word, "black", font)
        draw.text((68, 66), "Apply", "black", font)
        draw.text((60, 118), "Shadow", "black", font)
    return np.asarray(picture)


def best_match(detections: list[Detection], box: tuple[int, int, int, int]) -> Detection:
    return max(detections, key=lambda each: iou(each.box, box))


def test_controls_are_classified_by_shape() -> None:
    detections = BoxDetector().detect(draw_screen(with_text=False))
    for role, box in (
        ("button", (40, 60, 100, 30)),
        ("check box", (40, 120, 14, 14)),
        ("combo box", (220, 60, 180, 30)),
        ("icon", (295, 145, 30, 30)),
    ):
        best = best_match(detections, box)
        assert best.role == role
        assert iou(best.box, box) > 0.75


def test_an_empty_screen_has_no_boxes() -> None:
    assert BoxDetector().detect(np.full((60, 90, 3), 200, np.uint8)) == []


@pytest.mark.slow
@needs_models
def test_text_is_read_and_menu_entries_are_separate() -> None:
    detections = TextDetector().detect(draw_screen())
    names = {each.name: each for each in detections}
    assert {"File", "Edit", "Slide Show", "Apply", "Shadow"} <= set(names)
    assert {each.role for each in detections} == {"label"}
    left, top, width, height = names["Edit"].box
    assert 55 <= left <= 62
    assert left + width <= 95
    assert top <= 12 <= top + height


@pytest.mark.slow
@needs_models
def test_text_detection_is_stateless() -> None:
    one, other = TextDetector(), TextDetector()
    other.detect(np.ascontiguousarray(draw_screen()[:, ::-1]))
    assert one.detect(draw_screen()) == other.detect(draw_screen()) == one.detect(draw_screen())


def test_a_missing_package_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_MODELS", "no_such_package")
    with pytest.raises(ConfigError, match=r"rapidocr-onnxruntime.*\[pixels\]"):
        TextDetector()


@pytest.mark.parametrize("name", ["txt", "icons:", "icons:none.onnx", "icons:weights.bin"])
def test_unknown_detectors_and_files_are_rejected(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        open_detector(name)


class Session:
    """A model that finds an icon twice and another once, in a square of 640 pixels."""

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="images", shape=[1, 3, 640, 640])]

    def run(self, outputs: None, inputs: dict[str, Any]) -> list[Any]:
        assert inputs["images"].shape == (1, 3, 640, 640)
        assert 0 <= inputs["images"].min() < inputs["images"].max() <= 1
        columns = [[100, 100, 40, 40, 0.9], [102, 100, 40, 40, 0.8], [630, 300, 40, 20, 0.3]]
        return [np.array([*columns, [50, 50, 9, 9, 0.01]], np.float32).T[None]]


def test_icons_of_an_onnx_model_are_scaled_to_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(icons, "open_onnx", lambda file: Session())
    weights = tmp_path / "icon_detect.onnx"
    weights.touch()
    screen = np.zeros((720, 1280, 3), np.uint8)
    screen[:100] = 255
    detections = IconDetector(weights).detect(screen)
    assert [each.box for each in detections] == [(160, 160, 80, 80), (1220, 580, 60, 40)]
    assert {each.role for each in detections} == {"icon"}
    assert [each.confidence for each in detections] == pytest.approx([0.9, 0.3])


def test_icons_of_a_torch_model_come_from_ultralytics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Yolo:
        def __init__(self, file: str) -> None:
            assert file.endswith("icon_detect.pt")

        def predict(self, picture: Image.Image, **settings: Any) -> list[Any]:
            assert picture.size == (1280, 720)
            boxes = SimpleNamespace(xyxy=np.array([[10.2, 20.4, 30.0, 40.0]]), conf=np.array([0.5]))
            return [SimpleNamespace(boxes=boxes)]

    weights = tmp_path / "icon_detect.pt"
    weights.touch()
    monkeypatch.setitem(sys.modules, "ultralytics", None)
    with pytest.raises(ConfigError, match="ultralytics"):
        IconDetector(weights)
    fake = ModuleType("ultralytics")
    fake.YOLO = Yolo  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ultralytics", fake)
    detections = IconDetector(weights).detect(np.zeros((720, 1280, 3), np.uint8))
    assert detections == [Detection((10, 20, 20, 20), "icon", "", 0.5)]

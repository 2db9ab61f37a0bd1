"""Quality of element detection, measured on stored screens."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.envs.pixels.detection import Detection
from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts import measure_elements as measuring
from pptarena.rollouts.measure_elements import StoredScreen, measure_elements, stored_screens

BUTTON, LABEL, PAGE = [10, 10, 40, 20], [100, 10, 60, 20], [0, 0, 320, 180]


def node(index: int, role: str, name: str, box: list[int], element: int) -> dict[str, Any]:
    return {
        "index": index, "parent": index - 1, "role": role, "name": name, "text": "",
        "description": "", "box": box, "states": ["showing"], "element": element,
    }  # fmt: skip


@pytest.fixture
def screen(tmp_path: Path) -> StoredScreen:
    """A screen with the button Apply and the label Größe on a page of full size."""
    Image.fromarray(np.zeros((180, 320, 3), np.uint8)).save(tmp_path / "step_000.png")
    nodes = [
        node(0, "frame", "window", PAGE, 0),
        node(1, "panel", "page", PAGE, 1),
        node(2, "button", "Apply", BUTTON, 2),
        node(3, "label", "Gr\u00f6\u00dfe", LABEL, 3),
    ]
    (tmp_path / "step_000.json").write_text(json.dumps({"nodes": nodes}))
    return StoredScreen(tmp_path, "step_000.png", "step_000.json", element=2)


class FixedDetector:
    def __init__(self, *detections: Detection) -> None:
        self._detections = detections

    def detect(self, screenshot: Any) -> tuple[Detection, ...]:
        assert screenshot.shape == (180, 320, 3)
        return self._detections


def measure_screen(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch, **detectors: FixedDetector
) -> dict[str, Any]:
    monkeypatch.setattr(measuring, "open_detector", detectors.__getitem__)
    figures = measure_elements([screen], list(detectors))
    return {name: each.to_json() for name, each in figures.items()}


def test_precision_and_recall_count_centers_boxes_and_names(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = FixedDetector(
        Detection((101, 11, 58, 18), "label", "GROSSE", 0.9),  # ß folds to ss, ö to o
        Detection((200, 100, 30, 12), "label", "nothing", 0.9),
    )
    boxes = FixedDetector(Detection((25, 15, 8, 8), "icon"))
    figures = measure_screen(screen, monkeypatch, text=text, boxes=boxes)
    assert (figures["text"]["detections"], figures["text"]["elements"]) == (2, 3)
    assert figures["text"]["precision_click"] == figures["text"]["precision_box"] == 0.5
    recall = pytest.approx(1 / 3, abs=1e-3)
    assert figures["text"]["recall_box"] == figures["text"]["recall_click"] == recall
    assert figures["text"]["names_read"] == 1.0
    assert (figures["text"]["aims"], figures["text"]["aims_reached"]) == (1, 0.0)
    assert (figures["boxes"]["precision_click"], figures["boxes"]["precision_box"]) == (1.0, 0.0)
    assert figures["boxes"]["aims_reached"] == 1.0
    assert figures["all"]["detections"] == 3
    assert figures["all"]["roles"]["button"]["recall_click"] == 1.0
    assert figures["all"]["roles"]["panel"] == {
        "elements": 1, "recall_click": 0.0, "recall_box": 0.0, "names_read": None,
    }  # fmt: skip


def test_each_element_matches_one_detection(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = FixedDetector(
        Detection((10, 10, 40, 18), "label", "Apply", 0.9),
        Detection((10, 22, 40, 8), "label", "Other", 0.8),
    )
    figures = measure_screen(screen, monkeypatch, text=both)["text"]
    assert figures["precision_box"] == 0.5
    assert figures["roles"]["button"]["names_read"] == 1.0


def test_run_without_screens_and_unknown_detector_are_rejected(
    tmp_path: Path, screen: StoredScreen
) -> None:
    with pytest.raises(StoreError, match="expected episodes"):
        stored_screens(tmp_path, 10)
    with pytest.raises(ConfigError, match="boxs"):
        measure_elements([screen], ["boxs"])

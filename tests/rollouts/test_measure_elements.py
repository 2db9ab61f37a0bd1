"""Elements from pixels, measured on stored screens."""

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
    """A button Apply and a label Größe on a page, which covers the screen."""
    Image.fromarray(np.zeros((180, 320, 3), np.uint8)).save(tmp_path / "step_000.png")
    nodes = [
        node(0, "frame", "window", PAGE, 0),
        node(1, "panel", "page", PAGE, 1),
        node(2, "button", "Apply", BUTTON, 2),
        node(3, "label", "Gr\u00f6\u00dfe", LABEL, 3),
    ]
    (tmp_path / "step_000.json").write_text(json.dumps({"nodes": nodes}))
    return StoredScreen(tmp_path, "step_000.png", "step_000.json", element=2)


class Finds:
    def __init__(self, *found: Detection) -> None:
        self._found = found

    def detect(self, screenshot: Any) -> tuple[Detection, ...]:
        assert screenshot.shape == (180, 320, 3)
        return self._found


def measured(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch, **detectors: Finds
) -> dict[str, Any]:
    monkeypatch.setattr(measuring, "open_detector", detectors.__getitem__)
    figures = measure_elements([screen], list(detectors))
    return {name: each.to_json() for name, each in figures.items()}


def test_shares_count_centers_boxes_and_names(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Finds(
        Detection((101, 11, 58, 18), "label", "GROSSE", 0.9),  # ß folds to ss, ö to o
        Detection((200, 100, 30, 12), "label", "nothing", 0.9),
    )
    boxes = Finds(Detection((25, 15, 8, 8), "icon"))
    found = measured(screen, monkeypatch, text=text, boxes=boxes)
    assert (found["text"]["detections"], found["text"]["elements"]) == (2, 3)
    assert found["text"]["precision_click"] == found["text"]["precision_box"] == 0.5
    assert (
        found["text"]["recall_box"]
        == found["text"]["recall_click"]
        == pytest.approx(1 / 3, abs=1e-3)
    )
    assert found["text"]["names_read"] == 1.0
    assert (found["text"]["aims"], found["text"]["aims_reached"]) == (1, 0.0)
    assert (found["boxes"]["precision_click"], found["boxes"]["precision_box"]) == (1.0, 0.0)
    assert found["boxes"]["aims_reached"] == 1.0
    assert found["all"]["detections"] == 3
    assert found["all"]["roles"]["button"]["recall_click"] == 1.0
    assert found["all"]["roles"]["panel"] == {
        "elements": 1, "recall_click": 0.0, "recall_box": 0.0, "names_read": None,
    }  # fmt: skip


def test_one_box_is_the_partner_of_one_element(
    screen: StoredScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Finds(
        Detection((10, 10, 40, 18), "label", "Apply", 0.9),
        Detection((10, 22, 40, 8), "label", "Other", 0.8),
    )
    figures = measured(screen, monkeypatch, text=both)["text"]
    assert figures["precision_box"] == 0.5
    assert figures["roles"]["button"]["names_read"] == 1.0


def test_a_run_without_screens_and_an_unknown_detector_are_refused(
    tmp_path: Path, screen: StoredScreen
) -> None:
    with pytest.raises(StoreError, match="expected episodes"):
        stored_screens(tmp_path, 10)
    with pytest.raises(ConfigError, match="boxs"):
        measure_elements([screen], ["boxs"])

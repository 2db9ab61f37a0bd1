"""The environment with elements from pixels."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from numpy.typing import NDArray

from pptarena.envs.actions import click
from pptarena.envs.pixels import Detection
from pptarena.envs.pixels.pixel_tree import PixelTree
from pptarena.errors import ConfigError
from pptarena.rollouts.env_options import read_env_options, recorded_options

WriteTask = Callable[..., Path]
FAKE: dict[str, Any] = {"machine": "fake", "width_px": 640, "height_px": 360}


class CornerDetector:
    """Detects an element in two corners, and counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def detect(self, screenshot: NDArray[np.uint8]) -> list[Detection]:
        self.calls += 1
        height, width = screenshot.shape[:2]
        low = Detection((width - 20, height - 20, 20, 20), "icon", "corner", 0.75)
        return [low, Detection((0, 0, 20, 16), "button", "menu")]


def make_env(task: Path, **settings: Any) -> gym.Env[Any, Any]:
    return gym.make("PPTArena-v0", task=task, **{**FAKE, **settings})


def test_pixels_replace_the_tree(write_task: WriteTask) -> None:
    env = make_env(write_task("a-task"), elements="pixels", detectors=[CornerDetector()])
    observation, info = env.reset(seed=0)
    assert observation in env.observation_space
    assert observation["element_count"] == 2
    screen, menu, corner = info["a11y"]["nodes"]
    assert (screen["role"], screen["element"], screen["box"]) == ("frame", 0, [0, 0, 640, 360])
    assert (menu["role"], menu["name"], menu["element"], menu["parent"]) == ("button", "menu", 1, 0)
    assert (corner["element"], corner["description"]) == (2, "confidence 0.75")
    np.testing.assert_allclose(observation["elements"][1, :4], [620 / 640, 340 / 360, 1, 1])
    info = env.step(click(element=2))[-1]
    assert (info["command"]["x_px"], info["command"]["y_px"]) == (630, 350)
    assert info["command"]["target"]["name"] == "corner"
    env.close()


def test_both_adds_detections_to_the_tree(write_task: WriteTask) -> None:
    tree = make_env(write_task("a-task"))
    _, tree_info = tree.reset(seed=0)
    both = make_env(write_task("b-task"), elements="both", detectors=[CornerDetector()])
    _, info = both.reset(seed=0)
    nodes = info["a11y"]["nodes"]
    count = len(tree_info["a11y"]["nodes"])
    assert [each["role"] for each in nodes[:count]] == [
        each["role"] for each in tree_info["a11y"]["nodes"]
    ]
    assert {each["name"] for each in nodes[count:]} <= {"menu", "corner"}
    assert "corner" in {each["name"] for each in nodes}
    last = max(each["element"] for each in nodes[:count])
    added = [each["element"] for each in nodes[count:]]
    assert added == list(range(last + 1, last + 1 + len(added)))
    tree.close()
    both.close()


def test_unchanged_screen_is_not_searched_again() -> None:
    detector, screen = CornerDetector(), np.zeros((90, 160, 3), np.uint8)
    pixels = PixelTree("pixels", [detector])
    first = pixels.detect(screen)
    assert pixels.detect(screen.copy()) == first
    assert detector.calls == 1
    screen[40, 40] = 255
    pixels.detect(screen)
    pixels.detect(screen.reshape(160, 90, 3))
    assert detector.calls == 3


def test_scene_targets_use_the_accessibility_tree(write_task: WriteTask) -> None:
    scene = [{"kind": "click", "target": {"role": "panel", "name": "Orchard"}}]
    task = write_task("a-task", scene=scene)
    env = make_env(task, elements="pixels", detectors=[CornerDetector()])
    assert env.reset(seed=0)[1]["document"]["slide"] == 2
    with env.unwrapped.checkpoint() as checkpoint:  # type: ignore[attr-defined]
        (twin,) = env.unwrapped.fork(1, checkpoint)  # type: ignore[attr-defined]
        assert twin.last()[0]["element_count"] == 2
        twin.close()
    env.close()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elements": "ocr"}, "elements"),
        ({"detectors": "text"}, "expected detectors to be a list"),
        ({"detectors": []}, "expected detectors to be a list"),
        ({"elements": "pixels", "detectors": ["tex"]}, "tex"),
    ],
)
def test_invalid_settings_are_rejected(
    write_task: WriteTask, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make_env(write_task("a-task"), **settings)


def test_source_of_elements_is_recorded(write_task: WriteTask) -> None:
    options = read_env_options(['detectors=["boxes"]', "elements=pixels"], "fake")
    assert options == {"detectors": ["boxes"], "elements": "pixels"}
    env = make_env(write_task("a-task"), **options)
    assert recorded_options(env)["elements"] == "pixels"
    env.close()
    with pytest.raises(ConfigError, match="elements"):
        read_env_options(["elements=pixels"], on_document=True)

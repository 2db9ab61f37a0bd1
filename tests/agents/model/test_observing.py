"""What models are shown."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model import Observer, screen_text
from pptarena.errors import ConfigError
from pptarena.models.messages import data_url


def _node(number: int, role: str, name: str, parent: int = -1, *states: str) -> dict[str, Any]:
    return {
        "index": number, "parent": parent, "role": role, "name": name, "text": "",
        "description": "", "box": [10 * number, 20, 30, 15], "states": list(states),
        "element": number,
    }  # fmt: skip


NODES = [
    _node(1, "push button", "Bold"),
    _node(2, "push button", ""),
    {**_node(3, "document presentation", "Slide"), "element": 0},
    _node(4, "panel", "Title 1", 3),
    {**_node(5, "dialog", "Character"), "element": 0},
    _node(6, "push button", "OK", 5),
    _node(7, "entry", "Width", -1, "editable"),
]


@pytest.fixture
def info() -> dict[str, Any]:
    return {
        "a11y": {"nodes": NODES},
        "window_titles": ["deck.pptx"],
        "document": {"slide": 2, "slide_count": 5},
        "command": {"x_px": 64, "y_px": 36},
    }


@pytest.fixture
def observation() -> dict[str, Any]:
    screenshot = np.full((720, 1280, 3), 255, np.uint8)
    elements = np.zeros((256, 12), np.float32)
    elements[0, :4] = (0.1, 0.1, 0.3, 0.2)
    elements[1, :4] = (0.5, 0.5, 0.6, 0.7)
    return {"screenshot": screenshot, "elements": elements, "element_count": 2}


def same(size: tuple[int, int]) -> tuple[int, int]:
    return size


def test_the_most_useful_elements_come_first(info: Mapping[str, Any]) -> None:
    assert screen_text(info).splitlines() == [
        "window: deck.pptx, slide 2 of 5",
        "[7] entry 'Width' (editable) at 70,20 30x15",
        "[6] push button 'OK' at 60,20 30x15",
        "[4] panel 'Title 1' at 40,20 30x15",
        "[1] push button 'Bold' at 10,20 30x15",
        "[2] push button '' at 20,20 30x15",
    ]


def test_the_text_is_bounded(info: Mapping[str, Any]) -> None:
    lines = screen_text(info, max_tokens=25).splitlines()
    assert lines[1:] == [
        "[7] entry 'Width' (editable) at 70,20 30x15",
        "[6] push button 'OK' at 60,20 30x15",
        "... and 3 more elements",
    ]


def test_a_picture_has_the_size_of_the_models_rule(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    observer = Observer("screenshot", get_dialect("qwen2.5-vl").picture_size)
    sight = observer.see(observation, info)
    assert sight.picture is not None
    assert sight.picture.size == sight.screen.shown == (1288, 728)
    assert sight.picture.png.startswith(b"\x89PNG")
    assert data_url(sight.picture.png).startswith("data:image/png;base64,iVBOR")
    assert sight.screen.pointer == pytest.approx((64.5 / 1280, 36.5 / 720))
    assert sight.screen.centres[0] == pytest.approx((0.2, 0.15))
    assert sight.screen.centres[1] == pytest.approx((0.55, 0.6))
    assert sight.text == "window: deck.pptx, slide 2 of 5"


def test_a_picture_that_comes_again_is_not_encoded_again(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    observer = Observer("marks", same)
    first = observer.see(observation, info).picture
    again = {**observation, "screenshot": observation["screenshot"].copy()}
    assert observer.see(again, info).picture is first
    again["screenshot"][0, 0] = 0
    assert observer.see(again, info).picture is not first
    moved = {**observation, "element_count": 1}
    assert observer.see(moved, info).picture is not first


def test_marks_are_drawn_on_the_picture_that_is_sent(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    import io

    sight = Observer("both", same).see(observation, info)
    assert sight.picture is not None
    pixels = np.asarray(Image.open(io.BytesIO(sight.picture.png)))
    frame = pixels[72, 128:384]  # the upper edge of the first element
    assert (frame != 255).any(axis=1).all()
    assert "[7] entry" in sight.text


def test_text_alone_has_no_picture(info: Mapping[str, Any], observation: dict[str, Any]) -> None:
    sight = Observer("text", same).see(observation, info)
    assert sight.picture is None
    assert len(sight.screen.centres) == 2


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected a view"):
        Observer("ears", same)

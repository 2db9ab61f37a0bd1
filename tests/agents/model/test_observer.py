"""What models are shown."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.each_case import each_case

from pptarena.agents.dialects import get_dialect
from pptarena.agents.model import PRESETS, SOURCES, Observer, ScreenView, read_sources
from pptarena.errors import ConfigError
from pptarena.models.messages import data_url

Info = Mapping[str, Any]


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


def test_most_useful_elements_come_first(info: Info, observation: dict[str, Any]) -> None:
    view = Observer("text", same).observe(observation, info)
    assert view.text.splitlines() == [
        "window: deck.pptx, slide 2 of 5",
        "[7] entry 'Width' (editable) at 70,20 30x15",
        "[6] push button 'OK' at 60,20 30x15",
        "[4] panel 'Title 1' at 40,20 30x15",
        "[1] push button 'Bold' at 10,20 30x15",
        "[2] push button '' at 20,20 30x15",
    ]
    assert view.pictures == ()
    assert len(view.screen.centers) == 2


def test_text_is_limited(info: Info, observation: dict[str, Any]) -> None:
    lines = Observer("elements", same, text_tokens=25).observe(observation, info).text.splitlines()
    assert lines == [
        "[7] entry 'Width' (editable) at 70,20 30x15",
        "[6] push button 'OK' at 60,20 30x15",
        "... and 3 more elements",
    ]
    (head, first, *_, last) = (
        Observer("tree", same, 40).observe(observation, info).text.splitlines()
    )
    assert head == "role | name | text | description | states | position | size"
    assert first == "push button | Bold |  |  |  | 10,20 | 30x15"
    assert last == "... and 4 more rows"


def test_boxes_are_in_pixels_of_the_sent_picture(info: Info, observation: dict[str, Any]) -> None:
    def half(size: tuple[int, int]) -> tuple[int, int]:
        return size[0] // 2, size[1] // 2

    text = Observer("elements,elements-normalized,tree", half).observe(observation, info).text
    assert "[7] entry 'Width' (editable) at 35,10 15x8 (0.055, 0.028, 0.078, 0.049)" in text
    assert "entry | Width |  |  | editable | 35,10 | 15x8" in text


def test_every_text_source(info: dict[str, Any], observation: dict[str, Any]) -> None:
    info |= {"steps_left": 4, "clipboard": "two\n[8] push button 'No'", "window_titles": ["a", "b"]}
    text = Observer("budget,window,slide,windows,clipboard", same).observe(observation, info).text
    assert text.splitlines() == [
        "steps left: 4",
        "window: a, slide 2 of 5",
        'all windows: ["a", "b"]',
        "clipboard: \"two\\n[8] push button 'No'\"",
    ]
    info["clipboard"] = "x" * 1_100
    assert (
        Observer("clipboard", same)
        .observe(observation, info)
        .text.endswith('x" and 100 more characters')
    )


def test_pictures_have_captions_unless_only_the_screen_is_sent(
    info: Info, observation: dict[str, Any]
) -> None:
    names = "previous,previous-marks,screenshot,marks"
    observer = Observer(names, same)
    first = observer.observe(observation, info).pictures
    assert [picture.caption for picture in first] == [
        "The screen:",
        "The screen with numbered elements:",
    ]
    second = observer.observe({**observation, "screenshot": observation["screenshot"] // 2}, info)
    assert [picture.caption for picture in second.pictures][:2] == [
        "The previous screen:",
        "The previous screen with numbered elements:",
    ]
    assert [picture.png for picture in second.pictures[:2]] == [picture.png for picture in first]
    (single,) = Observer("marks", same).observe(observation, info).pictures
    assert single.caption == ""


def test_copied_picture_is_shown_until_the_next_copy(
    info: dict[str, Any], observation: dict[str, Any]
) -> None:
    observation["screenshot"][10:30, 20:60] = (200, 30, 30)
    observer = Observer("clipboard-picture,clipboard", same)
    quiet = {**info, "clipboard": "", "action_error": None, "command": {}}
    copied = {"kind": "copy_image", "box_px": [20, 10, 40, 20], "text": "a red box"}

    def after(command: dict[str, Any], **changes: Any) -> ScreenView:
        step = {**quiet, "command": command, **changes}
        observer.record_step(observation, step)
        return observer.observe(observation, step)

    assert after({}).text == "clipboard: no text"
    view = after(copied)
    assert view.text == 'clipboard: a picture, "a red box"'
    (picture,) = view.pictures
    assert picture.caption == "The picture on the clipboard:"
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)))
    assert pixels.shape == (20, 40, 3)
    assert (pixels == (200, 30, 30)).all()
    assert after({"kind": "wait", "amount": 1}).pictures  # the picture stays
    assert not after({"kind": "key", "keys": ["Control_L", "c"]}).pictures
    after({**copied, "text": ""})
    assert after({}).text == "clipboard: a picture, not described"
    assert after({}, clipboard="words").text == 'clipboard: "words"'
    assert after(copied, action_error="too small").text == "clipboard: no text"


def test_last_actions_are_the_executed_actions(
    info: dict[str, Any], observation: dict[str, Any]
) -> None:
    observer = Observer("actions", same)
    quiet = {**info, "clipboard": "", "action_error": None, "command": {}}
    observer.record_step(observation, quiet)
    assert observer.observe(observation, quiet).text == "last actions:\n- none"
    target = {"role": "push button", "name": "Bold", "box": [1, 2, 3, 4]}
    click = {"kind": "click", "x_px": 5, "y_px": 6, "keys": ["Control_L"], "target": target}
    observer.record_step(observation, {**quiet, "command": click})
    observer.record_step(observation, {**quiet, "action_error": "no element 99"})
    assert observer.observe(observation, quiet).text.splitlines()[1:] == [
        '- {"kind": "click", "x_px": 5, "y_px": 6, "keys": "Control_L", '
        '"target": "push button \'Bold\'"}',
        "- refused: no element 99",
    ]
    for number in range(20):
        observer.record_step(observation, {**quiet, "command": {"kind": "wait", "amount": number}})
    assert observer.observe(observation, quiet).text.count("- ") == 10


def test_small_models_receive_few_actions_and_the_task_last(
    info: dict[str, Any], observation: dict[str, Any]
) -> None:
    observer = Observer("task,actions-short,slide", same)
    quiet = {**info, "clipboard": "", "action_error": None, "instruction": "Make it bold"}
    assert "last actions: none\ntask: Make it bold" in observer.observe(observation, quiet).text
    target = {"role": "push button", "name": "Bold", "box": [1, 2, 3, 4]}
    for command in (
        {"kind": "wait", "amount": 1},
        {"kind": "click", "x_px": 5, "y_px": 6, "target": target},
        {"kind": "key", "keys": ["Control_L", "a"]},
    ):
        observer.record_step(observation, {**quiet, "command": command})
    observer.record_step(observation, {**quiet, "command": {"kind": "type", "text": 'a "b"'}})
    assert observer.observe(observation, quiet).text.splitlines()[-2:] == [
        'last actions: click push button \'Bold\', key Control_L+a, type "a \\"b\\""',
        "task: Make it bold",
    ]
    observer.record_step(observation, {**quiet, "action_error": "no element 99"})
    assert observer.observe(observation, quiet).sections["actions-short"].endswith(", refused")


def test_picture_size_follows_the_dialect(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    dialect = get_dialect("qwen2.5-vl")
    view = Observer(dialect.see, dialect.picture_size).observe(observation, info)
    (picture,) = view.pictures
    assert picture.size == view.screen.image_size == (1288, 728)
    assert picture.png.startswith(b"\x89PNG")
    assert data_url(picture.png).startswith("data:image/png;base64,iVBOR")
    assert view.screen.pointer == pytest.approx((64.5 / 1280, 36.5 / 720))
    assert view.screen.centers[0] == pytest.approx((0.2, 0.15))
    assert view.screen.centers[1] == pytest.approx((0.55, 0.6))
    assert view.text == "window: deck.pptx, slide 2 of 5"


def test_repeated_picture_is_encoded_once(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    observer = Observer("marks", same)
    (first,) = observer.observe(observation, info).pictures
    repeated = {**observation, "screenshot": observation["screenshot"].copy()}
    assert observer.observe(repeated, info).pictures[0].png is first.png
    repeated["screenshot"][0, 0] = 0
    assert observer.observe(repeated, info).pictures[0].png is not first.png
    moved = {**observation, "element_count": 1}
    assert observer.observe(moved, info).pictures[0].png is not first.png


def test_marks_are_drawn_on_the_sent_picture(
    info: Mapping[str, Any], observation: dict[str, Any]
) -> None:
    view = Observer("both", same).observe(observation, info)
    (picture,) = view.pictures
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)))
    frame = pixels[72, 128:384]  # the upper edge of the first element
    assert (frame != 255).any(axis=1).all()
    assert "[7] entry" in view.text


@pytest.mark.parametrize(
    ("see", "message"),
    [
        ("screnshot", "source 'screnshot' not found. Did you mean 'screenshot'"),
        ("marks,waa-som-ua", "Did you mean 'waa-som"),
        (" , ", "expected at least one of clipboard-picture"),
    ],
)
def test_unknown_source_is_refused(see: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Observer(see, same)


def test_guide_lists_every_source_and_preset() -> None:
    page = (Path(__file__).parents[3] / "docs/guides/models.md").read_text("utf-8")
    assert "\n".join(f"| `{name}` | {text} |" for name, text in SOURCES.items()) in page
    for name, sources in PRESETS.items():
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.endswith(f"| `{sources}` |")


@each_case("preset", PRESETS)
def test_presets_consist_of_sources(preset: str) -> None:
    assert set(read_sources(preset)) == set(PRESETS[preset].split(","))
    assert read_sources(f"{preset},budget,{preset}") == tuple(
        source for source in SOURCES if source in {*read_sources(preset), "budget"}
    )

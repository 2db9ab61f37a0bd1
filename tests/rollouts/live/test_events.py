"""Conversion of page events to actions."""

from typing import Any

import pytest

from pptarena.envs import actions
from pptarena.errors import ActionError
from pptarena.rollouts.live.events import action_of_event

NODES: list[dict[str, Any]] = [
    {"element": 0, "role": "frame", "box": [0, 0, 100, 100]},
    {"element": 1, "role": "button", "box": [10, 10, 20, 10]},
    {"element": 2, "role": "paragraph", "box": [50, 50, 40, 10]},
    {"element": 3, "role": "tool bar", "box": [0, 0, 100, 30]},
    {"element": 4, "role": "button", "box": [60, 10, 30, 10]},
    {"element": 5, "role": "label", "box": [70, 12, 10, 6]},  # covers the center of 4
]


def action(**event: Any) -> actions.Action:
    return action_of_event(event, NODES, (100, 100))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"kind": "click", "xy": [0.12, 0.12], "count": 1}, actions.click(element=1)),
        ({"kind": "click", "xy": [0.12, 0.12], "count": 2}, actions.double_click(element=1)),
        ({"kind": "click", "xy": [0.12, 0.12], "button": 2}, actions.right_click(element=1)),
        ({"kind": "click", "xy": [0.12, 0.12], "keys": "ctrl"}, actions.click(1, keys="ctrl")),
        # Text is clicked at a point, and so is a button whose center another element covers.
        ({"kind": "click", "xy": [0.6, 0.55], "count": 3}, actions.triple_click(xy=(0.6, 0.55))),
        ({"kind": "click", "xy": [0.61, 0.11], "count": 1}, actions.click(xy=(0.61, 0.11))),
        ({"kind": "click", "xy": [0.5, 0.9], "button": 1}, actions.middle_click(xy=(0.5, 0.9))),
        ({"kind": "move", "xy": [0, 1]}, actions.move(xy=(0, 1))),
        (
            {"kind": "drag", "xy": [0.1, 0.2], "end_xy": [0.3, 0.4], "keys": "shift"},
            actions.drag(xy=(0.1, 0.2), end_xy=(0.3, 0.4), keys="shift"),
        ),
        ({"kind": "scroll", "xy": [0.5, 0.5], "amount": -3}, actions.scroll(-3, xy=(0.5, 0.5))),
        ({"kind": "key", "keys": "ctrl+shift+ArrowLeft"}, actions.key("ctrl+shift+ArrowLeft")),
        ({"kind": "type", "text": "Größe"}, actions.type_text("Größe")),
        ({"kind": "wait"}, actions.wait()),
        ({"kind": "done"}, actions.done()),
        ({"kind": "fail"}, actions.fail()),
    ],
)
def test_event_is_converted_to_an_action(event: dict[str, Any], expected: actions.Action) -> None:
    assert action(**event) == expected


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"kind": "reboot"},
        {"kind": ["click"]},
        {"kind": "click"},
        {"kind": "click", "xy": "no"},
        {"kind": "click", "xy": [0.5, 1.5]},
        {"kind": "click", "xy": [0.5, float("nan")]},
        {"kind": "click", "xy": [0.5, 0.5], "count": 4},
        {"kind": "click", "xy": [0.5, 0.5], "count": True},
        {"kind": "click", "xy": [0.5, 0.5], "button": 3},
        {"kind": "drag", "xy": [0.5, 0.5]},
        {"kind": "scroll", "xy": [0.5, 0.5], "amount": 51},
        {"kind": "type", "text": "x" * 4001},
        {"kind": "type", "text": 5},
        {"kind": "key", "keys": ["ctrl"]},
    ],
)
def test_malformed_event_is_rejected(event: dict[str, Any]) -> None:
    with pytest.raises(ActionError):
        action(**event)

import json

import pytest
from tests.each_case import each_case

from pptarena.envs import actions
from pptarena.envs.actions import KIND_NUMBERS, KINDS, POINTER_KINDS, Action
from pptarena.errors import ActionError
from pptarena.vm_images.guest.protocol import OPS

# Stored episodes and trained policies contain these numbers: add lines, never change one.
NUMBERS = {
    "move": 0,
    "click": 1,
    "double_click": 2,
    "triple_click": 3,
    "right_click": 4,
    "middle_click": 5,
    "mouse_down": 6,
    "mouse_up": 7,
    "drag": 8,
    "scroll": 9,
    "key": 10,
    "type": 11,
    "copy_text": 12,
    "copy_image": 13,
    "paste": 14,
    "open_program": 15,
    "switch_window": 16,
    "wait": 17,
    "done": 18,
    "fail": 19,
    "ask": 20,
}


def test_kinds_have_stable_numbers_and_guest_operations() -> None:
    assert dict(KIND_NUMBERS) == NUMBERS
    assert [KIND_NUMBERS[kind] for kind in KINDS] == list(range(len(KINDS)))
    assert set(POINTER_KINDS) <= set(KINDS)
    assert set(OPS) == {*KINDS, "observe"} - {"done", "fail", "ask"}


def test_every_kind_has_a_documented_constructor() -> None:
    for kind in KINDS:
        constructor = getattr(actions, kind)
        assert constructor.__doc__
        assert kind in actions.__all__


@each_case(
    "action, expected",
    [
        (actions.click(element=7), Action("click", element=7)),
        (actions.click(xy=(0.5, 0.25), keys="ctrl"), Action("click", xy=(0.5, 0.25), keys="ctrl")),
        (actions.drag(3, end_xy=(1.0, 0.0)), Action("drag", element=3, end_xy=(1.0, 0.0))),
        (actions.scroll(-2, xy=(0.5, 0.5)), Action("scroll", xy=(0.5, 0.5), amount=-2)),
        (actions.key("Down", repeat=3), Action("key", keys="Down", amount=3)),
        (actions.type_text("é漢"), Action("type", text="é漢")),
        (actions.type("é漢"), Action("type", text="é漢")),
        (actions.wait(2), Action("wait", amount=2)),
        (actions.open_program("impress"), Action("open_program", text="impress")),
        (actions.done(), Action("done")),
    ],
)
def test_constructors(action: Action, expected: Action) -> None:
    assert action == expected


def test_points_are_rounded_to_float32() -> None:
    assert actions.click(xy=(0.1, 0.7)).xy == (0.10000000149011612, 0.699999988079071)


def test_json_omits_defaults() -> None:
    action = Action("drag", element=2, end_xy=(0.5, 1.0), keys="shift", observation_id=9)
    value = json.loads(json.dumps(action.to_json()))
    assert value == {
        "kind": "drag",
        "element": 2,
        "end_xy": [0.5, 1.0],
        "keys": "shift",
        "observation_id": 9,
    }
    again = Action.from_json(value)
    assert again == action
    assert again.observation_id == 9


@each_case(
    "value, message",
    [
        ({"kind": "tap"}, "expected kind to be one of move, click"),
        ({}, "missing key `kind` in the action"),
        ({"kind": "click", "button": 1}, "unknown action fields: button"),
        ({"kind": "click", "element": 1.5}, "expected element to be an int"),
        ({"kind": "click", "element": True}, "expected element to be an int"),
        ({"kind": "click", "xy": [1]}, "expected xy to be two numbers"),
        ({"kind": "click", "xy": "ab"}, "expected xy to be two numbers"),
        ({"kind": "click", "xy": [1e300, 0]}, "expected xy to be two numbers"),
        ({"kind": "type", "text": None}, "expected text to be a str"),
        ({"kind": "key", "keys": ["ctrl", "b"]}, "expected keys to be a str"),
    ],
)
def test_malformed_actions_are_rejected(value: dict[str, object], message: str) -> None:
    with pytest.raises(ActionError, match=message):
        Action.from_json(value)


def test_repr_omits_defaults() -> None:
    assert repr(actions.key("ctrl+b")) == "Action(kind='key', keys='ctrl+b')"

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each_case import each_case

from pptarena.envs.actions import KINDS, Action, action_space, click, from_space, to_space
from pptarena.envs.charset import KEY_CHARSET, charset
from pptarena.errors import ActionError

SPACE = action_space()
unit = st.floats(0.0, 1.0, width=32)
points = st.tuples(unit, unit)
characters = st.characters(codec="utf-8").filter(charset().__contains__)
actions = st.builds(
    Action,
    kind=st.sampled_from(KINDS),
    element=st.integers(0, 256),
    xy=points,
    end_xy=points,
    keys=st.text(st.sampled_from(sorted(KEY_CHARSET)), max_size=64),
    text=st.text(characters, max_size=512),
    amount=st.integers(-20, 20),
)


@pytest.mark.slow
@given(actions)
def test_action_round_trip(action: Action) -> None:
    value = to_space(action)
    assert SPACE.contains(value)
    assert from_space(value) == action


@settings(max_examples=50)
@given(st.integers(0, 2**31))
def test_sample_round_trip(seed: int) -> None:
    SPACE.seed(seed)
    sample: dict[str, Any] = SPACE.sample()
    round_trip = to_space(from_space(sample))
    assert list(round_trip) == ["kind", "element", "xy", "end_xy", "keys", "text", "amount"]
    assert set(round_trip) == set(sample)
    for name, value in round_trip.items():
        np.testing.assert_array_equal(value, sample[name])
        assert np.asarray(value).dtype == np.asarray(sample[name]).dtype


def test_equal_spaces_sample_independently() -> None:
    first, second = action_space(), action_space()
    assert first == second
    first.seed(3)
    expected = first.sample()["text"]
    first.seed(3)
    second.seed(4)
    second.sample()
    assert first.sample()["text"] == expected


@each_case(
    "action, message",
    [
        (Action("click"), "expected a target for click"),
        (Action("click", element=257), "element from 0 to 256, got 257"),
        (Action("click", element=-1), "element from 0 to 256, got -1"),
        (Action("click", xy=(1.5, 0.0)), r"xy to lie in \[0, 1\]"),
        (Action("click", xy=(0.0, -0.1)), r"xy to lie in \[0, 1\]"),
        (Action("click", xy=(float("nan"), 0.0)), r"xy to lie in \[0, 1\]"),
        (Action("drag", element=1, end_xy=(float("inf"), 0.0)), r"end_xy to lie in \[0, 1\]"),
        (Action("scroll", element=1, amount=21), "amount from -20 to 20, got 21"),
        (Action("type", text="a" * 513), "text of at most 512 characters, got 513"),
        (Action("type", text="a\x00b"), r"text cannot be typed: U\+0000, character 2"),
        (Action("type", text="a\ud842b"), r"text cannot be typed: U\+D842, character 2"),
        (Action("key", keys="x" * 65), "keys of at most 64"),
        (Action("key", keys="\u00e9"), "which no key name contains"),
    ],
)
def test_inexpressible_actions_are_rejected(action: Action, message: str) -> None:
    with pytest.raises(ActionError, match=message):
        to_space(action)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": 21}, "kind to be from 0 to 20"),
        ({"kind": -1}, "kind to be from 0 to 20"),
        ({"kind": "click"}, "kind to be an integer"),
        ({"element": 1.0}, "element to be an integer"),
        ({"xy": [0.5]}, "xy to be two numbers"),
        ({"xy": None}, "xy to be two numbers"),
        ({"text": b"a"}, "text to be a str"),
        ({"amount": None}, "amount to be an integer"),
        ({"speed": 1}, "expected an Action or a dict with kind, element"),
    ],
)
def test_malformed_space_values_are_rejected(change: dict[str, object], message: str) -> None:
    with pytest.raises(ActionError, match=message):
        from_space({**to_space(click(element=1)), **change})


@pytest.mark.parametrize("value", [None, 3, "click", {"kind": 1}])
def test_other_types_are_rejected(value: Any) -> None:
    with pytest.raises(ActionError, match="expected an Action or a dict"):
        from_space(value)


def test_click_without_an_element_uses_its_point() -> None:
    corner = to_space(click(element=1)) | {"element": 0}
    assert from_space(corner) == click(xy=(0.0, 0.0))
    assert to_space(from_space(corner))["element"] == 0


def test_unused_origin_equals_no_point() -> None:
    assert Action("key", keys="a", xy=(0.0, 0.0), end_xy=(0.0, 0.0)) == Action("key", keys="a")
    assert Action("click", element=1, xy=(0.0, 0.0)) == click(element=1)
    assert Action("click", xy=(0.0, 0.0)) != Action("click")


def test_numpy_scalars_are_accepted() -> None:
    value = to_space(click(element=3)) | {"kind": np.array(1), "amount": np.int8(2)}
    assert from_space(value) == Action("click", element=3, amount=2)

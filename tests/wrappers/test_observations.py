"""Wrappers of the observation: each changes one part and its space."""

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FrameStackObservation

from pptarena.envs.actions import key, to_space
from pptarena.errors import ConfigError
from pptarena.wrappers import (
    DropParts,
    ElementNames,
    ElementRows,
    InstructionVector,
    MarkedScreenshot,
    SmallScreenshot,
)
from pptarena.wrappers.hashed_words import hashed_words

pytestmark = pytest.mark.slow

Wrap = Callable[[gym.Env[Any, Any]], gym.Env[Any, Any]]

WRAPS: dict[str, Wrap] = {
    "instruction": lambda env: InstructionVector(env, 16),
    "names": lambda env: ElementNames(env, 8),
    "rows": lambda env: ElementRows(env, 5),
    "screenshot": lambda env: SmallScreenshot(env, 32, 18),
    "dropped": lambda env: DropParts(env, ["screenshot"]),
}


@pytest.mark.parametrize("name", WRAPS)
def test_wrapper_changes_one_part_and_fits_its_space(name: str, make: Any) -> None:
    plain, wrapped = make(), WRAPS[name](make())
    before, info = plain.reset(seed=3)
    after, same = wrapped.reset(seed=3)
    assert wrapped.observation_space.contains(after)
    assert info["task_id"] == same["task_id"]
    changed = {
        part for part in before if part not in after or not _equal(before[part], after[part])
    }
    assert (
        changed
        == {
            "instruction": {"instruction"},
            "names": {"elements"},
            "rows": {"elements", "element_count"},
            "screenshot": {"screenshot"},
            "dropped": {"screenshot"},
        }[name]
    )
    stepped = wrapped.step(to_space(key("Escape")))[0]
    assert wrapped.observation_space.contains(stepped)


def _equal(first: Any, second: Any) -> bool:
    return np.shape(first) == np.shape(second) and bool(np.all(np.asarray(first == second)))


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version:UserWarning")
@pytest.mark.parametrize("name", WRAPS)
def test_gymnasium_env_checker_passes(name: str, make: Any) -> None:
    wrapped = WRAPS[name](make())
    check_env(wrapped, skip_render_check=True)
    assert wrapped.spec is None or wrapped.spec.to_json()


def test_hashed_words_depend_on_the_words_alone() -> None:
    first = hashed_words("Make the title bold", 32)
    assert first.dtype == np.float32
    assert np.linalg.norm(first) == pytest.approx(1)
    assert (hashed_words("make the TITLE bold", 32) == first).all()
    assert (hashed_words("Delete slide 3", 32) != first).any()
    assert not hashed_words("", 32).any()
    counts = np.sort(np.abs(hashed_words("bold bold italic", 32)))[-2:]
    assert counts == pytest.approx(np.array([1, 2]) / 5**0.5), "a word counts as often as it occurs"
    first[:] = 7
    assert hashed_words("Make the title bold", 32).max() <= 1, "the cached vector was changed"


def test_small_screenshot_averages_the_pixels(make: Any) -> None:
    plain, small = make(), SmallScreenshot(make(), 160, 90)
    pixels = plain.reset(seed=0)[0]["screenshot"].astype(float)
    shrunk = small.reset(seed=0)[0]["screenshot"]
    expected = pixels.reshape(90, 4, 160, 4, 3).mean((1, 3))
    assert np.abs(shrunk - expected).max() <= 1


def test_element_rows_contain_the_hashed_name(make: Any) -> None:
    observation, info = ElementNames(make(), 16).reset(seed=0)
    named = [node for node in info["a11y"]["nodes"] if node["element"] and node["name"]]
    for node in named:
        row = observation["elements"][node["element"] - 1, -16:]
        assert (row == hashed_words(f"{node['name']} {node['text']}", 16)).all()
    count = observation["element_count"]
    assert not observation["elements"][count:].any()


def test_element_count_is_limited_by_the_rows(make: Any) -> None:
    observation, _ = ElementRows(make(), 2).reset(seed=0)
    assert observation["elements"].shape[0] == observation["element_count"] == 2


@pytest.mark.parametrize(
    ("wrap", "message"),
    [
        (lambda env: InstructionVector(env, 0), "size"),
        (lambda env: SmallScreenshot(env, 0, 5), "width_px"),
        (lambda env: ElementRows(env, 10_000), "rows of the table"),
        (lambda env: DropParts(env, ["nothing"]), "'nothing'"),
        (lambda env: DropParts(env, "instruction"), r"a sequence such as \['instruction'\]"),
        (lambda env: MarkedScreenshot(env, 0), "font_px"),
        (lambda env: InstructionVector(InstructionVector(env)), "order of wrappers"),
        (lambda env: ElementRows(DropParts(env, ["element_count"])), "element_count"),
        (lambda env: MarkedScreenshot(DropParts(env, ["element_count"])), "element_count"),
        (lambda env: SmallScreenshot(FrameStackObservation(env, 2)), "stack observations last"),
        (lambda env: MarkedScreenshot(FrameStackObservation(env, 2)), "stack observations last"),
        (lambda env: ElementNames(FrameStackObservation(env, 2)), "stack observations last"),
        (lambda env: ElementNames(DropParts(env, ["elements"])), "elements"),
    ],
)
def test_invalid_wrappers_are_rejected(wrap: Wrap, message: str, make: Any) -> None:
    with pytest.raises(ConfigError, match=message):
        wrap(make())


def test_observation_space_stays_a_dict(make: Any) -> None:
    space = DropParts(InstructionVector(make()), ["screenshot"]).observation_space
    assert isinstance(space, spaces.Dict)
    assert set(space.spaces) == {"elements", "element_count", "instruction"}

"""What elements have to do with the instruction."""

from typing import Any

import numpy as np
import pytest

from pptarena.envs.actions import click, key, to_space
from pptarena.errors import ConfigError
from pptarena.wrappers import DropParts, ElementRelations
from pptarena.wrappers.element_relations import RELATIONS
from pptarena.wrappers.hashed_words import hashed_words
from pptarena.wrappers.quoted_texts import quoted_texts, without_quoted

TASK = "meridian-retitle-products"


def _element(info: dict[str, Any], role: str, name: str) -> int:
    nodes = info["a11y"]["nodes"]
    return int(next(n["element"] for n in nodes if (n["role"], n["name"]) == (role, name)))


def _told(observation: dict[str, Any], element: int) -> set[str]:
    row = observation["relations"][element - 1]
    return {name for name, value in zip(RELATIONS, row, strict=True) if value}


def test_quoted_texts_are_found_in_their_order() -> None:
    words = 'Change the title "A b" to “C”, and the "" of "D"'
    assert quoted_texts(words, 9) == ("A b", "C", "D")
    assert quoted_texts(words, 1) == ("A b",)
    assert "A b" not in without_quoted(words)
    assert "Change" in without_quoted(words)


def test_slides_and_shapes_that_the_instruction_means_are_told(make: Any) -> None:
    env = ElementRelations(make(width_px=1280, height_px=720), size=32, quotes=2)
    observation, info = env.reset(options={"task": TASK})
    assert env.observation_space.contains(observation)
    names = [n["name"] for n in info["a11y"]["nodes"] if n["role"] == "panel"]
    shown, second = names[0], names[1]
    words = f'On the slide right after "{shown}", number 3, write "Z"'
    look = env._related(observation, {**info, "instruction": words})
    first = _told(look, _element(info, "panel", shown))
    assert {"slide", "quoted", "first"} <= first
    assert "number_said" not in first
    assert "follows_quoted" in _told(look, _element(info, "panel", second))
    third = _told(look, _element(info, "panel", names[2]))
    assert {"slide", "number_said"} <= third
    assert "follows_quoted" not in third
    assert look["quotes"][:, :2].tolist() == [[1, 1], [1, 0]]  # there; on the screen
    np.testing.assert_array_equal(look["quotes"][1, 2:], hashed_words("write", 16))
    np.testing.assert_array_equal(look["asked"], hashed_words(without_quoted(words), 32))


def test_what_is_shown_and_selected_is_told(make: Any) -> None:
    env = ElementRelations(make(width_px=1280, height_px=720))
    _, info = env.reset(options={"task": TASK})
    shown = RELATIONS.index("first")
    observation, *_, info = env.step(to_space(key("Page_Down")))
    assert observation["here"][shown] == 0
    assert observation["here"][: len(RELATIONS)].any()
    shapes = observation["here"][len(RELATIONS) : 2 * len(RELATIONS)]
    assert not shapes.any(), "nothing is selected yet"
    title = _element(info, "panel", "Title 1")
    assert {"shape", "top_1"} <= _told(observation, title)
    lines = [_told(observation, k + 1) for k in range(len(observation["relations"]))]
    assert any({"paragraph", "first_paragraph", "top_1"} <= told for told in lines)
    observation, *_, info = env.step(to_space(click(element=title)))
    chosen = observation["here"][len(RELATIONS) : 2 * len(RELATIONS)]
    np.testing.assert_array_equal(chosen, observation["relations"][title - 1])
    editing = 2 * len(RELATIONS)
    assert observation["here"][editing] == 0
    assert env.step(to_space(key("F2")))[0]["here"][editing] == 1


def test_it_needs_elements(make: Any) -> None:
    with pytest.raises(ConfigError, match="elements"):
        ElementRelations(DropParts(make(), ["elements"]))
    with pytest.raises(ConfigError, match="quotes"):
        ElementRelations(make(), quotes=0)

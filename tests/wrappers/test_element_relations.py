"""Relations between elements and the instruction."""

from typing import Any

import numpy as np
import pytest

from pptarena.envs.actions import click, key, to_space
from pptarena.errors import ConfigError
from pptarena.wrappers import DropParts, ElementRelations
from pptarena.wrappers.element_relations import RELATIONS
from pptarena.wrappers.hashed_words import hashed_words
from pptarena.wrappers.quoted_texts import quoted_texts, remove_quoted_texts

TASK = "meridian-retitle-products"


def _element(info: dict[str, Any], role: str, name: str) -> int:
    nodes = info["a11y"]["nodes"]
    return int(next(n["element"] for n in nodes if (n["role"], n["name"]) == (role, name)))


def _relations(observation: dict[str, Any], element: int) -> set[str]:
    row = observation["relations"][element - 1]
    return {name for name, value in zip(RELATIONS, row, strict=True) if value}


def test_quoted_texts_are_extracted_in_order() -> None:
    instruction = 'Change the title "A b" to “C”, and the "" of "D"'
    assert quoted_texts(instruction, 9) == ("A b", "C", "D")
    assert quoted_texts(instruction, 1) == ("A b",)
    assert "A b" not in remove_quoted_texts(instruction)
    assert "Change" in remove_quoted_texts(instruction)


def test_slides_in_the_instruction_are_marked(make: Any) -> None:
    env = ElementRelations(make(width_px=1280, height_px=720), size=32, quotes=2)
    observation, info = env.reset(options={"task": TASK})
    assert env.observation_space.contains(observation)
    names = [n["name"] for n in info["a11y"]["nodes"] if n["role"] == "panel"]
    current_name, next_name = names[0], names[1]
    instruction = f'On the slide right after "{current_name}", number 3, write "Z"'
    result = env._with_relations(observation, {**info, "instruction": instruction})
    first = _relations(result, _element(info, "panel", current_name))
    assert {"slide", "quoted", "first"} <= first
    assert "number_mentioned" not in first
    assert "follows_quoted" in _relations(result, _element(info, "panel", next_name))
    third = _relations(result, _element(info, "panel", names[2]))
    assert {"slide", "number_mentioned"} <= third
    assert "follows_quoted" not in third
    assert result["quotes"][:, :2].tolist() == [[1, 1], [1, 0]]  # there; on the screen
    np.testing.assert_array_equal(result["quotes"][1, 2:], hashed_words("write", 16))
    np.testing.assert_array_equal(
        result["asked"], hashed_words(remove_quoted_texts(instruction), 32)
    )


def test_current_slide_and_selection_are_observed(make: Any) -> None:
    env = ElementRelations(make(width_px=1280, height_px=720))
    _, info = env.reset(options={"task": TASK})
    first_slide = RELATIONS.index("first")
    observation, *_, info = env.step(to_space(key("Page_Down")))
    assert observation["here"][first_slide] == 0
    assert observation["here"][: len(RELATIONS)].any()
    shapes = observation["here"][len(RELATIONS) : 2 * len(RELATIONS)]
    assert not shapes.any(), "nothing is selected yet"
    title = _element(info, "panel", "Title 1")
    assert {"shape", "top_1"} <= _relations(observation, title)
    lines = [_relations(observation, k + 1) for k in range(len(observation["relations"]))]
    assert any({"paragraph", "first_paragraph", "top_1"} <= relations for relations in lines)
    observation, *_, info = env.step(to_space(click(element=title)))
    selected = observation["here"][len(RELATIONS) : 2 * len(RELATIONS)]
    np.testing.assert_array_equal(selected, observation["relations"][title - 1])
    editing = 2 * len(RELATIONS)
    assert observation["here"][editing] == 0
    assert env.step(to_space(key("F2")))[0]["here"][editing] == 1


def test_required_parts_and_invalid_sizes_are_rejected(make: Any) -> None:
    with pytest.raises(ConfigError, match="elements"):
        ElementRelations(DropParts(make(), ["elements"]))
    with pytest.raises(ConfigError, match="quotes"):
        ElementRelations(make(), quotes=0)

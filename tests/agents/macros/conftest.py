"""A screen made by hand, for macros that need no machine."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pptarena.agents.macros import Screen

Node = dict[str, Any]
Box = tuple[int, int, int, int]


@pytest.fixture
def node() -> Callable[..., Node]:
    """Make a node of the accessibility tree that shows."""

    def make(
        index: int, parent: int, role: str, name: str, *states: str, box: Box = (0, 0, 10, 10)
    ) -> Node:
        return {
            **{"index": index, "parent": parent, "role": role, "name": name, "text": ""},
            **{"box": list(box), "states": ["showing", *states], "element": index + 1},
        }

    return make


@pytest.fixture
def screen() -> Callable[..., Screen]:
    """Make a screen of nodes and of what is known of the document."""

    def make(nodes: list[Node], refused: str | None = None, **document: Any) -> Screen:
        known = {"slide": 1, "slide_count": 3, "editing": False, **document}
        info = {"a11y": {"nodes": nodes}, "document": known, "clipboard": "here"}
        observation = {"screenshot": np.zeros((720, 1280, 3), np.uint8)}
        return Screen(observation, {**info, "action_error": refused, "observation_id": 1})

    return make

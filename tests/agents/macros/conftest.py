"""Fixtures for screens of macros that need no machine."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pptarena.agents.macros import Screen

Node = dict[str, Any]
Box = tuple[int, int, int, int]


@pytest.fixture
def node() -> Callable[..., Node]:
    """Return a factory of visible nodes of the accessibility tree."""

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
    """Return a factory of screens with nodes and a document state."""

    def make(nodes: list[Node], refused: str | None = None, **document: Any) -> Screen:
        document_state = {"slide": 1, "slide_count": 3, "editing": False, **document}
        info = {"a11y": {"nodes": nodes}, "document": document_state, "clipboard": "here"}
        observation = {"screenshot": np.zeros((720, 1280, 3), np.uint8)}
        return Screen(observation, {**info, "action_error": refused, "observation_id": 1})

    return make

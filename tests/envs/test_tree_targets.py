from typing import Any

import pytest

from pptarena.envs.tree_targets import find_target, missing_target, target_text
from pptarena.errors import AgentError


def node(index: int, parent: int, role: str, name: str, element: int = 0) -> dict[str, Any]:
    states = ["showing"] if element else []
    return {
        **{"index": index, "parent": parent, "role": role, "name": name, "element": element},
        "states": states,
    }


NODES = [
    node(0, -1, "frame", "plan.pptx"),
    node(1, 0, "tool bar", "Formatting"),
    node(2, 1, "toggle button", "Bold", 1),
    node(3, 0, "dialog", "Character"),
    node(4, 3, "panel", "Style"),
    node(5, 4, "toggle button", "Bold", 2),
    node(6, 4, "list item", "Bold  Italic", 3),
    node(7, 0, "toggle button", "Italic"),  # not showing
]


@pytest.mark.parametrize(
    ("target", "index"),
    [
        ({"role": "toggle button", "name": "Bold"}, 2),
        ({"role": "toggle button", "name": "Bold", "nth": 1}, 5),
        ({"name": "bold italic"}, 6),
        ({"role": "list item"}, 6),
        ({"name": "Bold", "within": {"role": "dialog"}}, 5),
        ({"name": "Bold", "within": {"name": "Style", "within": {"role": "dialog"}}}, 5),
        ({"role": "toggle button", "name": "Bold", "nth": 2}, None),
        ({"name": "Italic"}, None),
        ({"name": "Bold", "within": {"role": "frame", "name": "other"}}, None),
    ],
)
def test_target_is_found_by_role_name_and_container(
    target: dict[str, Any], index: int | None
) -> None:
    match = find_target(NODES, target)
    assert (match["index"] if match else None) == index


def test_misspelled_target_field_is_an_error() -> None:
    with pytest.raises(AgentError, match="unknown parts of a target: rolle"):
        find_target(NODES, {"rolle": "dialog"})


def test_message_names_the_target_and_similar_controls() -> None:
    text = missing_target(NODES, {"role": "toggle button", "name": "Bolt", "nth": 1})
    assert text.startswith("expected toggle button 'Bolt' number 2 on the screen")
    assert "toggle button 'Bold'" in text


def test_message_without_similar_controls() -> None:
    text = missing_target(NODES, {"role": "slider", "name": "Zoom"})
    assert text == "expected slider 'Zoom' on the screen; no similar control is on the screen"


def test_target_as_text() -> None:
    assert target_text({"within": {"role": "dialog", "name": "X"}}) == "any control in dialog 'X'"

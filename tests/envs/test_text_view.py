from typing import Any

import pytest

from pptarena.envs import observation_text


def node(element: int, **more: Any) -> dict[str, Any]:
    plain = {"role": "button", "name": "", "text": "", "description": "", "states": []}
    return {**plain, "element": element, **more}


@pytest.fixture
def info() -> dict[str, Any]:
    nodes = [
        node(0, name="a frame that has no number"),
        node(2, text="line one\nline two", states=["focused", "showing"]),
        node(1, name="Bold", text="B", description="makes letters bold"),
        node(3, description="Insert a table"),
        node(4, name="x" * 80),
    ]
    return {"window_titles": ["deck.pptx", "other"], "a11y": {"nodes": nodes}}


def test_a_line_per_element_in_the_order_of_their_numbers(info: dict[str, Any]) -> None:
    assert observation_text(info).splitlines() == [
        "window: deck.pptx",
        "[1] button 'Bold'",
        "[2] button 'line one line two' (focused)",
        "[3] button 'Insert a table'",
        f"[4] button '{'x' * 59}…'",
    ]


def test_what_is_left_out_is_counted(info: dict[str, Any]) -> None:
    assert observation_text(info, max_elements=1).splitlines()[1:] == [
        "[1] button 'Bold'",
        "... and 3 more elements",
    ]


def test_without_a_window_and_without_elements() -> None:
    assert observation_text({"window_titles": [], "a11y": {"nodes": []}}) == "window: none"

from typing import Any

import pytest

from pptarena.envs import observation_text


def node(element: int, **fields: Any) -> dict[str, Any]:
    defaults = {"role": "button", "name": "", "text": "", "description": "", "states": []}
    return {**defaults, "element": element, **fields}


@pytest.fixture
def info() -> dict[str, Any]:
    nodes = [
        node(0, name="a frame that has no number"),
        node(2, text="line one\nline two", states=["focused", "showing"]),
        node(1, name="Bold", text="B", description="makes text bold"),
        node(3, description="Insert a table"),
        node(4, name="x" * 80),
    ]
    return {"window_titles": ["deck.pptx", "other"], "a11y": {"nodes": nodes}}


def test_elements_are_listed_by_number(info: dict[str, Any]) -> None:
    assert observation_text(info).splitlines() == [
        "window: deck.pptx",
        "[1] button 'Bold'",
        "[2] button 'line one line two' (focused)",
        "[3] button 'Insert a table'",
        f"[4] button '{'x' * 59}…'",
    ]


def test_omitted_elements_are_counted(info: dict[str, Any]) -> None:
    assert observation_text(info, max_elements=1).splitlines()[1:] == [
        "[1] button 'Bold'",
        "... and 3 more elements",
    ]


def test_no_window_and_no_elements() -> None:
    assert observation_text({"window_titles": [], "a11y": {"nodes": []}}) == "window: none"

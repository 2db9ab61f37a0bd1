from collections.abc import Callable
from typing import Any

from pptarena.agents.macros import Screen

Make = Callable[..., Any]


def test_the_shapes_are_what_lies_on_the_paper(node: Make, screen: Callable[..., Screen]) -> None:
    nodes = [
        node(0, -1, "document presentation", "deck"),
        node(1, 0, "panel", "PageShape: Agenda"),
        node(2, 0, "panel", "Title 1"),
        {**node(3, 2, "paragraph", ""), "text": "Agenda"},
        {**node(4, 2, "paragraph", ""), "text": "for today"},
        node(5, 0, "image", "Logo"),
    ]
    seen = screen(nodes)
    assert seen.page == nodes[1]
    assert seen.shapes() == [nodes[2], nodes[5]]
    assert seen.text(nodes[2]) == "Agenda\nfor today"


def test_a_field_is_told_by_the_label_left_of_it(node: Make, screen: Callable[..., Screen]) -> None:
    nodes = [
        node(0, -1, "dialog", "Position and Size"),
        node(1, 0, "label", "Width:", box=(100, 100, 50, 20)),
        node(2, 0, "label", "Height:", box=(100, 140, 50, 20)),
        node(3, 0, "spin button", "", box=(160, 136, 80, 30)),
        node(4, 0, "spin button", "", box=(160, 96, 80, 30)),
        node(5, 0, "spin button", "", box=(300, 96, 80, 30)),
    ]
    seen = screen(nodes)
    dialog = seen.dialog("position and size")
    assert dialog is not None
    assert seen.labelled("width", dialog, ("spin button",)) == nodes[4]
    assert seen.labelled("Height", dialog, ("spin button",)) == nodes[3]
    assert seen.labelled("Depth", dialog, ("spin button",)) is None


def test_what_does_not_show_is_not_found(node: Make, screen: Callable[..., Screen]) -> None:
    hidden = {**node(0, -1, "button", "OK"), "states": []}
    assert screen([hidden]).first("button", "OK") is None

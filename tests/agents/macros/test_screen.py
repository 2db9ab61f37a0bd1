from collections.abc import Callable
from typing import Any

from pptarena.agents.macros import Screen

Make = Callable[..., Any]


def test_shapes_are_the_children_of_the_document(node: Make, screen: Callable[..., Screen]) -> None:
    nodes = [
        node(0, -1, "document presentation", "deck"),
        node(1, 0, "panel", "PageShape: Agenda"),
        node(2, 0, "panel", "Title 1"),
        {**node(3, 2, "paragraph", ""), "text": "Agenda"},
        {**node(4, 2, "paragraph", ""), "text": "for today"},
        node(5, 0, "image", "Logo"),
    ]
    visible_screen = screen(nodes)
    assert visible_screen.page == nodes[1]
    assert visible_screen.shapes() == [nodes[2], nodes[5]]
    assert visible_screen.text(nodes[2]) == "Agenda\nfor today"


def test_field_is_found_by_the_label_to_its_left(node: Make, screen: Callable[..., Screen]) -> None:
    nodes = [
        node(0, -1, "dialog", "Position and Size"),
        node(1, 0, "label", "Width:", box=(100, 100, 50, 20)),
        node(2, 0, "label", "Height:", box=(100, 140, 50, 20)),
        node(3, 0, "spin button", "", box=(160, 136, 80, 30)),
        node(4, 0, "spin button", "", box=(160, 96, 80, 30)),
        node(5, 0, "spin button", "", box=(300, 96, 80, 30)),
    ]
    visible_screen = screen(nodes)
    dialog = visible_screen.dialog("position and size")
    assert dialog is not None
    assert visible_screen.labeled_control("width", dialog, ("spin button",)) == nodes[4]
    assert visible_screen.labeled_control("Height", dialog, ("spin button",)) == nodes[3]
    assert visible_screen.labeled_control("Depth", dialog, ("spin button",)) is None


def test_hidden_nodes_are_not_found(node: Make, screen: Callable[..., Screen]) -> None:
    hidden = {**node(0, -1, "button", "OK"), "states": []}
    assert screen([hidden]).first("button", "OK") is None

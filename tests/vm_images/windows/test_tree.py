"""The walk over UI Automation's elements, which are dictionaries here."""

import time
from collections.abc import Mapping
from typing import Any

import pytest

from pptarena.envs.elements import find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.vm_images.guest.tree_shape import TreeLimits
from pptarena.vm_images.windows.tree import TreeReader

Facts = dict[str, Any]


class ElementRemovedError(Exception):
    """Access to a removed element."""


class Elements:
    """Windows whose elements are dictionaries with ``"children"``."""

    def __init__(self, *windows: Facts, pause_sec: float = 0.0) -> None:
        self.roots = list(windows)
        self.children_calls = 0
        self.pause_sec = pause_sec

    def windows(self) -> list[Any]:
        return self.roots

    def children(self, element: Any) -> list[Any]:
        self.children_calls += 1
        time.sleep(self.pause_sec)
        if element.get("gone"):
            raise ElementRemovedError
        return list(element.get("children", ()))

    def properties(self, element: Any) -> Mapping[str, Any]:
        return {key: value for key, value in element.items() if key != "children"}


def element(control_type: int, name: str = "", *children: Facts, **more: Any) -> Facts:
    properties = {
        "control_type": control_type,
        "name": name,
        "box": (10.4, 20.0, 30.0, 40.0),
        "enabled": True,
    }
    return {**properties, **more, "children": list(children)}


def read(elements: Elements, limits: TreeLimits | None = None) -> tuple[list[Any], str]:
    return TreeReader(elements, (ElementRemovedError,)).read(limits or TreeLimits())


WINDOW, PANE, BUTTON, EDIT, TEXT, SEPARATOR = 50032, 50033, 50000, 50004, 50020, 50038


def test_parents_precede_children_and_unnamed_panels_are_omitted() -> None:
    slide = element(PANE, "Slide", element(50006, "Title 1"), class_name="paneClassDC")
    ribbon = element(PANE, "", element(BUTTON, "Bold", help_text="Make text bold"))
    nodes, reason = read(Elements(element(WINDOW, "plan.pptx - PowerPoint", ribbon, slide)))
    assert reason == ""
    assert [(node["role"], node["name"], node["parent"]) for node in nodes] == [
        ("frame", "plan.pptx - PowerPoint", -1),
        ("button", "Bold", 0),
        ("document presentation", "Slide", 0),
        ("image", "Title 1", 2),
    ]
    assert [node["index"] for node in nodes] == [0, 1, 2, 3]
    assert nodes[1]["description"] == "Make text bold"
    assert nodes[1]["box"] == (10, 20, 30, 40)
    assert {"showing", "visible", "enabled"} <= set(nodes[1]["states"])


def test_host_finds_elements_in_the_tree() -> None:
    shapes = [element(50025, f"Shape {number}") for number in range(2)]
    slide = element(PANE, "Slide", *shapes, class_name="paneClassDC")
    named = element(50025, "Shape with a name")
    nodes, _ = read(Elements(element(WINDOW, "w", slide, element(BUTTON, "Bold"), named)))
    tree = Tree(tuple(Node(**{**node, "states": frozenset(node["states"])}) for node in nodes))
    names = [tree.nodes[index].name for index in find_elements(tree, 1280, 720).nodes]
    assert names == ["Shape 0", "Shape 1", "Bold"]


def test_invisible_elements_are_not_walked() -> None:
    hidden = element(PANE, "hidden", element(BUTTON, "invisible"), offscreen=True)
    elements = Elements(element(WINDOW, "w", hidden, element(SEPARATOR, "line")))
    nodes, _ = read(elements)
    assert [node["name"] for node in nodes] == ["w"]
    assert elements.children_calls == 1


def test_texts_are_truncated_and_passwords_hidden() -> None:
    field = element(EDIT, "Name", value="x" * 900, has_value=True)
    secret = element(EDIT, "Password", value="secret", has_value=True, password=True)
    nodes, _ = read(Elements(element(WINDOW, "w", field, secret)))
    assert nodes[1]["text"] == "x" * 500
    assert nodes[2]["text"] == ""


def test_removed_element_is_omitted() -> None:
    removed = element(PANE, "going", gone=True)
    nodes, reason = read(Elements(element(WINDOW, "w", removed, element(BUTTON, "stays"))))
    assert "stays" in [node["name"] for node in nodes]
    assert reason == ""


def test_invalid_boxes_are_empty() -> None:
    odd = [element(BUTTON, "b", box=box) for box in (None, (), ("x",) * 4, (0, 0, float("inf"), 1))]
    nodes, _ = read(Elements(element(WINDOW, "w", *odd)))
    assert [node["box"] for node in nodes[1:]] == [(0, 0, 0, 0)] * 4


def test_nodes_and_depth_are_limited() -> None:
    many = [element(BUTTON, str(number)) for number in range(50)]
    nodes, reason = read(Elements(element(WINDOW, "w", *many)), TreeLimits(nodes=10))
    assert len(nodes) == 10
    assert reason == "more than 10 nodes"
    deep = element(BUTTON, "bottom")
    for number in range(20):
        deep = element(50026, f"level {number}", deep)
    nodes, reason = read(Elements(deep), TreeLimits(depth=5))
    assert len(nodes) == 5
    assert reason == "deeper than 5 levels"


@pytest.mark.slow
def test_time_is_limited() -> None:
    slow = [element(50026, str(number)) for number in range(6000)]
    started = time.monotonic()
    nodes, reason = read(Elements(*slow, pause_sec=0.05), TreeLimits(nodes=10_000, seconds=0.2))
    assert time.monotonic() - started < 60
    assert 0 < len(nodes) < 6000
    assert reason == "more than 0.2 s"


def test_missing_desktop_is_reported() -> None:
    class Locked(Elements):
        def windows(self) -> list[Any]:
            raise ElementRemovedError("no desktop")

    assert read(Locked()) == ([], "UI Automation: no desktop")

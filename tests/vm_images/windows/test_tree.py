"""The walk over UI Automation's elements, on elements that are plain dictionaries."""

import time
from collections.abc import Mapping
from typing import Any

from pptarena.envs.elements import find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.vm_images.guest.tree_shape import TreeLimits
from pptarena.vm_images.windows.tree import TreeReader

Facts = dict[str, Any]


class GoneError(Exception):
    """An element that is gone."""


class Elements:
    """Windows whose elements are dictionaries with a list of ``"children"``."""

    def __init__(self, *windows: Facts, pause_sec: float = 0.0) -> None:
        self.tops = list(windows)
        self.asked = 0
        self.pause_sec = pause_sec

    def windows(self) -> list[Any]:
        return self.tops

    def children(self, element: Any) -> list[Any]:
        self.asked += 1
        time.sleep(self.pause_sec)
        if element.get("gone"):
            raise GoneError
        return list(element.get("children", ()))

    def facts(self, element: Any) -> Mapping[str, Any]:
        return {key: value for key, value in element.items() if key != "children"}


def element(kind: int, name: str = "", *children: Facts, **more: Any) -> Facts:
    facts = {"control_type": kind, "name": name, "box": (10.4, 20.0, 30.0, 40.0), "enabled": True}
    return {**facts, **more, "children": list(children)}


def read(elements: Elements, limits: TreeLimits | None = None) -> tuple[list[Any], str]:
    reader = TreeReader(elements, (GoneError,))
    nodes, reason = reader.read(limits or TreeLimits())
    return nodes, reason


WINDOW, PANE, BUTTON, EDIT, TEXT, SEPARATOR = 50032, 50033, 50000, 50004, 50020, 50038


def test_parents_come_first_and_panels_that_say_nothing_are_left_out() -> None:
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


def test_the_host_finds_elements_in_it() -> None:
    shapes = [element(50025, f"Shape {place}") for place in range(2)]
    slide = element(PANE, "Slide", *shapes, class_name="paneClassDC")
    named = element(50025, "Shape with a name")
    nodes, _ = read(Elements(element(WINDOW, "w", slide, element(BUTTON, "Bold"), named)))
    tree = Tree(tuple(Node(**{**node, "states": frozenset(node["states"])}) for node in nodes))
    names = [tree.nodes[index].name for index in find_elements(tree, 1280, 720).nodes]
    assert names == ["Shape 0", "Shape 1", "Bold"]


def test_what_does_not_show_is_not_walked() -> None:
    hidden = element(PANE, "hidden", element(BUTTON, "never seen"), offscreen=True)
    elements = Elements(element(WINDOW, "w", hidden, element(SEPARATOR, "line")))
    nodes, _ = read(elements)
    assert [node["name"] for node in nodes] == ["w"]
    assert elements.asked == 1


def test_texts_are_bounded_and_passwords_kept() -> None:
    field = element(EDIT, "Name", value="x" * 900, has_value=True)
    secret = element(EDIT, "Password", value="secret", has_value=True, password=True)
    nodes, _ = read(Elements(element(WINDOW, "w", field, secret)))
    assert nodes[1]["text"] == "x" * 500
    assert nodes[2]["text"] == ""


def test_an_element_that_goes_away_costs_only_itself() -> None:
    gone = element(PANE, "going", gone=True)
    nodes, reason = read(Elements(element(WINDOW, "w", gone, element(BUTTON, "stays"))))
    assert "stays" in [node["name"] for node in nodes]
    assert reason == ""


def test_boxes_that_are_none() -> None:
    odd = [element(BUTTON, "b", box=box) for box in (None, (), ("x",) * 4, (0, 0, float("inf"), 1))]
    nodes, _ = read(Elements(element(WINDOW, "w", *odd)))
    assert [node["box"] for node in nodes[1:]] == [(0, 0, 0, 0)] * 4


def test_the_number_of_nodes_is_bounded() -> None:
    many = [element(BUTTON, str(number)) for number in range(50)]
    nodes, reason = read(Elements(element(WINDOW, "w", *many)), TreeLimits(nodes=10))
    assert len(nodes) == 10
    assert reason == "more than 10 nodes"


def test_the_depth_is_bounded() -> None:
    deep = element(BUTTON, "bottom")
    for number in range(20):
        deep = element(50026, f"level {number}", deep)
    nodes, reason = read(Elements(deep), TreeLimits(depth=5))
    assert len(nodes) == 5
    assert reason == "deeper than 5 levels"


def test_the_time_is_bounded() -> None:
    slow = [element(50026, str(number)) for number in range(6000)]
    started = time.monotonic()
    nodes, reason = read(Elements(*slow, pause_sec=0.05), TreeLimits(nodes=10_000, seconds=0.2))
    assert time.monotonic() - started < 60
    assert 0 < len(nodes) < 6000
    assert reason == "more than 0.2 s"


def test_no_desktop_is_said() -> None:
    class Locked(Elements):
        def windows(self) -> list[Any]:
            raise GoneError("no desktop")

    assert read(Locked()) == ([], "UI Automation: no desktop")

import json

import numpy as np
import pytest

from pptarena.envs.elements import COLUMNS, a11y_json, find_elements
from pptarena.envs.machines.base import Node, Tree
from pptarena.envs.observations import make_observation, observation_space
from pptarena.envs.roles import INTERACTIVE_ROLES, ROLES, TEXT_ROLES, role_id
from pptarena.errors import ActionError
from pptarena.vm_images.guest.atspi_names import ROLE_NAMES

VISIBLE = ("enabled", "showing", "visible")
Box = tuple[int, int, int, int]


def node(
    index: int,
    role: str,
    *,
    parent: int = 0,
    name: str = "",
    text: str = "",
    box: Box = (10, 10, 20, 20),
    states: tuple[str, ...] = VISIBLE,
) -> Node:
    return Node(index, parent, role, name, text, "", box, frozenset(states))


def element_roles(*nodes: Node) -> list[str]:
    table = find_elements(Tree(nodes), 100, 50)
    return [nodes[index].role for index in table.nodes]


def test_interactive_roles_are_elements() -> None:
    assert element_roles(
        node(0, "frame", parent=-1, name="Window"),
        node(1, "push button"),
        node(2, "button"),
        node(3, "panel", name="Sidebar"),
        node(4, "list item"),
    ) == ["push button", "button", "list item"]


def test_text_roles_are_elements_if_named_filled_or_editable() -> None:
    assert element_roles(
        node(0, "label"),
        node(1, "label", name="Slide 1"),
        node(2, "paragraph", text="Words"),
        node(3, "text", states=(*VISIBLE, "editable")),
        node(4, "paragraph"),
    ) == ["label", "paragraph", "text"]


def test_visible_nodes_in_a_document_are_elements() -> None:
    assert element_roles(
        node(0, "document presentation", parent=-1),
        node(1, "panel", parent=0),
        node(2, "image", parent=1),
        node(3, "panel", parent=-1),
    ) == ["panel", "image"]


@pytest.mark.parametrize(
    "change",
    [
        {"states": ("visible",)},
        {"states": ("showing",)},
        {"box": (0, 0, 0, 10)},
        {"box": (0, 0, 10, 0)},
        {"box": (100, 0, 10, 10)},
        {"box": (-10, 0, 10, 10)},
        {"box": (-(2**31), -(2**31), 1, 1)},
    ],
)
def test_invisible_nodes_are_not_elements(change: dict[str, tuple[str, ...]]) -> None:
    assert element_roles(node(0, "push button")) == ["push button"]
    assert element_roles(node(0, "push button", **change)) == []  # type: ignore[arg-type]


def test_boxes_are_clipped_to_the_screen() -> None:
    states = (*VISIBLE, "focused", "pressed", "expandable", "expanded")
    table = find_elements(
        Tree((node(0, "combo box", box=(-10, 40, 60, 30), states=states),)), 100, 50
    )
    row = dict(zip(COLUMNS, table.features[0].tolist(), strict=True))
    assert table.box(1) == (0, 40, 50, 10)
    assert row == pytest.approx(
        {
            "x0": 0.0, "y0": 0.8, "x1": 0.5, "y1": 1.0, "role": role_id("combo box"),
            "enabled": 1, "focused": 1, "selected": 0, "checked": 1, "editable": 0,
            "expandable": 1, "expanded": 1,
        }
    )  # fmt: skip
    assert not table.features[1:].any()
    with pytest.raises(ActionError, match="from 1 to 1"):
        table.box(2)
    with pytest.raises(ActionError, match="from 1 to 1"):
        table.box(0)


def test_elements_beyond_256_are_dropped_and_reported() -> None:
    tree = Tree(tuple(node(i, "push button") for i in range(300)), degraded=True, reason="depth 40")
    table = find_elements(tree, 100, 50)
    assert len(table) == 256
    value = a11y_json(tree, table)
    assert value["degraded"] is True
    assert value["reason"] == "depth 40; more than 256 elements"
    assert [item["element"] for item in value["nodes"]] == [*range(1, 257)] + [0] * 44


def test_tree_as_json() -> None:
    tree = Tree((node(0, "frame", parent=-1), node(1, "push button", name="Bold")))
    value = json.loads(json.dumps(a11y_json(tree, find_elements(tree, 100, 50))))
    assert value["nodes"][1] == {
        "index": 1,
        "parent": 0,
        "role": "push button",
        "name": "Bold",
        "text": "",
        "description": "",
        "box": [10, 10, 20, 20],
        "states": ["enabled", "showing", "visible"],
        "element": 1,
    }
    assert (value["degraded"], value["reason"]) == (False, "")


def test_role_numbers_are_stable() -> None:
    assert len(set(ROLES)) == len(ROLES)
    assert ROLES[: len(ROLE_NAMES)] == ROLE_NAMES
    numbers = {"button": 43, "text": 61, "toggle button": 62, "paragraph": 73, "shape": 131}
    assert {name: role_id(name) for name in numbers} == numbers
    assert {name: ROLES.index(name) for name in numbers} == numbers
    assert role_id("push button") == 43, "an older name of the same role"
    assert role_id("no such role") == role_id("unknown") == 67
    assert all(role_id(name) != 67 for name in INTERACTIVE_ROLES | TEXT_ROLES)


def test_observations_are_in_their_space_and_own_their_memory() -> None:
    space = observation_space(100, 50)
    table = find_elements(Tree(tuple(node(i, ROLES[-1 - i]) for i in range(9))), 100, 50)
    screenshot = np.zeros((50, 100, 3), np.uint8)
    first = make_observation(screenshot, table, "Do it\x00" + "é" * 5000)
    second = make_observation(screenshot, table, "")
    assert space.contains(first)
    assert space.contains(second)
    for name in ("screenshot", "elements"):
        assert not np.shares_memory(first[name], second[name])
    assert not np.shares_memory(first["screenshot"], screenshot)
    assert not np.shares_memory(first["elements"], table.features)
